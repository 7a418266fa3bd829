// SPDX-License-Identifier: MIT
import Observation

/// An `@Observable` model, tracked anew after each change, that only swaps the children.
final class ObservationScreen: FlippingWork {
  @Observable
  final class Model {
    var data = PlainData.loading
  }

  private let model = Model()
  private let swap: ChildSwap
  private let notice = Notice()

  init(_ stage: Stage) {
    swap = ChildSwap(stage)
    track()
  }

  func show(_ value: Int) {
    model.data = .data(value)
    track()
  }

  func hide() {
    model.data = .loading
    track()
  }

  private func track() {
    let screen = withObservationTracking {
      PlainData.screen(model.data)
    } onChange: { [notice] in
      notice.put()
    }
    swap.show(screen)
  }
}
