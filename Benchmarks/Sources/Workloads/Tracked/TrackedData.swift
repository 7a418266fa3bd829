// SPDX-License-Identifier: MIT
import AsyncState
import Observation

/// Data that is read under tracking, and changes.
final class TrackedData: WritingWork {
  var turn = 0
  private let data = AsyncData<Int>()
  private let tally = Tally()
  private let notice = Notice()

  func write(_ value: Int) {
    withObservationTracking {
      tally.add(data.value ?? 0)
    } onChange: { [notice] in
      notice.put()
    }
    data.value = value
    if notice.take() { tally.add(1) }
  }
}
