// SPDX-License-Identifier: MIT
// How the generated programs of Tests/Compiler/Isolation find out where they run. A module of its own, without any setting of theirs.

import Synchronization

/// Notes where a call, its operation and its observers run.
public final class Probe: Sendable {
  /// Where it is noted.
  public enum Place: Int, Sendable, CaseIterable {
    case before, after, observer, caller
  }

  /// What an operation throws.
  public struct Broken: Error {}

  private struct State {
    var home: (any Actor)?
    var throwsNow = false
    var elsewhere: Set<Int> = []
    var seen: Set<Int> = []
  }

  /// The one of the program.
  public static let shared = Probe()
  private let state = Mutex(State())

  /// Whether the operation that runs is to throw at its end.
  public var throwsNow: Bool { state.withLock { $0.throwsNow } }

  /// A call begins.
  public func begin(_ home: any Actor, throwing: Bool) {
    state.withLock { $0 = State(home: home, throwsNow: throwing) }
  }

  /// The caller is at a place that belongs to the actor.
  public func note(_ place: Place) {
    guard let home = state.withLock({ $0.home }) else { return }
    let isHere = isOn(home)
    state.withLock {
      $0.seen.insert(place.rawValue)
      if !isHere { $0.elsewhere.insert(place.rawValue) }
    }
  }

  /// Leaves the actor of the caller, who returns to it.
  @concurrent public func leave() async {
    arrive()
  }

  /// The same, with an error.
  @concurrent public func fail() async throws {
    arrive()
    throw Broken()
  }

  /// Work that is done elsewhere: to a function without any, the optimizer need not leave the actor.
  private func arrive() {
    state.withLock { _ in }
  }

  /// - Returns: The places that were elsewhere, and those that were not reached.
  public func end() -> (elsewhere: [String], missing: [String]) {
    state.withLock { state in
      let places = Place.allCases
      let result = (
        places.filter { state.elsewhere.contains($0.rawValue) }.map { "\($0)" },
        places.filter { !state.seen.contains($0.rawValue) }.map { "\($0)" }
      )
      state = State()
      return result
    }
  }

  private func isOn(_ actor: any Actor) -> Bool {
    nonisolated(unsafe) var isHere = false
    let make: (isolated any Actor) -> Void = { actor in
      Task.immediate {
        _ = actor
        isHere = true
      }
    }
    // `isolated` is no part of how a function is called. A task that is made on its actor begins at once, and one that is made
    // elsewhere later.
    withoutActuallyEscaping(make) { unsafeBitCast($0, to: ((any Actor) -> Void).self)(actor) }
    return isHere
  }
}

/// The life of an actor: what is left when all calls have ended was kept by something.
public final class Life: Sendable {
  private static let present = Mutex<[String: Int]>([:])
  /// Says that none is present any more.
  private static let emptied = AsyncStream<Void>.makeStream()
  private let name: String

  public init(_ name: String) {
    self.name = name
    Self.present.withLock { $0[name, default: 0] += 1 }
  }

  deinit {
    let isLast = Self.present.withLock { [name] in
      $0[name, default: 0] -= 1
      if $0[name] == 0 { $0[name] = nil }
      return $0.isEmpty
    }
    if isLast { Self.emptied.continuation.yield() }
  }

  /// The names of those that are left, when the tasks that have ended have been given the time to release them.
  public static func left() async -> [String] {
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        if present.withLock({ $0.isEmpty }) { return }
        for await _ in emptied.stream where present.withLock({ $0.isEmpty }) { return }
      }
      // What is kept for ever gives no sign of it, so the wait for the others has a limit. It decides nothing else.
      group.addTask { try? await Task.sleep(for: .seconds(2)) }
      await group.next()
      group.cancelAll()
    }
    return present.withLock { $0.keys.sorted() }
  }
}
