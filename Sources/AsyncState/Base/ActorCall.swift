// SPDX-License-Identifier: MIT
/// Calls `body` on `actor` as soon as the actor is free, in the order of the calls.
///
/// It may be called on any thread, from a `deinit` or a cancellation handler. It never calls `body` itself: neither a
/// thread nor a task says which actor it is on. A caller that the compiler knows to be on the actor does its work at
/// once instead. `body`, and what only it captures, is released on the actor.
package func perform(on actor: any Actor, _ body: consuming @escaping () -> Void) {
  // Justified: the region of `body` is handed over to the actor. The caller's promise is that what it captures belongs
  // to that actor, or to no actor. Noticed: `Tests/Stress` under the thread sanitizer.
  nonisolated(unsafe) var body: (() -> Void)? = consume body
  // A task with an isolated operation is enqueued on its actor directly; one that awaited the actor would pass through
  // the global pool first, where tasks overtake each other. Detached, because it is no part of the work of the caller's
  // task: it takes neither the priority, which would reorder the calls, nor task-local values.
  makeOperation(of: actor) { actor in
    // Justified: the operation is called once, on the actor, and nothing else has it. Noticed: `Tests/Stress` under the
    // thread sanitizer.
    nonisolated(unsafe) let call: @isolated(any) () async -> Void = {
      _ = actor
      unsafe body.take()?()
    }
    unsafe Task.detached(operation: call)
  }
}

/// Stops if the caller is not on `actor`.
///
/// - Parameter message: The text that the process stops with, in release builds, too.
func stopElsewhere(than actor: any Actor, _ message: (any Actor) -> String) {
  // The check of the system stops inside, with a text of its own or with none at all.
  if isCertainlyElsewhere(than: actor) { fatalError(message(actor)) }
  actor.preconditionIsolated(message(actor))
}

/// True if the task that runs is certainly not on `actor`. False where this cannot be known: also if the actor is idle, and runs
/// the task below before this has read the flag. The check of the system stops the process then, in its own words.
private func isCertainlyElsewhere(than actor: any Actor) -> Bool {
  guard #available(macOS 26.4, iOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *) else { return false }
  // Outside of a task, and for an executor of the user's, the check of the system may know more.
  // Justified: neither is kept. Noticed: `ReporterElsewhereTests` (1.8).
  let isInTask = unsafe withUnsafeCurrentTask { unsafe $0 != nil }
  let executor: AnyObject? = unsafe actor.unownedExecutor.asSerialExecutor()
  // An actor without an executor of its own is its own.
  guard isInTask, executor == nil || executor === actor || actor === MainActor.shared else { return false }
  // An object, because the task may outlive this call.
  let hasBegun = Flag()
  makeOperation(of: actor) { actor in
    // It begins at once where this is on the actor.
    Task.immediate {
      _ = actor
      hasBegun.set()
    }
  }
  return !hasBegun.isSet
}

/// Calls `make`, which makes an operation of the actor, and uses nothing that belongs to it: this may be elsewhere.
private func makeOperation(of actor: any Actor, _ make: (isolated any Actor) -> Void) {
  withoutActuallyEscaping(make) { make in
    // Justified: only the operation needs the actor. Swift has no other way to make an operation of an actor elsewhere.
    // `isolated` is no part of how a function is called: the standard library casts `assumeIsolated`'s closure like this.
    // Noticed: `ActorCallTests` (1.8), every program of `Tests/Stress`.
    unsafe unsafeBitCast(make, to: ((any Actor) -> Void).self)(actor)
  }
}
