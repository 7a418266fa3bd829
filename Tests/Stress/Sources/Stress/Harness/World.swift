// SPDX-License-Identifier: MIT
/// The objects of one round that live on one actor, and the work there while others are released.
protocol World: AnyObject, SendableMetatype {
  init(_ scene: Scene, isolation: isolated any Actor)

  /// Makes what an owner has. Nothing else holds it.
  func makeParts(isolation: isolated any Actor) -> [Any]

  /// Works while owners are released elsewhere. A number says how often it has.
  func write(_ number: Int, isolation: isolated any Actor)

  /// Called when all owners are released, and the actor has had its turn.
  func check(owners: Int, isolation: isolated any Actor) async
}

extension World {
  func write(_ number: Int, isolation: isolated any Actor) {}
  func check(owners: Int, isolation: isolated any Actor) async {}
}

let ownersOfARound = 20

/// Makes owners on an actor, and releases them elsewhere while that actor works.
func releaseElsewhere<W: World>(_ world: W.Type, on home: isolated any Actor) async {
  let scene = Scene(home: home)
  let world = W(scene, isolation: home)
  var owners: [Owner] = []
  for _ in 0..<ownersOfARound { owners.append(Owner(world.makeParts(isolation: home), scene.census.life("owner"))) }
  // Half of the rounds, what has begun gets a turn before the release.
  if Bool.random() { await turn(of: home) }
  Dropper.shared.drop(&owners)
  var number = 0
  while number < 60 || (scene.census.count("owner") > 0 && number < 1_000_000) {
    world.write(number, isolation: home)
    number += 1
  }
  await scene.census.isEmpty("owner")
  // Whatever the releases have left to the actor is in its queue by now.
  for _ in 0..<3 { await turn(of: home) }
  scene.released()
  for number in 0..<5 { world.write(number, isolation: home) }
  await world.check(owners: ownersOfARound, isolation: home)
  await leave(consume world, scene)
}

/// The same with an actor of its own for each owner, which is released with its properties.
@MainActor
func releaseActors<W: World>(_ world: W.Type) async {
  let census = Census()
  var actors: [OwningActor] = []
  var scenes: [Scene] = []
  for _ in 0..<ownersOfARound {
    let actor = OwningActor(census.life("actor"))
    let scene = Scene(home: actor)
    await actor.adopt { home in
      let world = W(scene, isolation: home)
      return world.makeParts(isolation: home) + [world]
    }
    actors.append(actor)
    scenes.append(scene)
  }
  Dropper.shared.drop(&actors)
  // A load that runs on an actor keeps the actor, by the language: it has to end first.
  for scene in scenes { scene.answer() }
  await census.isEmpty()
  for scene in scenes { await scene.census.isEmpty() }
}

/// The world is released, and nothing may be left of it.
private func leave(_ world: consuming some World, _ scene: Scene, isolation: isolated (any Actor)? = #isolation) async {
  scene.answer()
  _ = consume world
  await scene.census.isEmpty()
}

/// Suspends until all that waited for a turn on an actor has had one, whatever its priority.
func turn(of home: isolated any Actor) async {
  await withCheckedContinuation { continuation in
    Task(priority: .background) {
      _ = home
      continuation.resume()
    }
  }
}
