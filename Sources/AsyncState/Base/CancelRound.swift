// SPDX-License-Identifier: MIT
import Synchronization

/// Cancels tasks one after another.
///
/// The handler of a cancelled task cancels what the task waits for, if nothing else wants that. Where operations await one another
/// in a chain, each would be cancelled inside the handler of the one before, and the stack would be as deep as the chain is long.
final class CancelRound: Sendable {
  /// The round that cancels on this thread; nil: there is none.
  @TaskLocal private static var current: CancelRound?

  // Justified: tasks that handlers begin inherit the round, and may add to it from other threads. Nothing is called under the
  // lock. Noticed: `interest` of `Tests/Stress` under the thread sanitizer.
  private let waiting = Mutex<[Task<Void, Never>]?>([])

  /// Cancels a task: before this returns, or, inside the handler of another one that is cancelled by this, before that returns.
  static func cancel(_ task: Task<Void, Never>) {
    if let current, current.add(task) { return }
    let round = CancelRound()
    $current.withValue(round) {
      task.cancel()
      while let next = round.takeAll() {
        for task in next { task.cancel() }
      }
    }
  }

  /// - Returns: False if the round is over.
  private func add(_ task: Task<Void, Never>) -> Bool {
    waiting.withLock { $0?.append(task) != nil }
  }

  /// - Returns: The tasks that were added; nil if there are none: the round is over.
  private func takeAll() -> [Task<Void, Never>]? {
    waiting.withLock {
      let all = $0
      $0 = all?.isEmpty == false ? [] : nil
      return $0 == nil ? nil : all
    }
  }
}
