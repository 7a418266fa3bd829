// SPDX-License-Identifier: MIT
import AsyncState

/// Keys of a family that are requested fifty at a time, as by the rows that appear together.
final class KeyRequests: Work {
  private let isBatching: Bool
  private var family: AsyncFamily<Int, Int>?
  private var entries: [AsyncResource<Int>] = []
  private let tally = Tally()

  /// - Parameter isBatching: The keys that are requested together are one request, or else each is one.
  init(isBatching: Bool) {
    self.isBatching = isBatching
  }

  func run(_ count: Int, on home: isolated any Actor) async {
    prepare(on: home)
    for first in stride(from: 0, to: count, by: entries.count) {
      var tasks: [LoadTask<Int>] = []
      for entry in entries.prefix(count - first) { tasks.append(entry.start()) }
      for task in tasks { if case .success(let value?) = await task.outcome() { tally.add(value) } }
    }
  }

  private func prepare(on home: isolated any Actor) {
    guard family == nil else { return }
    let batcher = KeyBatcher<Int, Int>(isolation: home, limit: 50) { keys in
      Dictionary(uniqueKeysWithValues: keys.map { ($0, .success($0)) })
    }
    let family =
      isBatching
      ? AsyncFamily<Int, Int>(isolation: home) { key in .value { try await batcher.value(for: key, isolation: home) } }
      : AsyncFamily<Int, Int>(isolation: home) { key in .value { key } }
    self.family = family
    entries = (0..<50).map { family[$0] }
  }
}
