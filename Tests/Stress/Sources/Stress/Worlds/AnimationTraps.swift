// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Foundation

/// What is released, cancelled or awaited where nothing knows the actor.
@MainActor let traps: [Program] = [
  Program("cancelled-token-main") { while $0.next() { await cancelTokensElsewhere(on: MainActor.shared) } },
  Program("cancelled-token-executor") { while $0.next() { await cancelTokensElsewhere(on: ThreadHome()) } },
  Program("awaiting-actors") { while $0.next() { await awaitAcrossActors() } },
]

/// A client's own animator, which does with each animation what animators do: keeps it, forgets it, finishes it, or hands
/// it to another thread, which drops it.
final class CarelessAnimator: TransitionAnimator {
  /// An animation keeps its container, and that its animator, which therefore must not keep the animation.
  final class Shelf {
    var animations: [TransitionAnimation] = []
  }

  private weak let shelf: Shelf?
  private var number = Int.random(in: 0..<60)

  init(_ shelf: Shelf) { self.shelf = shelf }

  func animate(_ animation: TransitionAnimation) {
    number += 1
    switch number % 5 {
    case 0: break
    case 1: animation.finish()
    case 2:
      animation.run()
      shelf?.animations.append(animation)
    case 3:
      var parcels = [Parcel(animation)]
      Dropper.shared.drop(&parcels)
    default:
      // The former one is released in the middle of this call.
      shelf?.animations = [animation]
    }
  }
}

/// An object on its way to another thread.
///
/// Sendable because nothing but its release happens there.
final class Parcel<Object>: @unchecked Sendable {
  private var object: Object?
  init(_ object: Object) { self.object = object }
  func open() -> Object? {
    defer { object = nil }
    return object
  }
}

/// Containers that change, appear and disappear while their animations are released everywhere.
final class AnimatorWorld: World {
  private let scene: Scene
  private var containers: [(StateContainer<Int>, CarelessAnimator.Shelf)] = []

  init(_ scene: Scene, isolation: isolated any Actor) { self.scene = scene }

  func makeParts(isolation: isolated any Actor) -> [Any] {
    let scene = scene
    let shelf = CarelessAnimator.Shelf()
    let container = StateContainer(initialState: 0, animator: CarelessAnimator(shelf)) { state in
      (0..<state % 4).map { _ in Child(scene, outlives: true) }
    }
    let delegate = ContainerListener<Int>(scene)
    container.delegate = delegate
    container.appear(animated: false)
    container.setNeedsTransition(to: 3, animated: true)
    containers.append((container, shelf))
    return [delegate]
  }

  func write(_ number: Int, isolation: isolated any Actor) {
    let (container, shelf) = containers[number % containers.count]
    container.setNeedsTransition(to: number, animated: true)
    if number % 7 == 0 { shelf.animations = [] }
    if number % 11 == 0 {
      container.disappear(animated: true)
      container.appear(animated: true)
    }
  }

  func check(owners: Int, isolation: isolated any Actor) async {
    for (_, shelf) in containers { shelf.animations = [] }
    for _ in 0..<3 { await turn(of: isolation) }
    for (container, _) in containers {
      container.disappear(animated: false)
      expect(!container.isTransitioning, "a transition has not ended with its container")
    }
    containers = []
    await scene.census.isEmpty("child")
  }
}

/// Tokens that several threads cancel and release at once, while their values change.
func cancelTokensElsewhere(on home: isolated any Actor) async {
  let census = Census()
  let input = Input(0)
  let sum = input.zip(input.map { $0 / 3 }).map { $0.0 + $0.1 }
  var tokens: [ObservedToken] = []
  for _ in 0..<ownersOfARound {
    let life = census.life("observer")
    tokens.append(
      sum.observe { _ in
        home.preconditionIsolated()
        _ = life
      })
  }
  for _ in 0..<3 {
    Task.detached { [tokens] in for token in tokens.shuffled() { token.cancel() } }
  }
  tokens = []
  var number = 0
  while number < 60 || (census.count("observer") > 0 && number < 1_000_000) {
    number += 1
    input.write(number)
  }
  await census.isEmpty()
}

/// Families of two actors whose operations await each other's keys.
func awaitAcrossActors() async {
  let (first, second) = (CountingActor(), CountingActor())
  await first.connect(second)
  await second.connect(first)
  await withTaskGroup(of: Void.self) { group in
    for key in 0..<20 {
      group.addTask { await first.load(key) }
      group.addTask { await second.load(key) }
    }
  }
  await first.end()
  await second.end()
}

private actor CountingActor {
  private weak var other: CountingActor?
  private var family: AsyncFamily<Int, Int>?

  func connect(_ other: CountingActor) {
    self.other = other
    family = AsyncFamily(isolation: self) { [weak self] key in .value { try await self?.answer(key) } }
  }

  func end() { family = nil }

  private func answer(_ key: Int) async throws -> Int? {
    guard key > 0 else { return 0 }
    await other?.load(key - 1)
    return key
  }

  func load(_ key: Int) async {
    // Held until it has ended.
    let resource = family?[key]
    await resource?.load(when: .stale)
  }
}
