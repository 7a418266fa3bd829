// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct OutdatedLoadTests {
    let stage = LoadStage()
    var data: AsyncData<Int> { stage.data }

    /// Data with a load that began before an invalidation, and calls that wait for the next one.
    private func outdated(_ calls: Int) async -> (first: LoadTask<Int>, later: [LoadTask<Int>]) {
      let first = data.start(id: "a", operation: stage.waits())
      await stage.gate.arrived(1)
      data.invalidate()
      return (first, (0..<calls).map { _ in data.start(.refresh, id: "a", operation: stage.waits()) })
    }

    @Test(
      "3.5 a call made after an invalidation gets the answer of one more load, and a call from before the first one")
    func oneMoreLoad() async {
      let (first, later) = await outdated(3)
      stage.gate.answer(call: 1, with: .success(1))
      await expectEqual(first.outcome().word, "value 1")
      await stage.gate.arrived(2)
      expectEqual(data.value, 1)
      expect(data.snapshot.isInvalidated)
      expect(data.isRunning)
      stage.gate.answer(call: 2, with: .success(2))
      for load in later { await expectEqual(load.outcome().word, "value 2") }
      expectEqual(data.value, 2)
      expect(!data.snapshot.isInvalidated)
      await stage.nothingIsLeft()
    }

    @Test("3.5, 3.12 a commit that is cancelled before it began makes no load too old to join")
    func afterWithdrawnCommit() async {
      let room = LoadGate()
      let data = AsyncData<Int>(options: LoadOptions(gate: room))
      data.value = 1
      let first = data.start(.refresh, id: "a", operation: stage.waits())
      await stage.gate.arrived(1)
      room.close()
      let waiting = Waiting { await data.mutate({ $0 += 100 }) {}.word }
      await waiting.begun()
      waiting.cancel()
      await expectEqual(waiting.end(), "cancelled")
      let second = data.start(.refresh, id: "a", operation: stage.waits())
      stage.gate.answer(call: 1, with: .success(2))
      await expectEqual(first.outcome().word, "value 2")
      await expectEqual(second.outcome().word, "value 2")
      expectEqual(stage.gate.callCount, 1)
      await stage.nothingIsLeft()
    }

    @Test("3.5, 9.13 what a superseded operation still waits for is no part of a circle")
    func supersededWaits() async {
      let (a, b) = (AsyncData<Int>(), AsyncData<Int>())
      let gate = ManualServer<Void>()
      let first = a.start(id: "a") { () async throws -> Int? in
        try await gate.wait()
        // Replaces the load of `b`, whose operation awaits this one.
        return try await b.load(id: "new") { 5 }.get()
      }
      await gate.arrived(1)
      let second = Waiting { await b.load(id: "old") { try await a.load(id: "a") { 1 }.get() } }
      await a.awaited(by: 1)
      gate.answer(call: 1, with: .success(()))
      _ = await first.outcome()
      _ = await second.end()
      expectEqual(a.value, 5)
      expectNil(a.error)
      expectEqual(b.value, 5)
    }

    enum Reader: CaseIterable { case handle, data, reset, load }

    @Test(
      "1.7, 3.3, 3.5 a reader of Observation ends the load that is about to begin: its operation does not run",
      arguments: Reader.allCases)
    func endedByReader(reader: Reader) async {
      let (first, later) = await outdated(1)
      let (data, load) = (data, later[0])
      stage.recorder.hooks = [
        {
          // The first load has ended, and the later one is about to begin.
          whenReported({ _ = data.isRunning }) {
            switch reader {
            case .handle: load.cancel()
            case .data: data.cancel()
            case .reset: data.reset()
            case .load: data.start(id: "b") { 9 }
            }
          }
        }
      ]
      first.cancel()
      await expectEqual(load.outcome().word, (reader == .load ? "superseded" : "cancelled"))
      await data.settled()
      expectEqual(data.value, (reader == .load ? 9 : nil))
      expectEqual(stage.gate.callCount, 1)
      await stage.nothingIsLeft()
    }
  }
}
