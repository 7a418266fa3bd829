// SPDX-License-Identifier: MIT
import Observation

/// An `@Observable` model, tracked anew after each change, that only swaps the children.
final class ObservationScreen: FlippingWork {
  @Observable
  final class Model {
    var facts = PlainFacts.loading
  }

  private let model = Model()
  private let swap: ChildSwap
  private let notice = Notice()

  init(_ stage: Stage) {
    swap = ChildSwap(stage)
    track()
  }

  func show(_ value: Int) {
    model.facts = .data(value)
    track()
  }

  func hide() {
    model.facts = .loading
    track()
  }

  private func track() {
    let screen = withObservationTracking {
      PlainFacts.screen(model.facts)
    } onChange: { [notice] in
      notice.put()
    }
    swap.show(screen)
  }
}
