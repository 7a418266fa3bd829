// SPDX-License-Identifier: MIT
import Observation

/// An `@Observable` model with two computed properties, tracked anew after each change.
final class ObservationMaps: WritingWork {
  @Observable
  final class Model {
    var source = 0
    var between: Int { source &* 3 }
    var derived: Int { between &+ 1 }
  }

  var turn = 0
  private let model = Model()
  private let tally = Tally()
  private let notice = Notice()

  init() {
    track()
  }

  func write(_ value: Int) {
    model.source = value
    if notice.take() { track() }
  }

  private func track() {
    let value = withObservationTracking {
      model.derived
    } onChange: { [notice] in
      notice.put()
    }
    tally.add(value)
  }
}
