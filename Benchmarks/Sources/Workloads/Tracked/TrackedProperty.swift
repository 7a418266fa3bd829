// SPDX-License-Identifier: MIT
import Observation

/// One stored property of a plain class, that is read under tracking and changes: what Observation costs by itself.
final class TrackedProperty: WritingWork {
  @Observable
  final class Model {
    var value: Int?
  }

  var turn = 0
  private let model = Model()
  private let tally = Tally()
  private let notice = Notice()

  func write(_ value: Int) {
    withObservationTracking {
      tally.add(model.value ?? 0)
    } onChange: { [notice] in
      notice.put()
    }
    model.value = value
    if notice.take() { tally.add(1) }
  }
}
