// SPDX-License-Identifier: MIT
import AsyncStateTesting
import Testing

@testable import AsyncState

extension AllTests {
  /// Mutations that invalidate tags of one board.
  @MainActor
  struct BoardCommandTests {
    let gate = ManualServer<Int>()
    let server = ManualServer<Int>()
    let board = AsyncTagBoard()

    private func like() -> AsyncMutation<String, Int> {
      AsyncMutation(lane: { $0 }) { [gate] input in try await gate.wait(for: input) }
        .invalidating(board) { _, _ in ["posts"] }
    }

    /// A list in use, which was requested once, with its family.
    private func list() async -> (AsyncResource<Int>, AsyncFamily<Int, Int>) {
      let family = AsyncFamily<Int, Int>(board: board, tags: { _, _ in ["posts"] }) { [server] _ in
        try await server.wait()
      }
      let list = family[0]
      server.answer(call: 1, with: .success(1))
      await list.load()
      return (list, family)
    }

    @Test(
      "16.6 two commands beside each other for one tag: one request, after the last; what is not being sent is not awaited",
      arguments: [false, true])
    func oneRequest(isRefused: Bool) async {
      let (like, (list, family)) = (like(), await list())
      defer { withExtendedLifetime(family) {} }
      let waiting = AsyncMutation<String, Int>(options: LoadOptions(gate: LoadGate(isOpen: false))) { _ in 0 }
        .invalidating(board) { _, _ in ["posts"] }
      waiting.perform("w")
      let (first, second, other) = (like.perform("a"), like.perform("b"), like.perform("other"))
      for input in ["a", "b", "other"] { await gate.arrived(for: input) }
      for (input, command) in [("a", first), ("other", other)] {
        gate.answer(for: input, with: .success(1))
        await command.outcome()
        expect(list.isStale)
        expect(!list.snapshot.isRunning)
      }
      expectEqual(server.callCount, 1)
      let third = like.perform("c")
      await gate.arrived(for: "c")
      gate.answer(for: "b", with: isRefused ? .failure(Failure()) : .success(2))
      await second.outcome()
      // Not later: the third one was not being sent at the first success.
      await server.answer(arriving: 2, with: .success(2))
      await board.settled()
      expectEqual(list.value, 2)
      expect(!list.isStale)
      expectEqual(server.callCount, 2)
      gate.answer(for: "c", with: .success(3))
      await third.outcome()
      await server.answer(arriving: 3, with: .success(3))
      await board.settled()
      expectEqual(list.value, 3)
      expectEqual(server.callCount, 3)
      waiting.reset()
    }

    @Test("16.6 a person's refresh, a call to the board and a caller do not wait for a command that hangs")
    func hanging() async {
      let (like, (list, family)) = (like(), await list())
      defer { withExtendedLifetime(family) {} }
      let first = like.perform("a")
      like.perform("hangs")
      for input in ["a", "hangs"] { await gate.arrived(for: input) }
      gate.answer(for: "a", with: .success(1))
      await first.outcome()
      expect(list.isStale)
      expectEqual(server.callCount, 1)
      server.answer(call: 2, with: .success(2))
      await list.load()
      expectEqual(list.value, 2)
      expect(!list.isStale)
      board.invalidate("posts")
      await server.answer(arriving: 3, with: .success(3))
      await board.settled()
      expectEqual(list.value, 3)
      like.reset()
      await server.answer(arriving: 4, with: .success(4))
      await like.settled()
      await board.settled()
      expectEqual(list.value, 4)
      expect(!list.isStale)
      expectEqual(server.callCount, 4)
    }

