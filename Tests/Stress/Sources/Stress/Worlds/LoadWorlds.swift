// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting

/// Data in the middle of a load, of each kind.
final class LoadWorld: World {
  private struct Broken: Error {}

  private let scene: Scene
  private let clock = ManualClock()
  private var made = Int.random(in: 0..<4)
  private var gates: [ManualServer<Int>] = []

  init(_ scene: Scene, isolation: isolated any Actor) {
    self.scene = scene
    scene.moveAtEnd(clock)
  }

  /// Every second one is a request with an end of its own.
  private var options: LoadOptions {
    switch made % 4 {
    case 2: LoadOptions(staleAfter: .seconds(1), retry: .exponential(retries: 3), clock: clock)
    case 3: LoadOptions(staleAfter: .seconds(1), timeout: .seconds(3), clock: clock)
    default: LoadOptions(staleAfter: .seconds(1), clock: clock)
    }
  }

  func makeParts(isolation: isolated any Actor) -> [Any] {
    made += 1
    let data = AsyncData<Int>(seed: 0, options: options)
    let listener = Listener<Int>(scene)
    data.delegate = listener
    let scene = scene
    let life = scene.census.life("observer")
    let token = data.observed.map(\.value).observe { _ in
      _ = life
      scene.called("observer of data")
    }
    let handle = startLoad(data, isolation: isolation)
    let waiting = scene.census.life("awaited outcome")
    Task {
      _ = isolation
      let outcome = await handle.outcome(isolation: isolation)
      scene.called("outcome", outlives: true)
      scene.ended("\(outcome)")
      withExtendedLifetime(waiting) {}
    }
    return [data, listener, token, handle]
  }

  private func startLoad(_ data: AsyncData<Int>, isolation: isolated any Actor) -> LoadTask<Int> {
    let scene = scene
    let life = scene.census.life("operation")
    let gate = ManualServer<Int>(ignoresCancellation: made % 4 == 1)
    gates.append(gate)
    // One that ignores its cancellation ends when it is answered, at the end of the round.
    scene.atEnd { gate.answer(call: 1, with: .failure(Broken())) }
    switch made % 4 {
    case 0, 1:
      return data.start(.refresh, isolation: isolation) {
        _ = life
        return try await gate.wait()
      }
    case 2:
      return data.start(.reload, isolation: isolation) {
        _ = life
        scene.called("operation")
        throw Broken()
      }
    default:
      return data.start(.refresh, isolation: isolation) {
        (reporter: LoadReporter<Int>) in
        _ = life
        try reporter.yield(7)
        reporter.report(progress: 0.5)
        return try await gate.wait()
      }
    }
  }

  func write(_ number: Int, isolation: isolated any Actor) {
    // Answers race with releases: only one of both counts.
    let gate = number / 3
    if number % 3 == 0, gate < gates.count { gates[gate].answer(call: 1, with: .success(number)) }
  }

  func check(owners: Int, isolation: isolated any Actor) async {
    scene.answer()
    await scene.census.isEmpty("awaited outcome")
    await scene.census.isEmpty("operation")
    await scene.census.isEmpty("observer")
    await clock.advance(by: .seconds(100))
    expect(clock.sleeperCount == 0, "\(clock.sleeperCount) sleepers are left")
    let outcomes = scene.outcomes
    expect(outcomes.values.reduce(0, +) == owners, "\(owners) loads, and these outcomes: \(outcomes)")
    let unexpected = outcomes.keys.filter { $0 != "cancelled" && !$0.hasPrefix("value(") }
    expect(unexpected.isEmpty, "a load that was released ended with \(unexpected)")
  }
}

/// Data of which the user's tasks hold something: structured loads, polling and changes that wait for their commit.
final class TaskWorld: World {
  private let scene: Scene
  private let clock = ManualClock()

  init(_ scene: Scene, isolation: isolated any Actor) { self.scene = scene }

  func makeParts(isolation: isolated any Actor) -> [Any] {
    let scene = scene
    let data = AsyncData<[Int]>(options: LoadOptions(clock: clock))
    data.value = []
    let listener = Listener<[Int]>(scene)
    data.delegate = listener
    let gate = ManualServer<[Int]>()
    scene.atEnd { gate.answer(call: 1, with: .success([])) }
    let life = scene.census.life("task")
    let load = Task {
      _ = isolation
      _ = life
      await data.load(isolation: isolation) { try await gate.wait() }
      scene.called("load", outlives: true)
    }
    let prices = AsyncResource(isolation: isolation, options: LoadOptions(clock: clock)) { .value { [1] } }
    let poll = Task {
      _ = isolation
      _ = life
      await prices.poll(every: .seconds(1), isolation: isolation)
      scene.called("poll", outlives: true)
    }
    let mutation = Task {
      _ = isolation
      _ = life
      await data.mutate(isolation: isolation) {
        $0.append(2)
      } commit: {
        _ = try await gate.wait()
      }
      scene.called("mutate", outlives: true)
    }
    return [data, listener, Canceller(load), Canceller(poll), Canceller(mutation)]
  }

  func check(owners: Int, isolation: isolated any Actor) async {
    await scene.census.isEmpty("task")
    expect(clock.sleeperCount == 0, "\(clock.sleeperCount) sleepers are left")
  }
}

/// A delegate of data, which counts as a callback.
final class Listener<Value>: AsyncDataDelegate {
  private let scene: Scene
  private let life: Census.Life

  init(_ scene: Scene) {
    self.scene = scene
    life = scene.census.life("delegate")
  }

  func asyncDataDidChange(_ data: AsyncData<Value>, forced: Bool) {
    scene.called("delegate of data")
  }
}
