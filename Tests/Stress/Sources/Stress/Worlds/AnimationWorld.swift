// SPDX-License-Identifier: MIT
import AsyncState

/// A client's own animator, which does with each animation what animators do: keeps it, forgets it, finishes it, or hands
/// it to another thread, which drops it.
final class CarelessAnimator: TransitionAnimator {
  /// An animation keeps its container, and that its animator, which therefore must not keep the animation.
  final class Shelf {
    var animations: [TransitionAnimation] = []
  }

  private weak let shelf: Shelf?
  private let scene: Scene
  private var number = Int.random(in: 0..<60)

  init(_ shelf: Shelf, _ scene: Scene) {
    self.shelf = shelf
    self.scene = scene
  }

  func animate(_ animation: TransitionAnimation) {
    number += 1
    switch number % 5 {
    case 0: break
    case 1: animation.finish()
    case 2:
      animation.run()
      shelf?.animations.append(animation)
    case 3:
      var parcels = [Parcel(animation, scene.census.life("parcel"))]
      Dropper.shared.drop(&parcels)
    default:
      // The former one is released in the middle of this call.
      shelf?.animations = [animation]
    }
  }
}

/// An animation on its way to another thread.
///
/// Sendable because nothing but its release happens there.
private final class Parcel: @unchecked Sendable {
  private let animation: TransitionAnimation
  /// It ends when the animation is released.
  private let life: Census.Life

  init(_ animation: TransitionAnimation, _ life: Census.Life) {
    self.animation = animation
    self.life = life
  }
}

/// Containers that change, appear and disappear while their animations are released everywhere: one that is released counts as
/// finished.
final class AnimationWorld: World {
  private let scene: Scene
  private var containers: [(StateContainer<Int>, CarelessAnimator.Shelf)] = []

  init(_ scene: Scene, isolation: isolated any Actor) { self.scene = scene }

  func makeParts(isolation: isolated any Actor) -> [Any] {
    let scene = scene
    let shelf = CarelessAnimator.Shelf()
    let container = StateContainer(initialState: 0, animator: CarelessAnimator(shelf, scene)) { state in
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
    // The transition that was begun last, and the one that waits for its end.
    for _ in 0..<2 {
      for (_, shelf) in containers { shelf.animations = [] }
      await scene.census.isEmpty("parcel")
      for _ in 0..<3 { await turn(of: isolation) }
    }
    for (container, _) in containers {
      expect(!container.isTransitioning, "a transition has not ended with the animations that were released")
      let count = container.children.count
      expect(count == container.currentState % 4, "\(count) children at rest in state \(container.currentState)")
      container.disappear(animated: false)
      expect(!container.isTransitioning, "a transition has not ended with its container")
    }
    containers = []
    await scene.census.isEmpty("child")
  }
}
