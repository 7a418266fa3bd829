// SPDX-License-Identifier: MIT
import AsyncState

/// Data that is read where nothing is tracked, and changes.
final class UntrackedData: WritingWork {
  var turn = 0
  private let data = AsyncData<Int>()
  private let tally = Tally()

  func write(_ value: Int) {
    tally.add(data.value ?? 0)
    data.value = value
  }
}
