// SPDX-License-Identifier: MIT
/// What one would write by hand: two functions, a comparison after each, and a list of those to notify.
final class HandWrittenMaps: WritingWork {
  var turn = 0

  private let first: (Int) -> Int = { $0 &* 3 }
  private let second: (Int) -> Int = { $0 &+ 1 }
  private var source = 0
  private var between = 0
  private var derived = 1
  private var observers: [(Int) -> Void] = []

  init(observers count: Int) {
    let tally = Tally()
    for _ in 0..<count { observers.append { tally.add($0) } }
  }

  func write(_ value: Int) {
    guard value != source else { return }
    source = value
    let next = first(value)
    guard next != between else { return }
    between = next
    let last = second(next)
    guard last != derived else { return }
    derived = last
    for observer in observers { observer(last) }
  }
}
