/// A callback of an actor's, that may be asked for from anywhere and runs on that actor.
///
/// Animators and pacers are called synchronously and act later; a cancelled task is noticed on any thread. This is the one
/// way back from there. The callback need not be `Sendable`: it is made on the actor and called on it.
@usableFromInline
struct ActorBound: Sendable {
  @usableFromInline let home: any Actor

  // Justified: `body` is read in one place only, which is isolated to the actor that it was made on. What it holds is let
  // go of with the last copy of this value, as with any closure that a task holds.
  @usableFromInline nonisolated(unsafe) let body: () -> Void

  /// Binds `body` to the actor that it is made on.
  @inlinable
  init(to home: any Actor, _ body: @escaping () -> Void) {
    self.home = home
    self.body = body
  }

  /// Calls the callback on its actor, when that is free.
  @usableFromInline
  func call() async {
    await call(on: home)
  }

  private func call(on home: isolated any Actor) {
    body()
  }
}
