// SPDX-License-Identifier: MIT
import Synchronization

/// Whether requests may be sent by now: closed while offline, in the background, or logged out. One object for all options.
///
/// ```swift
/// let online = LoadGate()
/// let options = LoadOptions(retry: .exponential(), gate: online)
/// let articles = AsyncFamily(options: options) { id in try await service.article(id) }
/// // From a reachability monitor, on any actor:
/// online.close()
/// online.open()
/// ```
///
/// While it is closed, what was created with these options waits: loads, attempts after a failure, page requests, commits
/// of optimistic changes, mutations and outboxes. A request that is cancelled or superseded meanwhile never begins, and its
/// timeout runs. ``LoadActivity/isWaiting`` says that a load waits, and the status is `waiting` where
/// nothing is known.
///
/// Closing it interrupts nothing: an attempt that has begun continues.
///
/// A gate belongs to no actor and can be used on any thread. What waits continues on its own actor as soon as that is free.
public final class LoadGate: Sendable {
  // Justified: no code of the user's runs under the lock. Noticed: `GateModelTests` (3.17), `gate` of `Tests/Stress`.
  private let state: Mutex<State>

  private struct State {
    var isOpen: Bool
    var lastTicket = 0
    var waiters: [Int: Waiter] = [:]
    var followers: [WeakReference<ActorCallback>] = []
  }

  private enum Waiter {
    /// It is about to suspend.
    case reserved
    case suspended(SuspendedCall)

    func resume() {
      if case .suspended(let continuation) = self { continuation.resume() }
    }
  }

  /// A gate.
  public init(isOpen: Bool = true) {
    state = Mutex(State(isOpen: isOpen))
  }

  /// Whether requests may be sent.
  public var isOpen: Bool { state.withLock { $0.isOpen } }

  /// What waits continues, each as soon as its actor is free, in about the order in which it began to wait.
  ///
  /// - Parameter isolation: The caller's actor. Boards of this actor that follow the gate have opened when this returns,
  ///   those of others as soon as their actor is free.
  public func open(isolation: isolated (any Actor)? = #isolation) { set(true, on: isolation) }

  /// Nothing begins from now on. An attempt that has begun continues.
  ///
  /// - Parameter isolation: The caller's actor. Boards of this actor that follow the gate have closed when this returns,
  ///   those of others as soon as their actor is free.
  public func close(isolation: isolated (any Actor)? = #isolation) { set(false, on: isolation) }

  /// Opens and closes the gate with a condition.
  ///
  /// ```swift
  /// token = gate.follow(isOnline && !isLoggedOut)
  /// ```
  ///
  /// The last write counts: a gate follows one condition, which may combine several.
  ///
  /// - Parameters:
  ///   - condition: Whether the gate is open.
  ///   - isolation: The actor that the condition belongs to.
  /// - Returns: A token. When it is cancelled or released, the gate stays as it is.
  public func follow(
    _ condition: Observed<Bool>, isolation: isolated any Actor = #isolation
  ) -> ObservedToken {
    follow(condition, on: isolation)
  }

  /// - Parameter home: The actor that the condition belongs to, and that the caller is on.
  func follow(_ condition: Observed<Bool>, on home: any Actor) -> ObservedToken {
    let home = WeakActor(home)
    return condition.observe { [self] isOpen in set(isOpen, on: home.actor) }
  }

  /// - Parameter home: The actor that the caller is on; nil: none.
  private func set(_ isOpen: Bool, on home: (any Actor)?) {
    let (waiters, followers) = state.withLock { state -> ([Int: Waiter], [ActorCallback]) in
      guard state.isOpen != isOpen else { return ([:], []) }
      state.isOpen = isOpen
      state.followers.removeAll { $0.object == nil }
      let followers = state.followers.compactMap(\.object)
      guard isOpen else { return ([:], followers) }
      let waiters = state.waiters
      state.waiters = [:]
      return (waiters, followers)
    }
    for (_, waiter) in waiters.sorted(by: { $0.key < $1.key }) { waiter.resume() }
    for follower in followers { follower.call(from: home) }
  }

  // MARK: Waiting

  /// Adds a request that is about to suspend.
  ///
  /// - Returns: Its ticket; nil if the gate is open.
  func reserve() -> Int? {
    state.withLock { state in
      if state.isOpen { return nil }
      state.lastTicket += 1
      state.waiters[state.lastTicket] = .reserved
      return state.lastTicket
    }
  }

  /// Suspends until the gate has opened since the ticket was reserved, the request has left, or its task is cancelled.
  func wait(as ticket: Int, isolation: isolated any Actor) async {
    await untilResumed(isolation: isolation) {
      keep($0, as: ticket)
    } onCancel: {
      leave(ticket)
    }
  }

  /// Suspends until the gate is open, or the task is cancelled.
  func pass(isolation: isolated any Actor) async {
    while !Task.isCancelled, let ticket = reserve() {
      await wait(as: ticket, isolation: isolation)
      // The task may have been cancelled before it suspended.
      leave(ticket)
    }
  }

  private func keep(_ continuation: SuspendedCall, as ticket: Int) {
    let isWaiting = state.withLock { state in
      guard state.waiters[ticket] != nil else { return false }
      state.waiters[ticket] = .suspended(continuation)
      return true
    }
    if !isWaiting { continuation.resume() }
  }

  /// The request does not wait any more. Does nothing the second time.
  func leave(_ ticket: Int) {
    state.withLock { $0.waiters.removeValue(forKey: ticket) }?.resume()
  }

  /// How many requests wait.
  var waitingCount: Int { state.withLock { $0.waiters.count } }

  // MARK: Following

  /// Calls `body` on an actor when the gate has opened or closed, as long as the follower is held.
  func follower(on home: any Actor, _ body: @escaping () -> Void) -> ActorCallback {
    let follower = ActorCallback(on: home, body)
    state.withLock { $0.followers.append(WeakReference(follower)) { $0.object == nil } }
    return follower
  }
}

extension LoadGate: CustomStringConvertible {
  /// Whether it is open, and how many requests wait.
  public var description: String {
    let (isOpen, count) = state.withLock { ($0.isOpen, $0.waiters.count) }
    return "LoadGate: \(isOpen ? "open" : "closed, \(count) waiting")"
  }
}
