// SPDX-License-Identifier: MIT
import Synchronization

/// The use of a store by an outbox: one at a time. The next one waits until a released one has stored what it was given.
final class OutboxStoreUse: Sendable {
  private struct State {
    /// Its outbox was released, and uses the store only to end what it has begun.
    var isReleased = false
    var isOver = false
    var waiting: [SuspendedCall] = []
  }

  // Justified: outboxes of different actors may have one store. No code of the user's runs under either lock. Noticed:
  // `OutboxTests` (17.10).
  private static let uses = Mutex<[String: OutboxStoreUse]>([:])

  private let place: String
  // Justified: as above; an outbox is released on any thread. Noticed: as there.
  private let state = Mutex(State())

  init(_ place: String) {
    self.place = place
  }

  /// Suspends until no one else uses the store.
  func begin(isolation: isolated (any Actor)?) async {
    while let other = takePlace() {
      other.requireReleased()
      await unsafe withUnsafeContinuation { unsafe other.wait(SuspendedCall($0)) }
    }
  }

  /// - Returns: The use that has the place; nil: this one has it from now on.
  private func takePlace() -> OutboxStoreUse? {
    Self.uses.withLock { uses in
      if let other = uses[place], other !== self { return other }
      uses[place] = self
      return nil
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

  /// The store is not used any more.
  func end() {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      state.isOver = true
      return state.waiting
    }
    Self.uses.withLock { uses in if uses[place] === self { uses[place] = nil } }
    for call in waiting { call.resume() }
  }

  private func requireReleased() {
    if state.withLock({ $0.isReleased }) { return }
    fatalError(
      """
      AsyncState: two AsyncOutbox objects use the store \(place) at once. Both would send its inputs, twice and out of \
      order. Create one outbox for each store, where the app keeps what it is made of, and pass it to the screens.
      """)
  }
}
