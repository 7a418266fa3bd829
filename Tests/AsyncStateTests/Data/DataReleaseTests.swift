// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct DataReleaseTests {
    let stage = LoadStage()

    enum Kind: CaseIterable { case running, inBackOff, waitingForTheNextLoad, begunByHand }

    /// Loads of this kind, with an operation that has begun where there is one.
    private func loads(
      _ kind: Kind, on data: AsyncData<Int>, _ pending: inout [PendingLoad<Int>]
    ) async -> [LoadTask<Int>] {
      switch kind {
      case .running:
        let load = data.start(options: LoadOptions(timeout: .seconds(9)), operation: stage.waits())
        await stage.gate.arrived(1)
        return [load]
      case .inBackOff:
        let load = data.start(options: LoadOptions(retry: RetryPolicy { _ in .seconds(5) }, timeout: .seconds(9))) {
          throw Failure()
        }
        await stage.clock.sleepers(atLeast: 2)
        return [load]
      case .waitingForTheNextLoad:
        let first = data.start(id: "a", operation: stage.waits())
        await stage.gate.arrived(1)
        data.invalidate()
        return [first, data.start(id: "a", operation: stage.waits())]
      case .begunByHand:
        let load = data.begin()
        pending.append(load)
        return [load.task]
      }
    }

    @Test(
      "1.8 data released on its actor or elsewhere: calls that await a load get .cancelled, no callback follows, nothing is left",
      arguments: Kind.allCases, [false, true])
    func data(kind: Kind, isElsewhere: Bool) async {
      var data: AsyncData<Int>? = AsyncData(options: LoadOptions(clock: stage.clock))
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
      if isElsewhere { await dropped.releaseElsewhere() } else { dropped.release() }
      for call in calls { await expectEqual(call.end(), "cancelled") }
      expectNil(released.object)
      expectEqual(recorder.takeFlags(), "")
      expectEqual(observed, 0)
      await stage.nothingIsLeft()
      // What the handle does now has no effect.
      for load in loads {
        load.cancel()
        await expectEqual(load.outcome().word, "cancelled")
      }
      for load in pending { load.succeed(with: 1) }
      token.cancel()
    }

    @Test("1.8 data, or a handle, that is a property of an actor does not keep it; with a load it does until that ends")
    func actor() async {
      actor Session {
        let data = AsyncData<Int>()
        let life: Census.Life
        init(_ life: Census.Life) { self.life = life }
        var pending: PendingLoad<Int>?
        func begin() { pending = data.begin() }
        func start(_ gate: ManualServer<Int?>) { data.start(isolation: self) { try await gate.wait() } }
      }
      let sessions = Census()
      await Session(sessions.newLife()).begin()
      await sessions.isEmpty()
      await Session(sessions.newLife()).start(stage.gate)
      await stage.gate.arrived(1)
      stage.gate.answer(call: 1, with: .success(1))
      await sessions.isEmpty()
    }
  }
}
