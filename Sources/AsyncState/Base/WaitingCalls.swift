// SPDX-License-Identifier: MIT
/// The calls that await the same end: that of a load, of a mutation, or of all requests. Mostly it is one, which needs no
/// dictionary: a dictionary would cost a load a fifth more instructions.
///
/// `Follower`: a call that may be handed over to another end, such as one that waits for a value from any load. `Never` where
/// there are none.
struct WaitingCalls<Follower> {
  private struct Waiter {
    /// Nil until the call has suspended.
    var continuation: SuspendedCall?
    /// Nil for a call that waits for this end.
    var follower: Follower?
  }

  /// The call that came before all others.
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

  /// Marks the call with this ticket as one that may be handed over.
  mutating func follow(_ follower: Follower, as ticket: Int) {
    if first?.ticket == ticket {
      first?.waiter.follower = follower
    } else {
      others[ticket]?.follower = follower
    }
  }

  /// Removes the calls that may be handed over, in order.
  mutating func takeFollowers() -> [(call: Follower, continuation: SuspendedCall?)] {
    var followers: [(call: Follower, continuation: SuspendedCall?)] = []
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

  /// Keeps a call that has suspended. It is resumed at once if it was removed before.
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
    // Exchanged, because a copy takes as long as all else that a call does here.
    var taken = WaitingCalls()
    taken.lastTicket = lastTicket
    swap(&taken, &self)
    return taken
  }

  /// Resumes all of them, in the order of their tickets.
  consuming func resume() {
    first?.waiter.continuation?.resume()
    if others.isEmpty { return }
    for (_, waiter) in others.sorted(by: { $0.key < $1.key }) { waiter.continuation?.resume() }
  }
}
