// SPDX-License-Identifier: MIT
import Synchronization

/// Decides whether requests may be sent, and how many at a time: closed while offline, in the background, or logged out. One
/// object for all options.
///
/// ```swift
/// let online = LoadGate(width: 6)
/// let options = LoadOptions(retry: .exponential(), gate: online)
/// let articles = AsyncFamily(options: options) { id in try await service.article(id) }
/// // From a reachability monitor, on any actor:
/// online.close()
/// online.open()
/// ```
///
/// While it is closed, everything created with these options waits: loads, attempts after a failure, page requests, commits of
/// optimistic changes, mutations and outboxes. A request that is cancelled or superseded while it waits never begins; its
/// timeout does not run. ``AsyncResource/isWaiting`` is true while a load waits, and the status of data without a value or an error is
/// `waiting`.
///
/// With a `width`, at most so many requests run at a time, first come, first served. A load that waits for that is displayed as
/// loading. What an operation awaits that was let in passes the width, and does not count: an operation that gets a token with
/// the same options needs one place for both.
///
/// Closing it interrupts nothing: an attempt that has begun continues.
///
/// A gate belongs to no actor and can be used on any thread. Waiting requests continue on their own actor when it is free.
public final class LoadGate: Sendable {
  // Justified: no code of the user's runs under the lock. Noticed: `GateModelTests` (3.17), `gate` of `Tests/Stress`.
  private let state: Mutex<State>
  /// The number of requests that run at a time; nil: any number.
  let width: Int?

  private struct State {
    var line: GateLine
    /// The number of times it was opened or closed.
    var changeCount = 0
    var calls: [Int: SuspendedCall] = [:]
    var followers: [WeakReference<ActorCallback>] = []

    /// Lets in the requests that may begin.
    mutating func letIn() -> [SuspendedCall] { line.letIn().compactMap { calls.removeValue(forKey: $0) } }
  }

  /// A gate.
  ///
  /// - Parameters:
  ///   - isOpen: True if requests may be sent from the beginning.
  ///   - width: The number of requests that run at a time, at least one; nil: any number.
  public init(isOpen: Bool = true, width: Int? = nil) {
    self.width = width.map { max($0, 1) }
    state = Mutex(State(line: GateLine(isOpen: isOpen, width: width)))
  }

  /// True while requests may be sent.
  public var isOpen: Bool { state.withLock { $0.line.isOpen } }

  /// Lets waiting requests continue, each as soon as its actor is free and there is room, in the order in which they came.
  ///
  /// - Parameter isolation: The caller's actor. Boards and outboxes of this actor have followed when this returns,
  ///   those of others as soon as their actor is free.
  public func open(isolation: isolated (any Actor)? = #isolation) { set(true, on: isolation) }

  /// Lets no request begin from now on. An attempt that has begun continues.
  ///
  /// - Parameter isolation: The caller's actor. Boards and outboxes of this actor have followed when this returns,
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
  ///   - condition: The gate is open while this holds.
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
    let (calls, followers) = state.withLock { state -> ([SuspendedCall], [ActorCallback]) in
      guard state.line.set(isOpen: isOpen) else { return ([], []) }
      state.changeCount += 1
      state.followers.removeAll { $0.object == nil }
      var calls = state.letIn()
      // All waiting calls continue, to notice the change.
      calls += state.calls.sorted { $0.key < $1.key }.map(\.value)
      state.calls = [:]
      return (calls, state.followers.compactMap(\.object))
    }
    for call in calls { call.resume() }
    for follower in followers { follower.call(from: home) }
  }

  /// The number of inputs that an outbox sends at a time, where its gate has no width.
  static var automaticWidth: Int { 4 }

  /// The number of times it was opened or closed.
  var changeCount: Int { state.withLock { $0.changeCount } }

  // MARK: Waiting

  /// A reason for a request to wait.
  enum Obstacle: Equatable {
    case closed
    /// It is open, and there is no room.
    case full
  }

