// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct OutdatedLoadTests {
    let stage = LoadStage()
    var data: AsyncData<Int> { stage.data }
    let calls = Calls()

    @MainActor final class Calls { var count = 0 }

    private func waits() -> () async throws -> Int? {
      stage.operation { [stage, calls] in
        calls.count += 1
        return try await stage.gate.wait()
      }
    }

    /// Data with a load that began before an invalidation, and calls that wait for the next one.
    private func outdated(_ calls: Int) async -> (first: LoadTask<Int>, later: [LoadTask<Int>]) {
      let first = data.start(id: "a", operation: waits())
      await stage.gate.arrived(1)
      data.invalidate()
      return (first, (0..<calls).map { _ in data.start(.refresh, id: "a", operation: waits()) })
    }

    @Test(
      "3.5 a call made after an invalidation gets the answer of one more load, and a call from before the first one")
    func oneMoreLoad() async {
      let (first, later) = await outdated(3)
      stage.gate.answer(call: 1, with: .success(1))
      await expectEqual(first.outcome().word, "value 1")
      await stage.gate.arrived(2)
      expectEqual(data.value, 1)
      #expect(data.snapshot.isInvalidated && data.isRunning)
      stage.gate.answer(call: 2, with: .success(2))
      for load in later { await expectEqual(load.outcome().word, "value 2") }
      #expect(data.value == 2 && !data.snapshot.isInvalidated)
      await stage.nothingIsLeft()
    }

    @Test("3.5, 3.12 a commit that is cancelled before it began makes no load too old to join")
    func afterWithdrawnCommit() async {
      let room = LoadGate()
      let data = AsyncData<Int>(options: LoadOptions(gate: room))
      data.value = 1
      let first = data.start(.refresh, id: "a", operation: waits())
      await stage.gate.arrived(1)
      room.close()
      let waiting = Waiting { await data.mutate({ $0 += 100 }) {}.word }
      await waiting.begun()
      waiting.cancel()
      await expectEqual(waiting.end(), "cancelled")
      let second = data.start(.refresh, id: "a", operation: waits())
      stage.gate.answer(call: 1, with: .success(2))
      await expectEqual(first.outcome().word, "value 2")
      await expectEqual(second.outcome().word, "value 2")
      expectEqual(calls.count, 1)
      await stage.nothingIsLeft()
    }

    enum Ending: CaseIterable { case cancel, reset, value, error, load }

    @Test("3.5 whatever ends all requests ends waiting calls, too, with the same outcome", arguments: Ending.allCases)
    func endsWaiting(ending: Ending) async {
      let (first, later) = await outdated(1)
      switch ending {
      case .cancel: data.cancel()
      case .reset: data.reset()
      case .value: data.value = 7
      case .error: data.error = Failure()
      case .load: data.start(id: "b", operation: stage.operation { 7 })
      }
      let expected = ending == .cancel || ending == .reset ? "cancelled" : "superseded"
      await expectEqual(first.outcome().word, expected)
      await expectEqual(later[0].outcome().word, expected)
      await data.settled()
      expectEqual(calls.count, 1)
      await stage.nothingIsLeft()
    }

    @Test(
      "3.5 of many that wait and leave in any order the earliest that is left gives the operation",
      arguments: [false, true])
    func manyCallsLeave(isPinned: Bool) async {
      let (first, _) = await outdated(0)
      var called: [Int] = []
      func load(_ number: Int) -> () async throws -> Int? {
        stage.operation {
          called.append(number)
          return number
        }
      }
      let waiting = (0..<30).map { number in
        Waiting { [data] in await data.load(id: "a", operation: load(number)).word }
      }
      for one in waiting { await one.begun() }
      let pinned = isPinned ? data.start(id: "a", operation: load(100)) : nil
      let later = Waiting { [data] in await data.load(id: "a", operation: load(200)).word }
      await later.begun()
      let leaving = isPinned ? Array(waiting.indices) : Array((0..<17).reversed()) + Array(20..<30)
      for number in leaving {
        waiting[number].cancel()
        await expectEqual(waiting[number].end(), "cancelled")
      }
      stage.gate.answer(call: 1, with: .success(9))
      await expectEqual(first.outcome().word, "value 9")
      let expected = isPinned ? 100 : 17
      await expectEqual(later.end(), "value \(expected)")
      if let pinned { await expectEqual(pinned.outcome().word, "value 100") }
      expectEqual(called, [expected])
      await stage.nothingIsLeft()
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
      expectEqual(calls.count, 1)
      await stage.nothingIsLeft()
    }
  }
}
