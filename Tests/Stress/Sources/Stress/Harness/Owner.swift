// SPDX-License-Identifier: MIT
import AsyncStateTesting

/// Has objects of the library as properties, and is released wherever its last reference is dropped.
///
/// Sendable as a `@MainActor final class` is: its properties are touched on one actor only, and its `deinit` runs on any
/// thread. That the compiler takes such a class is checked by `Tests/Compiler/Accepted/ReleasedElsewhere.swift`.
final class Owner: @unchecked Sendable {
  private var parts: [Any]
  private let life: Census.Life

  init(_ parts: [Any], _ life: Census.Life) {
    self.parts = parts
    self.life = life
  }
}

/// An actor that has objects of the library as properties, and is released with them.
actor OwningActor {
  private var parts: [Any] = []
  private let life: Census.Life

  init(_ life: Census.Life) {
    self.life = life
  }

  func adopt(_ make: @Sendable (isolated OwningActor) -> [Any]) {
    parts = make(self)
  }
}

/// Ends a task with its owner, as a view does.
final class Canceller: Sendable {
  private let task: Task<Void, Never>

  init(_ task: Task<Void, Never>) { self.task = task }
  deinit { task.cancel() }
}

/// Where the objects of a world belong.
actor Home {}

/// What a round knows, wherever it is.
final class Scene: Sendable {
  let census = Census()
  private let home: WeakActor
  private let state = Locked(State())
  private let mover = Locked<Task<Void, Never>?>(nil)

  private struct State {
    var isReleased = false
    var outcomes: [String: Int] = [:]
    var answers: [@Sendable () -> Void] = []
  }

  private struct WeakActor: Sendable {
    // Justified: a weak reference that is set when the scene is made and never again.
    nonisolated(unsafe) weak var actor: (any Actor)?
  }

  init(home: any Actor) {
    self.home = WeakActor(actor: home)
  }

  /// Called by every callback of the library: it must be on the owner's actor, and not after the release.
  func called(_ what: String, outlives: Bool = false) {
    // A deallocated actor has no isolation left to break.
    home.actor?.preconditionIsolated("\(what) off its actor")
    let isLate = state.withLock { $0.isReleased && !outlives }
    if isLate { fail("\(what) after the release") }
  }

  /// From here on nothing is called any more.
  func released() {
    state.withLock { $0.isReleased = true }
  }

  /// What ends a request that nothing else has ended.
  func atEnd(_ answer: @escaping @Sendable () -> Void) {
    state.withLock { $0.answers.append(answer) }
  }

  /// What still sleeps at the end, on an actor that it keeps, wakes.
  func moveAtEnd(_ clock: ManualClock) {
    let mover = mover
    atEnd {
      mover.withLock {
        guard $0 == nil else { return }
        $0 = Task {
          while !Task.isCancelled {
            await clock.sleepers(atLeast: 1)
            await clock.advance(by: .seconds(100))
          }
        }
      }
    }
  }

  deinit { mover.withLock { $0?.cancel() } }

  func answer() {
    let answers = state.withLock { state in
      defer { state.answers = [] }
      return state.answers
    }
    for answer in answers { answer() }
  }

  func ended(_ outcome: String) {
    state.withLock { $0.outcomes[outcome, default: 0] += 1 }
  }

  var outcomes: [String: Int] { state.withLock(\.outcomes) }
}
