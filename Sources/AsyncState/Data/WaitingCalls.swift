// SPDX-License-Identifier: MIT
/// The calls that await the same end: that of a load, of a mutation, or of all that is requested. Mostly it is one, which
/// needs no dictionary: with it a load takes a fifth more instructions.
struct WaitingCalls {
  private struct Waiter {
    /// Nil until the call has suspended.
    var continuation: SuspendedCall?
    /// The call that waits for the value, whichever load brings it; nil for one that waits for this load.
    var follower: FollowingCall?
  }

  /// Before all others.
  private var first: (ticket: Int, waiter: Waiter)?
  /// The others by their tickets, so that any of them leaves in constant time.
  private var others: [Int: Waiter] = [:]
  private var lastTicket = 0

  /// Adds a call that is about to suspend.
  mutating func reserve() -> Int {
    lastTicket += 1
    if first == nil, others.isEmpty { first = (lastTicket, Waiter()) } else { others[lastTicket] = Waiter() }
    return lastTicket
  }

  /// The call with this ticket follows the value.
  mutating func follow(_ follower: FollowingCall) {
    if first?.ticket == follower.ticket {
      first?.waiter.follower = follower
    } else {
      others[follower.ticket]?.follower = follower
    }
  }

  /// Removes the calls that follow the value, in order.
  mutating func takeFollowers() -> [(call: FollowingCall, continuation: SuspendedCall?)] {
    var followers: [(call: FollowingCall, continuation: SuspendedCall?)] = []
    if let waiter = first?.waiter, let call = waiter.follower {
      followers.append((call, waiter.continuation))
      first = nil
    }
    if others.isEmpty { return followers }
    for (ticket, waiter) in others.sorted(by: { $0.key < $1.key }) {
      guard let call = waiter.follower else { continue }
      followers.append((call, waiter.continuation))
      others[ticket] = nil
    }
    return followers
  }

  /// The call has suspended. It is resumed at once if it was removed before.
  mutating func wait(_ continuation: SuspendedCall, as ticket: Int) {
    if first?.ticket == ticket {
      first?.waiter.continuation = continuation
    } else if others[ticket] != nil {
      others[ticket]?.continuation = continuation
    } else {
      continuation.resume()
    }
  }

  /// Removes a call; the caller resumes its continuation, which is nil before the call has suspended.
  ///
  /// - Returns: Nil if the call was removed before.
  mutating func remove(_ ticket: Int) -> SuspendedCall?? {
    if first?.ticket == ticket { return first.take()?.waiter.continuation }
    return others.removeValue(forKey: ticket)?.continuation
  }

  /// Removes all of them; the caller resumes them.
  mutating func takeAll() -> WaitingCalls {
    defer { (first, others) = (nil, [:]) }
    return self
  }

  /// Resumes all of them, in the order of their tickets.
  consuming func resume() {
    first?.waiter.continuation?.resume()
    if others.isEmpty { return }
    for (_, waiter) in others.sorted(by: { $0.key < $1.key }) { waiter.continuation?.resume() }
  }
}
