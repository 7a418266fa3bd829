// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
/// The sleepers, in the order in which they are to be woken: by deadline, and then by registration.
struct SleepQueue {
  typealias Continuation = CheckedContinuation<Void, any Error>

  /// Names one sleep, before it begins and until it ends.
  struct ID: Hashable {
    fileprivate let number: Int
  }

  private struct Sleeper {
    let id: ID
    let deadline: Duration
    let continuation: Continuation
  }

  /// The time of the sleeper that was woken last.
  private(set) var now = Duration.zero

  private var sleepers: [Sleeper] = []
  /// Sleeps that were cancelled before they began.
  private var cancelledEarly: Set<ID> = []
  private var lastNumber = 0

  /// When the first sleeper is due; nil: there is no sleeper.
  var nextDeadline: Duration? { sleepers.first?.deadline }

  /// Announces a sleep.
  mutating func issueID() -> ID {
    lastNumber += 1
    return ID(number: lastNumber)
  }

  /// Begins a sleep.
  ///
  /// - Returns: How it ended, if it did at once.
  mutating func insert(_ id: ID, until deadline: Duration, _ continuation: Continuation) -> Result<Void, any Error>? {
    if cancelledEarly.remove(id) != nil { return .failure(CancellationError()) }
    if deadline <= now { return .success(()) }
    let index = sleepers.firstIndex { $0.deadline > deadline } ?? sleepers.endIndex
    sleepers.insert(Sleeper(id: id, deadline: deadline, continuation: continuation), at: index)
    return nil
  }

  /// Cancels a sleep.
  ///
  /// - Returns: The sleeper to resume, if the sleep had begun.
  mutating func cancel(_ id: ID) -> Continuation? {
    guard let index = sleepers.firstIndex(where: { $0.id == id }) else {
      cancelledEarly.insert(id)
      return nil
    }
    return sleepers.remove(at: index).continuation
  }

  /// Moves the time to `deadline`, and takes out the first sleeper if it is due by then.
  mutating func takeFirst(by deadline: Duration) -> Continuation? {
    guard let first = sleepers.first, first.deadline <= deadline else {
      // It was cancelled meanwhile.
      now = max(now, deadline)
      return nil
    }
    now = max(now, first.deadline)
    return sleepers.removeFirst().continuation
  }
}
#endif
