// SPDX-License-Identifier: MIT
import Synchronization

/// The use of a store by an outbox: one at a time, in the order in which they began. The next one takes the store over: it waits
/// until those before it have ended, and these begin nothing any more.
final class OutboxStoreUse: Sendable {
  private struct State {
    /// True if its outbox was released, and uses the store only to complete its work.
    var isReleased = false
    var isOver = false
    var waiting: [SuspendedCall] = []
    /// Closes its outbox.
    var close: ActorCallback?
  }

  // Justified: outboxes of different actors may have one store. No code of the user's runs under a lock. Noticed:
  // `OutboxTests` (17.10).
  private static let lines = Mutex<[String: [OutboxStoreUse]]>([:])

  /// What stores do not have, by place: the next outbox there begins with it.
  // Justified: as above. Noticed: as there.
  private static let owing = Mutex<[String: (rest: OutboxRest, inputs: ActorBound<Any>?)]>([:])

  private let place: String
  // Justified: as above; an outbox is released on any thread. Noticed: as there.
  private let state = Mutex(State())

  init(_ place: String) {
    self.place = place
  }

  /// - Parameter close: Closes the outbox when another one takes the store over.
  func follow(_ close: ActorCallback) { state.withLock { $0.close = close } }

  /// Suspends until no other outbox uses the store.
  func begin(isolation: isolated any Actor) async {
    let former = standInLine()
    for other in former { other.giveUp(to: isolation) }
    for other in former { await unsafe withUnsafeContinuation { unsafe other.wait(SuspendedCall($0)) } }
  }

  /// - Returns: Those before it in the line.
  private func standInLine() -> ArraySlice<OutboxStoreUse> {
    Self.lines.withLock { lines in
      var line = lines[place] ?? []
      if !line.contains(where: { $0 === self }) { line.append(self) }
      lines[place] = line
      return line.prefix { $0 !== self }
    }
  }

  private func wait(_ call: SuspendedCall) {
    let isOver = state.withLock { state in
      if !state.isOver { state.waiting.append(call) }
      return state.isOver
    }
    if isOver { call.resume() }
  }

  func release() {
    state.withLock { $0.isReleased = true }
  }

  var isReleased: Bool { state.withLock { $0.isReleased } }

  /// What the previous use of the place has left. It says it once, and the inputs only on the actor that they belong to.
  func takeRest(isolation: isolated any Actor) -> (rest: OutboxRest, inputs: Any?) {
    let left = Self.owing.withLock { $0.removeValue(forKey: place) }
    return (left?.rest ?? OutboxRest(), left?.inputs?.object(isolation: isolation))
  }

  /// Ends the use, and lets the next one begin.
  ///
  /// - Parameters:
  ///   - rest: What the store does not have.
  ///   - inputs: The same, of inputs.
  func end(leaving rest: OutboxRest, _ inputs: ActorBound<Any>? = nil) {
    let (waiting, wasOver) = state.withLock { state in
      defer { (state.waiting, state.isOver) = ([], true) }
      return (state.waiting, state.isOver)
    }
    // Before the next one begins.
    if !wasOver, !rest.isEmpty || inputs != nil { Self.owing.withLock { $0[place] = (rest, inputs) } }
    Self.lines.withLock { lines in
      let line = lines[place]?.filter { $0 !== self } ?? []
      lines[place] = line.isEmpty ? nil : line
    }
    for call in waiting { call.resume() }
  }

  /// Another outbox takes the store over.
  private func giveUp(to actor: any Actor) {
    let (wasReleased, close) = state.withLock { state in
      defer { state.isReleased = true }
      return (state.isReleased, state.close)
    }
    if wasReleased { return }
    AsyncStateWarnings.warn(
      """
      AsyncState: two AsyncOutbox objects use the store \(place). The first one is closed: what is performed there fails with \
      OutboxError.closed, and the second one sends what is stored. Create one outbox for each store, where the app keeps what it \
      is made of, and pass it to the screens.
      """)
    close?.call(from: actor)
  }
}
