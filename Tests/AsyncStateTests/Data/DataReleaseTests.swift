// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct DataReleaseTests {
    let clock = ManualClock()
    let gate = ManualServer<Int?>()
    let census = Census()

    enum Kind: CaseIterable { case running, inBackOff, waitingForTheNextLoad, begunByHand }

    /// An operation that is known to be alive until its task releases it.
    private func waits() -> () async throws -> Int? {
      let life = census.newLife()
      return { [gate] in
        defer { withExtendedLifetime(life) {} }
        return try await gate.wait()
      }
    }

    /// Loads of this kind, with an operation that has begun where there is one.
    private func loads(
      _ kind: Kind, on data: AsyncData<Int>, _ pending: inout [PendingLoad<Int>]
    ) async -> [LoadTask<Int>] {
      switch kind {
      case .running:
        let load = data.start(options: LoadOptions(timeout: .seconds(9)), operation: waits())
        await gate.arrived(1)
        return [load]
      case .inBackOff:
        let load = data.start(options: LoadOptions(retry: RetryPolicy { _ in .seconds(5) }, timeout: .seconds(9))) {
          throw Failure()
        }
        await clock.sleepers(atLeast: 2)
        return [load]
      case .waitingForTheNextLoad:
        let first = data.start(id: "a", operation: waits())
        await gate.arrived(1)
        data.invalidate()
        return [first, data.start(id: "a", operation: waits())]
      case .begunByHand:
        let load = data.begin()
        pending.append(load)
        return [load.task]
      }
    }

    @Test(
      "1.8 data released on another thread: calls that await a load get .cancelled, no callback follows, nothing is left",
      arguments: Kind.allCases)
    func data(kind: Kind) async {
      var data: AsyncData<Int>? = AsyncData(options: LoadOptions(clock: clock))
      let released = Weak(data)
      let recorder = DataRecorder(data!)
      var observed = 0
      let token = data!.observed.observe { _ in
        MainActor.preconditionIsolated()
        observed += 1
      }
      var pending: [PendingLoad<Int>] = []
      let loads = await loads(kind, on: data!, &pending)
      let calls = loads.map { load in
        Waiting {
          let outcome = await load.outcome()
          MainActor.preconditionIsolated()
          return outcome.word
        }
      }
      for call in calls { await call.begun() }
      _ = recorder.takeFlags()
      observed = 0
      let dropped = Dropped(data.take()!)
      await Task.detached { dropped.release() }.value
      for call in calls { await expectEqual(call.end(), "cancelled") }
      expectNil(released.object)
      expectEqual(recorder.takeFlags(), "")
      expectEqual(observed, 0)
      await census.isEmpty()
      expectEqual(clock.sleeperCount, 0)
      // What the handle does now has no effect.
      for load in loads {
        load.cancel()
        await expectEqual(load.outcome().word, "cancelled")
      }
      for load in pending { load.succeed(with: 1) }
      token.cancel()
    }

    @Test("1.8 data released on their actor end their load before the release returns")
    func onTheActor() async {
      var data: AsyncData<Int>? = AsyncData(options: LoadOptions(clock: clock))
      let load = data!.start(options: LoadOptions(timeout: .seconds(9)), operation: waits())
      await gate.arrived(1)
      data = nil
      load.cancel()
      await expectEqual(load.outcome().word, "cancelled")
      await census.isEmpty()
      expectEqual(clock.sleeperCount, 0)
    }

    @Test("1.8 data, or a handle, that is a property of an actor does not keep it; with a load it does until that ends")
    func actor() async {
      actor Session {
        let data = AsyncData<Int>()
        let life: Census.Life
        init(_ life: Census.Life) { self.life = life }
        var pending: PendingLoad<Int>?
        func begin() { pending = data.begin() }
        func load() async -> String { await data.load(isolation: self) { 1 }.word }
        func start(_ gate: ManualServer<Int?>) { data.start(isolation: self) { try await gate.wait() } }
      }
      let sessions = Census()
      await expectEqual(Session(sessions.newLife()).load(), "value 1")
      await sessions.isEmpty()
      await Session(sessions.newLife()).begin()
      await sessions.isEmpty()
      await Session(sessions.newLife()).start(gate)
      await gate.arrived(1)
      gate.answer(call: 1, with: .success(1))
      await sessions.isEmpty()
    }
  }
}
