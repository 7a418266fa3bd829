#if os(macOS) || os(Linux)
/// Who sleeps until when, in the order in which they are to be woken: by time, and those of one time as they came.
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

  /// When the first sleeper is due; nil: nobody sleeps.
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

  /// Gives a sleep up.
  ///
  /// - Returns: Who is to be told, if the sleep had begun.
  mutating func cancel(_ id: ID) -> Continuation? {
    guard let index = sleepers.firstIndex(where: { $0.id == id }) else {
      cancelledEarly.insert(id)
      return nil
    }
    return sleepers.remove(at: index).continuation
  }

  /// Moves the time to the first sleeper's deadline and takes it out.
  mutating func takeFirst() -> Continuation? {
    guard !sleepers.isEmpty else { return nil }
    let first = sleepers.removeFirst()
    now = first.deadline
    return first.continuation
  }
}
#endif
