// SPDX-License-Identifier: MIT
@testable import AsyncState

/// Suspends until what was released so far has been carried out on the calling actor, which takes such work in order.
func afterReleases(isolation: isolated any Actor = #isolation) async {
  await withCheckedContinuation { continuation in perform(on: isolation) { continuation.resume() } }
}

/// Suspends for so many turns of the calling actor, each of which carries out what those before it have led to: for what must not
/// happen, of which nothing gives a sign.
func turns(_ count: Int = 30, isolation: isolated any Actor = #isolation) async {
  for _ in 0..<count { await afterReleases(isolation: isolation) }
}

/// A task that waits for something, and that is known to wait.
@MainActor
final class Waiting<Result: Sendable> {
  private let task: Task<Result, Never>
  /// What it has returned; nil until then.
  private(set) var result: Result?
  private let beginning: Task<Void, Never>

  /// Begins `body` on the main actor. It runs up to its first suspension before `begun()` returns.
  init(_ body: @escaping @MainActor () async -> Result) {
    // Two tasks of one actor, of one priority: the second runs when the first has suspended or ended.
    let ended = Ended()
    let task = Task { @MainActor in
      let result = await body()
      ended.waiting?.result = result
      return result
    }
    self.task = task
    beginning = Task { @MainActor in }
    ended.waiting = self
  }

  @MainActor
  private final class Ended { weak var waiting: Waiting? }

  func begun() async { await beginning.value }
  func end() async -> Result { await task.value }
  func cancel() { task.cancel() }
}

extension String {
  /// How often `part` occurs.
  func occurrences(of part: String) -> Int {
    var count = 0
    var rest = self[...]
    while let range = rest.firstRange(of: part) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}
