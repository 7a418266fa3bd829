// SPDX-License-Identifier: MIT
/// What one would write by hand: three functions, a comparison after each, and a list of those to notify.
final class HandWrittenDiamond: WritingWork {
  var turn = 0

  private let left: (Int) -> Int = { $0 &* 3 }
  private let right: (Int) -> Int = { $0 &+ 1 }
  private let sum: (Int, Int) -> Int = { $0 &+ $1 }
  private var source = 0
  private var sides = (left: 0, right: 1)
  private var derived = 1
  private var observers: [(Int) -> Void] = []

  init() {
    let tally = Tally()
    observers.append { tally.add($0) }
  }

  func write(_ value: Int) {
    guard value != source else { return }
    source = value
    let next = (left: left(value), right: right(value))
    guard next != sides else { return }
    sides = next
    let last = sum(next.left, next.right)
    guard last != derived else { return }
    derived = last
    for observer in observers { observer(last) }
  }
}
