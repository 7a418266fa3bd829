/// The lanes in which commits run one after another.
struct CommitLanes {
  /// The commits that wait, for each lane that is in use, in order.
  private var waiting: [LoadID: [Commit]] = [:]

  /// - Returns: Whether the commit may run at once. If not, it is resumed when it may, or when it is over.
  mutating func enter(_ lane: LoadID, _ commit: Commit) -> Bool {
    if waiting[lane] == nil {
      waiting[lane] = []
      return true
    }
    waiting[lane]?.append(commit)
    return false
  }

  /// The commit that had the lane has returned.
  ///
  /// - Returns: The commit that has the lane now.
  mutating func leave(_ lane: LoadID) -> Commit? {
    guard var queue = waiting[lane] else { return nil }
    // One that is over has been resumed, and does not take the lane.
    queue.removeAll { $0.ending != nil }
    let next = queue.isEmpty ? nil : queue.removeFirst()
    waiting[lane] = next == nil ? nil : queue
    return next
  }
}

/// The commit of one optimistic change: whether it may still begin, and who awaits that.
final class Commit {
  /// Its place among the changes of its data.
  let number: Int
  /// How it ended before it was decided; nil while it may still be.
  private(set) var ending: LoadEnd?
  /// It has its lane, or needs none.
  private(set) var hasTurn = false
  private(set) var hasBegun = false
  // Justified: as in `LoadWaiters`. Resumed exactly once, by `resume()`.
  private var continuation: UnsafeContinuation<Void, Never>?

  init(number: Int) {
    self.number = number
  }

  /// Suspends until it has its turn or is over.
  func waitForTurn(isolation: isolated any Actor) async {
    guard !hasTurn, ending == nil else { return }
    await withUnsafeContinuation { continuation = $0 }
  }

  func takeTurn() {
    hasTurn = true
    resume()
  }

  func begin() {
    assert(ending == nil && hasTurn, "A commit begins once, in its turn.")
    hasBegun = true
  }

  /// It is not decided by its operation any more.
  func end(_ reason: LoadEnd) {
    if ending == nil { ending = reason }
    resume()
  }

  private func resume() {
    continuation.take()?.resume()
  }
}
