/// Calls `body` on `actor`: before this returns if the caller is there, else as soon as the actor is free.
///
/// It may be called on any thread, from a `deinit` or a cancellation handler. `body`, and what it captures, is also
/// released on the actor. Unlike a task, which passes through the global pool first, this is enqueued on the actor
/// directly, so that calls made in an order are carried out in that order.
func perform(on actor: any Actor, _ body: @escaping () -> Void) {
  // Justified: the region of `body` is handed over to the actor. The caller's promise is that what it captures belongs
  // to that actor, or to no actor.
  nonisolated(unsafe) let body = body
  _ = Errand(on: actor, body)
}

/// A closure on its way to an actor. It is carried out when it is released, because only an isolated `deinit` runs at
/// once on its actor and is enqueued elsewhere.
private actor Errand {
  private let actor: any Actor

  // Justified: set once, before the errand is shared, and called once, on `actor`.
  private nonisolated(unsafe) let body: () -> Void

  nonisolated var unownedExecutor: UnownedSerialExecutor { actor.unownedExecutor }

  init(on actor: any Actor, _ body: @escaping () -> Void) {
    self.actor = actor
    self.body = body
  }

  isolated deinit {
    body()
  }
}
