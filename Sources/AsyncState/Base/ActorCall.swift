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
  // the global pool first, where tasks overtake each other. Detached, because it is no part of what the caller's task
  // does: it takes neither the priority, which would reorder the calls, nor task-local values.
  let enqueue: (isolated any Actor) -> Void = { actor in
    // Justified: the operation is called once, on the actor, and nothing else has it. Noticed: `Tests/Stress` under the
    // thread sanitizer.
    nonisolated(unsafe) let call: @isolated(any) () async -> Void = {
      _ = actor
      unsafe body.take()?()
    }
    unsafe Task.detached(operation: call)
  }
  // Justified: only the operation of the task needs the actor, and the function only makes it. Swift has no other way
  // to make an operation of an actor elsewhere. `isolated` is no part of how a function is called: the standard library
  // casts `assumeIsolated`'s closure like this. Noticed: `ActorCallTests` (1.8), every program of `Tests/Stress`.
  unsafe unsafeBitCast(enqueue, to: ((any Actor) -> Void).self)(actor)
}
