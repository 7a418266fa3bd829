// SPDX-License-Identifier: MIT
import OpenCombine

/// A subject, two maps, and sinks behind the second. Several sinks share the maps, as observers of the library do.
final class OpenCombineMaps: WritingWork {
  var turn = 0
  private let subject = CurrentValueSubject<Int, Never>(0)
  private var subscriptions: [AnyCancellable] = []

  init(observers count: Int) {
    let tally = Tally()
    let derived = subject.map { $0 &* 3 }.map { $0 &+ 1 }
    if count == 1 {
      subscriptions = [derived.sink { tally.add($0) }]
    } else {
      let shared = derived.share()
      subscriptions = (0..<count).map { _ in shared.sink { tally.add($0) } }
    }
  }

  func write(_ value: Int) {
    subject.send(value)
  }
}
