// SPDX-License-Identifier: MIT
import Synchronization

/// One call of `observe`: what a token ends.
final class Observer: Link {
  /// Higher than that of every observer that was registered before, of whatever value: see `nextOrder`.
  let order: Int

  private let live = Atomic(true)

  /// What is freed when the observation ends.
  struct Held {
    var reaction: Reference<Reaction>?
    var connection: Connection?
    /// The value of the first call, if the others have yet to be called for one before it.
    var firstValue: AnyObject?
    /// Is not called for the present news.
    var isExcused = false
    /// What this is for, if it is not for a closure of the user's.
    var purpose: Purpose?
  }

  enum Purpose {
    /// Feeds a stream.
    case stream(StreamEnd)
    /// Is called before anything is brought up to date, and once more with the others.
    case early(EarlyReaction)
  }

  final class EarlyReaction {
    let call: (EarlyRound) -> Void

    init(call: @escaping (EarlyRound) -> Void) {
      self.call = call
    }
  }

  // Justified: see `Connection.state`.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  var held: Held

  init(_ reaction: Reaction, of connection: Connection, in realm: Realm) {
    order = Self.nextOrder.add(1, ordering: .relaxed).newValue
    // Justified: a closure that is called out of a variable is retained for each call, which takes as long as the call.
    // The count is given back in `dismantle`, which the rules of the realm keep apart from all calls.
    held = Held(reaction: Reference(counting: reaction), connection: connection)
    super.init(realm: realm)
  }

  deinit {
    assert(held.reaction == nil, "An observer is dismantled before its last reference is released.")
  }

  /// Registration counts through all graphs, so that observers of graphs that become connected later are in order, too.
  private static let nextOrder = Atomic(0)

  var isLive: Bool { live.load(ordering: .relaxed) }

  /// Called only by the owner's actor, inside.
  @inline(__always)
  func call(with node: GraphNode) {
    if isLive, !held.isExcused { held.reaction?.with { $0.call(node, node.state.keepsReported) } }
  }

  /// - Returns: Whether this is an early observer.
  func callEarly(in round: EarlyRound) -> Bool {
    guard isLive, case .early(let reaction) = held.purpose else { return false }
    reaction.call(round)
    return true
  }

  /// What an observer does, in an object of its own, so that the closure can be released before the observer.
  final class Reaction {
    /// Calls the user's closure with the value of a node: the one that is reported, or the present one.
    let call: (_ node: GraphNode, _ isReported: Bool) -> Void

    init(call: @escaping (GraphNode, Bool) -> Void) {
      self.call = call
    }
  }

  /// Ends the observation. Any thread; does nothing the second time.
  func end() {
    if live.exchange(false, ordering: .acquiringAndReleasing) { Realm.retire(self) }
  }

  override func dismantle() -> (first: Link?, second: Link?) {
    let former = held
    held = Held()
    forgetRealm()
    var dead: Link?
    if let connection = former.connection, connection.release(.observer) { dead = connection }
    // Code of the user's may run here, when everything is in order again.
    if let reaction = former.reaction { Disposal.release(reaction) }
    return (dead, nil)
  }
}

/// Keeps an observation, and the values that it is derived from, alive.
///
/// The observation ends when the token is cancelled or released, also while observers are being notified: the observer is
/// not called any more. A token may be cancelled and released on any thread; on another one than the owner's actor's, a
/// call that is under way meanwhile ends as if it had been made before. The observer's closure is released at once, where
/// the observation ends, unless the owner's actor is using the values; then that releases it.
public final class ObservedToken: Sendable {
  // Justified: a token only ends its observer and reads whether it lasts. Both are atomic and safe on any thread: see
  // Realm.swift.
  private nonisolated(unsafe) let observer: Observer

  init(_ observer: Observer) {
    self.observer = observer
  }

  deinit {
    observer.end()
  }

  /// Ends the observation. Does nothing the second time.
  public func cancel() {
    observer.end()
  }
}

extension ObservedToken: CustomStringConvertible {
  /// Whether the observation lasts.
  public var description: String { "ObservedToken: \(observer.isLive ? "observing" : "ended")" }
}
