// SPDX-License-Identifier: MIT
/// The lanes in which commits run one after another.
///
/// To enter and to leave a lane takes constant time, averaged over many calls, however many commits wait in it.
struct CommitLanes {
  /// The commits that wait, for each lane that is in use.
  private var waiting: [LoadID: WaitingLine<Commit>] = [:]

  /// - Returns: Whether the commit may run at once. If not, it is resumed when it may, or when it is over.
  mutating func enter(_ lane: LoadID, _ commit: Commit) -> Bool {
    guard waiting[lane] == nil else {
      waiting[lane]?.append(commit) { $0.ending != nil }
      return false
    }
    waiting[lane] = WaitingLine()
    return true
  }

  /// The commit that had the lane has returned.
  ///
  /// - Returns: The commit that has the lane now. One that is over has been resumed, and does not take it.
  mutating func leave(_ lane: LoadID) -> Commit? {
    while let next = waiting[lane]?.takeFirst() { if next.ending == nil { return next } }
    waiting[lane] = nil
    return nil
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
  /// What the value was when the change was sent first; nil: it was not.
  private(set) var sentAt: ValueMark?
  /// Nothing is displayed of it any more.
  private(set) var isDropped = false
  /// The gate that it waits for last, and its ticket there.
  private var place: (gate: LoadGate, ticket: Int)?
  private var continuation: SuspendedCall?

  init(number: Int) {
    self.number = number
  }

  /// The call waits until the commit has its turn or is over.
  func wait(_ call: SuspendedCall) {
    if hasTurn || ending != nil { call.resume() } else { continuation = call }
  }

  func takeTurn() {
    hasTurn = true
    resume()
  }

  /// It is about to wait for a gate to open.
  func wait(at gate: LoadGate, _ ticket: Int) {
    place = (gate, ticket)
  }

  /// It is sent, perhaps once more.
  func send(at mark: ValueMark) {
    assert(ending == nil && hasTurn, "A commit is sent in its turn.")
    if sentAt == nil { sentAt = mark }
  }

  /// What was written since it was sent does not concern it.
  func passOver() {
    sentAt?.writes &+= 1
  }

  /// Nothing is displayed of it any more. It is sent all the same.
  func drop() {
    isDropped = true
  }

  /// Its operation is not called any more, and its caller gets no value.
  func end(_ reason: LoadEnd) {
    isDropped = true
    if ending == nil { ending = reason }
    resume()
    if let place = place.take() { place.gate.leave(place.ticket) }
  }

  private func resume() {
    continuation.take()?.resume()
  }
}
