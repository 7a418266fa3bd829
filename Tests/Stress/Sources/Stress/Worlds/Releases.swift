// SPDX-License-Identifier: MIT
/// Each world on the main actor, on another actor, on one with an executor of its own, and with an actor for each owner.
@MainActor let releases: [Program] =
  [
    release("load", LoadWorld.self),
    release("task", TaskWorld.self, keepsItsActor: true),
    release("token", TokenWorld.self),
    release("input", InputWorld.self, keepsItsActor: true),
    release("box", BoxWorld.self),
    release("graph", GraphWorld.self),
    release("container", ContainerWorld.self),
    release("transition", TransitionWorld.self, keepsItsActor: true),
    release("animation", AnimationWorld.self),
    release("host", HostWorld.self),
    release("list", ListWorld.self),
    release("resource", ResourceWorld.self),
    release("family", FamilyWorld.self),
    release("journal", JournalWorld.self),
  ].flatMap { $0 }

/// - Parameter keepsItsActor: Whether there are tasks on the actor that end with their owner only. By the language, such
///   a task keeps its actor, and an actor that is the owner would never go.
@MainActor
private func release<W: World>(_ name: String, _ world: W.Type, keepsItsActor: Bool = false) -> [Program] {
  let programs = everywhere(name) { (home: isolated any Actor) in await releaseElsewhere(world, on: home) }
  if keepsItsActor { return programs }
  return programs + [Program("\(name)-owner") { while $0.next() { await releaseActors(world) } }]
}
