// SPDX-License-Identifier: MIT
import AsyncState

/// Facts that are read where nothing is tracked, and change.
final class UntrackedFacts: WritingWork {
  var turn = 0
  private let data = AsyncData<Int>()
  private let tally = Tally()

  func write(_ value: Int) {
    tally.add(data.value ?? 0)
    data.value = value
  }
}
