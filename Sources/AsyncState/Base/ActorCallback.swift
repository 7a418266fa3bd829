// SPDX-License-Identifier: MIT
/// A call to make on an actor from anywhere, as long as this is held. It does not keep the actor.
final class ActorCallback: Sendable {
  private weak let home: (any Actor)?
  // Justified: called only on the actor that it belongs to. It may be released elsewhere, as what it captures is weak.
  // Noticed: `LoadGateTests` and `GateModelTests` (3.17).
  private nonisolated(unsafe) let body: () -> Void

  init(on home: any Actor, _ body: @escaping () -> Void) {
    self.home = home
    unsafe self.body = body
  }

  /// Calls it: at once if the caller is on the actor, else as soon as that is free.
  ///
  /// - Parameter actor: The actor that the caller is on for certain.
  func call(from actor: (any Actor)?) {
    guard let home else { return }
    if home === actor { return unsafe body() }
    perform(on: home) { [weak self] in unsafe self?.body() }
  }
}
