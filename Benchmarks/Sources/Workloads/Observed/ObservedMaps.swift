// SPDX-License-Identifier: MIT
import AsyncState

/// An input, two maps, and observers of the second.
final class ObservedMaps: WritingWork {
  var turn = 0
  private let input = Input(0)
  private let tokens: [ObservedToken]

  init(observers count: Int) {
    let tally = Tally()
    let derived = input.map { $0 &* 3 }.map { $0 &+ 1 }
    tokens = (0..<count).map { _ in derived.observe { tally.add($0) } }
  }

  func write(_ value: Int) {
    input.write(value)
  }
}