    @Test("16.6, 17.16 an input that pauses is not being sent: the tags of others do not wait for it")
    func pausing() async {
      let (stage, (list, family)) = (OutboxStage(), await list())
      defer { withExtendedLifetime(family) {} }
      let send = stage.make().invalidating(board) { _, _ in ["posts"] }
      let (first, _) = (send.perform("a"), send.perform("b"))
      await stage.gate.arrived(for: "b")
      await stage.answer("a")
      await first.outcome()
      expect(list.isStale)
      expectEqual(server.callCount, 1)
      await stage.answer("b", .failure(Failure()))
      await server.answer(arriving: 2, with: .success(2))
      await board.settled()
      expectEqual(send.entries.map(\.phase), [.retrying])
      send.perform("c")
      await stage.answer("c")
      await server.answer(arriving: 3, with: .success(3))
      await board.settled()
      expectEqual(list.value, 3)
      // Sent once more it is awaited again.
      await stage.clock.advance(by: .seconds(30))
      await stage.gate.arrived(4)
      let last = send.perform("d")
      await stage.answer("d")
      await last.outcome()
      expect(list.isStale)
      await stage.answer("b")
      await server.answer(arriving: 4, with: .success(4))
      await send.settled()
      await board.settled()
      expect(!list.isStale)
      expectEqual(server.callCount, 4)
    }

    @Test("16.6 all orders of three commands with two tags: each invalidation is requested, and none twice")
    func exhaustive() {
      let tags: [Set<AsyncTag>] = [["x"], ["y"], ["x", "y"]]
      /// What happens to a command: it is sent, and ends with or without an invalidation.
      func walk(_ commands: SentCommands, _ numbers: [Int?], _ begun: Int, _ owed: [AsyncTag: Set<Int>], _ ended: Int) {
        for (tag, awaited) in owed {
          expect(commands.isAwaited([tag]))
          expect(!awaited.isEmpty)
        }
        for tag in ["x", "y"] as Set<AsyncTag> where owed[tag] == nil { expect(!commands.isAwaited([tag])) }
        if begun < 3 {
          var commands = commands
          let number = commands.begin { [begun] in tags[begun] }
          walk(commands, numbers + [number], begun + 1, owed, ended)
        }
        for place in numbers.indices {
          guard let number = numbers[place] else { continue }
          for invalidates in [false, true] {
            var (commands, numbers, owed) = (commands, numbers, owed)
            numbers[place] = nil
            let due = commands.end(number)
            if invalidates { commands.hold(tags[place], except: due, for: commands.tags) }
            var expected: Set<AsyncTag> = []
            for tag in tags[place] {
              if owed[tag] != nil {
                owed[tag]?.remove(number)
                if owed[tag]?.isEmpty == true {
                  owed[tag] = nil
                  expected.insert(tag)
                }
              } else if invalidates {
                let others = numbers.indices.filter { numbers[$0] != nil && tags[$0].contains(tag) }
                if !others.isEmpty { owed[tag] = Set(others.compactMap { numbers[$0] }) }
              }
            }
            expectEqual(due, expected)
            walk(commands, numbers, begun, owed, ended + 1)
          }
        }
        if begun == 3, numbers.allSatisfy({ $0 == nil }) { expect(owed.isEmpty) }
      }
      walk(SentCommands(), [], 0, [:], 0)
    }

    @Test("16.8 at a log-out the mutations of a board end, also one that was released while it waits at a gate")
    func logOut() async {
      let online = LoadGate(isOpen: false)
      var row: AsyncMutation<String, Int>? = AsyncMutation(options: LoadOptions(gate: online)) { [gate] input in
        try await gate.wait(for: input)
      }.invalidating(board) { _, _ in [] }
      let kept = like()
      let (released, sent) = (row?.perform("row"), kept.perform("kept"))
      row = nil
      await gate.arrived(for: "kept")
      board.resetMutations()
      online.open()
      guard case .cancelled? = await released?.outcome(), case .cancelled = await sent.outcome() else {
        return expect(false)
      }
      await kept.settled()
      await afterReleases()
      expectEqual(gate.arguments(as: String.self), ["kept"])
      expectEqual("\(kept.status)", "idle")
    }
  }
}
