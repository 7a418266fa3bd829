// SPDX-License-Identifier: MIT
import AsyncState

/// Keys of a family that are requested fifty at a time, as by the rows that appear together.
final class KeyRequests: Work {
  private let isBatching: Bool
  private var entries: [AsyncResource<Int>] = []
  private let tally = Tally()

  /// - Parameter isBatching: The keys that are requested together are one request, or else each is one.
  init(isBatching: Bool) {
    self.isBatching = isBatching
  }

  func run(_ count: Int, on home: isolated any Actor) async {
    if entries.isEmpty { entries = (0..<50).map(makeFamily(on: home)) }
    for first in stride(from: 0, to: count, by: entries.count) {
      let tasks = entries.prefix(count - first).map { $0.start() }
      for task in tasks { if case .success(let value?) = await task.outcome() { tally.add(value) } }
    }
  }

  private func makeFamily(on home: isolated any Actor) -> (Int) -> AsyncResource<Int> {
    let family =
      isBatching
      ? AsyncFamily<Int, Int>(isolation: home, batching: 50) { keys in
        Dictionary(uniqueKeysWithValues: keys.map { ($0, $0) })
      }
      : AsyncFamily<Int, Int>(isolation: home) { key in key }
    return { family[$0] }
  }
}
