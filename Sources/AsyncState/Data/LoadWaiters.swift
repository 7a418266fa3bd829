/// Those who wait for the end of a load. Most loads have one; that one needs no list.
///
/// The continuations are not checked ones, which take an allocation each: every way out of here resumes what it takes
/// out, and a load that is let go of has ended.
@usableFromInline
struct LoadWaiters {
  @usableFromInline typealias Waiter = UnsafeContinuation<Void, Never>

  @usableFromInline var first: Waiter?
  @usableFromInline var firstTicket = 0
  @usableFromInline var others: [(ticket: Int, waiter: Waiter)] = []
  @usableFromInline var lastTicket = 0

  @inlinable
  init() {}

  /// A number for one who is about to wait.
  @inlinable
  mutating func nextTicket() -> Int {
    lastTicket += 1
    return lastTicket
  }

  @inlinable
  mutating func append(_ waiter: Waiter, ticket: Int) {
    if first == nil {
      first = waiter
      firstTicket = ticket
    } else {
      others.append((ticket, waiter))
    }
  }

  /// Takes out one who does not want to wait any more; whoever asked for it resumes it.
  mutating func remove(_ ticket: Int) -> Waiter? {
    if first != nil, firstTicket == ticket { return first.take() }
    guard let index = others.firstIndex(where: { $0.ticket == ticket }) else { return nil }
    return others.remove(at: index).waiter
  }

  @inlinable
  mutating func resumeAll() {
    if let waiter = first.take() { waiter.resume() }
    if !others.isEmpty { resumeOthers() }
  }

  @usableFromInline
  mutating func resumeOthers() {
    let waiting = others
    others = []
    for (_, waiter) in waiting { waiter.resume() }
  }
}
