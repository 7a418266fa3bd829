// SPDX-License-Identifier: MIT
import OpenCombine

/// A subject, two maps, and what pairs them. Pairing is right here because each side sends once for each write; there
/// is no `combineLatest` in this version.
final class OpenCombineDiamond: WritingWork {
  var turn = 0
  private let subject = CurrentValueSubject<Int, Never>(0)
  private let subscription: AnyCancellable

  init() {
    let tally = Tally()
    let left = subject.map { $0 &* 3 }
    let right = subject.map { $0 &+ 1 }
    subscription = left.zip(right).map { $0 &+ $1 }.sink { tally.add($0) }
  }

  func write(_ value: Int) {
    subject.send(value)
  }
}