  /// The reason for which a request would have to wait; nil: it may begin now.
  ///
  /// - Parameter gates: Those of which it passes the width.
  func obstacle(passing gates: [LoadGate]) -> Obstacle? {
    let passes = gates.contains { $0 === self }
    return state.withLock { state in
      if !state.line.isOpen { return .closed }
      return passes || state.line.hasRoom ? nil : .full
    }
  }

  /// A request takes its place at the gate.
  ///
  /// - Parameter gates: Those of which it passes the width.
  /// - Returns: Its place, which it must leave in any case; nil: it begins, and need not leave.
  func enter(passing gates: [LoadGate] = []) -> GatePlace? {
    let passes = gates.contains { $0 === self }
    let ticket = state.withLock { state -> Int? in
      if width == nil, state.line.isOpen { return nil }
      let ticket = state.line.add(passes: passes)
      // No other request can be let in: each change lets in those that may begin.
      _ = state.line.letIn()
      return ticket
    }
    return ticket.map { GatePlace(gate: self, ticket: $0) }
  }

  /// The reason for which a request waits, with the count of the gate's changes; nil: it has begun.
  func look(_ ticket: Int) -> (obstacle: Obstacle, change: Int)? {
    state.withLock { state in
      if state.line.begin(ticket) { return nil }
      return (state.line.isOpen ? .full : .closed, state.changeCount)
    }
  }

  /// Suspends until the request is let in, the gate has changed, the request has left, or its task is cancelled.
  func wait(as ticket: Int, since change: Int, isolation: isolated any Actor) async {
    await untilResumed(isolation: isolation) {
      keep($0, as: ticket, since: change)
    } onCancel: {
      leave(ticket)
    }
  }

  private func keep(_ call: SuspendedCall, as ticket: Int, since change: Int) {
    let isWaiting = state.withLock { state in
      guard state.changeCount == change, state.line.isWaiting(ticket) else { return false }
      state.calls[ticket] = call
      return true
    }
    if !isWaiting { call.resume() }
  }

  /// Removes a request that has ended or does not wait any more: others get its room. Does nothing the second time.
  func leave(_ ticket: Int) {
    update { state in
      state.line.remove(ticket)
      return state.calls.removeValue(forKey: ticket)
    }
  }

  /// Lets a request pass the width, also if it waits already.
  func pass(_ ticket: Int) {
    update { state in state.line.pass(ticket) ? state.calls.removeValue(forKey: ticket) : nil }
  }

  /// True if the operation of a request runs, or is about to begin.
  func isInside(_ ticket: Int) -> Bool { state.withLock { $0.line.isInside(ticket) } }

  /// Changes the state, and lets in the requests that may begin then.
  ///
  /// - Parameter change: Returns a call that does not wait any more.
  private func update(_ change: (inout State) -> SuspendedCall?) {
    let (call, others) = state.withLock { state in
      let call = change(&state)
      return (call, state.letIn())
    }
    call?.resume()
    for other in others { other.resume() }
  }

  /// Suspends until the gate is open, or the task is cancelled. For a gate without a width.
  func pass(isolation: isolated any Actor) async {
    guard let place = enter() else { return }
    await place.wait(isolation: isolation)
    place.leave()
  }

  /// The number of requests that wait.
  var waitingCount: Int { state.withLock { $0.line.waitingCount } }

  /// The number of requests that have room, without those that have passed the width.
  var roomCount: Int { state.withLock { $0.line.count } }

  // MARK: Following

  /// Calls `body` on an actor when the gate has opened or closed, as long as the follower is held.
  func follower(on home: any Actor, _ body: @escaping () -> Void) -> ActorCallback {
    let follower = ActorCallback(on: home, body)
    state.withLock { $0.followers.append(WeakReference(follower)) { $0.object == nil } }
    return follower
  }
}

extension LoadGate: CustomStringConvertible {
  /// The state of the gate, and the number of requests that wait.
  public var description: String {
    let (isOpen, count) = state.withLock { ($0.line.isOpen, $0.line.waitingCount) }
    if !isOpen { return "LoadGate: closed, \(count) waiting" }
    return count == 0 ? "LoadGate: open" : "LoadGate: open, \(count) waiting"
  }
}
