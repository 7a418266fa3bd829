// SPDX-License-Identifier: MIT
/// An object that belongs to an actor, on its way back to that actor from anywhere.
///
/// Animators and pacers are called synchronously and act later; a cancelled task is noticed on any thread. This is the
/// one way back from there. The object need not be `Sendable`: it lives on the actor, and is reached only there.
@usableFromInline
package struct ActorBound<Object>: Sendable {
  private let home: any Actor

  // Justified: it is read only where the code is isolated to the actor that the object lives on. It may be
  // released elsewhere, as everything that a task holds. Noticed: `Tests/Stress` under the thread sanitizer.
  private nonisolated(unsafe) let object: Object

  /// Binds `object` to the actor that it lives on.
  @usableFromInline
  package init(_ object: Object, to home: any Actor) {
    self.home = home
    unsafe self.object = object
  }

  /// Calls `body` with the object on its actor, at once if that is where this is called.
  func call(_ body: @Sendable (Object) -> Void) async {
    await call(body, on: home)
  }

  /// Calls `body` with the actor and the object. Only called on the actor: it stops the process elsewhere.
  package func callHere(_ body: @Sendable (isolated any Actor, Object) -> Void) {
    // Justified: every caller is on the actor that the object belongs to, but the compiler does not know it any more.
    // Noticed: `IsolationTests`; elsewhere the process stops.
    func open<Home: Actor>(_ home: Home) {
      home.assumeIsolated { home in unsafe body(home, object) }
    }
    open(home)
  }

  /// Calls `body` with the object on its actor, as soon as that is free.
  @usableFromInline
  package func send(_ body: @escaping @Sendable (Object) -> Void) {
    perform(on: home) { unsafe body(object) }
  }

  /// The object, if this is the actor that it lives on.
  func object(isolation: isolated any Actor) -> Object? { home === isolation ? unsafe object : nil }

  /// Calls `body` with the object here, on any thread: it uses only what is safe on all of them.
  @unsafe
  func withObject(_ body: (Object) -> Void) {
    unsafe body(object)
  }

  private func call(_ body: @Sendable (Object) -> Void, on home: isolated any Actor) {
    unsafe body(object)
  }
}
