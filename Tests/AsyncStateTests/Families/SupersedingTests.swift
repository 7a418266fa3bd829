// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// What becomes of requests that run when a tag is invalidated, and what a board requests beside families.
  @MainActor
  struct SupersedingTests: TagBoardSuite {
    @Test(
      "11.2, 14.2 a first load that hangs is superseded when its tag is invalidated, and its caller has the newer answer; what only a caller holds is not requested after that",
      arguments: [true, false])
    func hanging(isHeld: Bool) async {
      let stage = stage()
      if isHeld { stage.hold(1) }
      let call = Waiting { await stage.family[1].load().word }
      await stage.gate.arrived(1)
      // The load of a person is none of the board's.
      await stage.board?.settled()
      stage.board?.invalidate("all")
      let settling = Waiting { await stage.board?.settled() }
      await stage.gate.arrived(2)
      expectNil(settling.result)
      // This one is awaited.
      if !isHeld { stage.board?.invalidate("all") }
      stage.gate.answer(call: 2, with: .success(2))
      await expectEqual(call.end(), "value 2")
      await settling.end()
      expectEqual(stage.requests, [1, 1])
      expectEqual(isInvalidated(stage, 1), [!isHeld])
    }

    @Test(
      "11.2 a value arrives under steady invalidations: what has superseded another load is awaited, then it follows")
    func steady() async {
      let stage = stage().hold(1)
      let screen = stage.held[1]!
      screen.start()
      for round in 1...10 {
        // The load of before, then the one that supersedes it.
        await stage.gate.arrived(2 * round - 1)
        for _ in 0..<3 { stage.board?.invalidate("all") }
        await stage.gate.arrived(2 * round)
        for _ in 0..<3 { stage.board?.invalidate("all") }
        stage.gate.answer(call: 2 * round, with: .success(round))
        for await snapshot in screen.observed.values where snapshot.value == round { break }
      }
      await stage.gate.answer(arriving: 21, with: .success(11))
      await stage.board?.settled()
      expectEqual(screen.value, 11)
      expect(!screen.isStale)
      expectEqual(stage.requests.count, 21)
    }

    @Test("11.2 a load that was superseded keeps its mode, its pages and what holds the gate of the board: one place")
    func place() async {
      let stage = await loadedStage(1, 2, width: 1)
      let reload = stage.held[2]!.reload()
      await stage.gate.arrived(3)
      stage.board?.invalidate("all")
      await expectEqual(reload.outcome().word, "superseded")
      expectEqual(stage.held[2]?.snapshot.activity?.mode, .reload)
      expectEqual(stage.held[1]?.isRunning, false)
      await stage.gate.answer(arriving: 4, with: .success(20))
      await stage.gate.answer(arriving: 5, with: .success(10))
      await stage.board?.settled()
      expectEqual(stage.held[1]?.value, 10)
      expectEqual(stage.held[2]?.value, 20)
    }

    // MARK: Resources

    @Test("11.5 a resource outside of a family is marked and requested again by tag, as long as something holds it")
    func resource() async {
      let board = AsyncTagBoard()
      let server = ManualServer<[Int]>()
      var list: AsyncResource<[Int]>? = AsyncResource { try await server.wait() }
      board.add(list!, tags: ["posts"])
      // It was not requested before.
      board.invalidate("posts")
      await board.settled()
      expectEqual(server.callCount, 0)
      server.answer(call: 1, with: .success([1]))
      await list?.load()
      board.invalidate("others")
      await board.settled()
      let refresh = board.invalidate("posts")
      await server.answer(arriving: 2, with: .success([1, 2]))
      await refresh.finished()
      expectEqual(list?.value, [1, 2])
      expectEqual(list?.isStale, false)
      // Added again: with other tags alone.
      board.add(list!, tags: ["letters"])
      board.invalidate("posts")
      expectEqual(list?.isStale, false)
      list?.forget()
      board.invalidate("letters")
      await board.settled()
      expectEqual(server.callCount, 2)
      let data = list?.data
      list = nil
      board.invalidate("letters")
      await board.settled()
      expectEqual(server.callCount, 2)
      expectNil(data?.value)
    }
  }
}
