// SPDX-License-Identifier: MIT
import AsyncState

/// An input, two values derived from it, and one derived from both.
final class ObservedDiamond: WritingWork {
  var turn = 0
  private let input = Input(0)
  private let token: ObservedToken

  init() {
    let tally = Tally()
    let left = input.map { $0 &* 3 }
    let right = input.map { $0 &+ 1 }
    token = left.zip(right).map { $0 &+ $1 }.observe { tally.add($0) }
  }

  func write(_ value: Int) {
    input.write(value)
  }
}
