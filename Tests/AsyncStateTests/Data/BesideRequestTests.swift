// SPDX-License-Identifier: MIT
import AsyncStateTesting
import Testing

@testable import AsyncState

extension AllTests {
  /// What arrives while a request runs: values and changes that are pushed, and commands that were carried out after all.
  @MainActor
  struct BesideRequestTests {
    let clock = ManualClock()
    let server = ManualServer<[Int]>(ignoresCancellation: true)

    private func makeRows() -> AsyncResource<[Int]> { AsyncResource { [server] in try await server.wait() } }

    // MARK: Whole values

    @Test("3.21 the answer of a load during which a value was pushed may be older: it is displayed, and stale")
    func pushedValue() async {
      let price = makeRows()
      price.start()
      await server.arrived(1)
      price.receive([2])
      expectEqual(price.value, [2])
      expect(!price.isStale)
      server.answer(call: 1, with: .success([1]))
      await price.settled()
      expectEqual(price.value, [1])
      expect(price.isStale)
      // The next answer, and the next push without a load, are fresh.
      price.receive([3])
      expectEqual(price.value, [3])
      expect(!price.isStale)
      server.answer(call: 2, with: .success([4]))
      await price.load()
      expectEqual(price.value, [4])
      expect(!price.isStale)
    }

    /// What happens while a request runs.
    enum Change: CaseIterable { case updateOfNothing, updateOfYielded, update, confirmed }

    @Test(
      "3.12, 3.21 an update is no answer, and not pending, as a confirmed change: the request continues, and its answer has it, in doubt",
      arguments: Change.allCases)
    func changed(by change: Change) async {
      let chat = AsyncData<[Int]>()
      if change == .update || change == .confirmed { chat.value = [1] }
      let load = chat.start { [server] reporter in
        if change == .updateOfYielded { try reporter.yield([1]) }
        return try await server.wait()
      }
      await server.arrived(1)
      var values: [[Int]?] = []
      let token = chat.observed.observe { values.append($0.value) }
      if change == .confirmed {
        await chat.mutate({ $0.append(3) }, commit: {})
      } else {
        chat.update { $0.append(3) }
      }
      expectEqual(chat.value, (change == .updateOfNothing ? nil : [1, 3]))
      if change == .update { expectEqual(values, [[1], [1, 3]], "one notification") }
      expect(!chat.hasPendingChanges)
      expect(chat.isRunning)
      server.answer(call: 1, with: .success([1, 2]))
      await load.outcome()
      // It is not known whether the server's list had it.
      expectEqual(chat.value, [1, 2, 3])
      expect(chat.isStale)
      token.cancel()
    }

    @Test(
      "3.18 a command that was cancelled puts the list in doubt again if it is carried out after the next answer, and no other",
      arguments: [true, false])
    func cancelledCommand(isCarriedOut: Bool) async {
      let commands = ManualServer<Void>(ignoresCancellation: true)
      let list = makeRows()
      server.answer(call: 1, with: .success([1]))
      await list.load()
      let add = AsyncMutation { (_: Int) in try await commands.wait() }
        .changing({ _ in list }) { $0.append($1) }
      let task = add.perform(2)
      await commands.arrived(1)
      task.cancel()
      expectEqual(list.value, [1])
      expect(list.isStale)
      // The server has read this before it carried out the command.
      server.answer(call: 2, with: .success([1]))
      await list.load()
      expect(!list.isStale)
      commands.answer(call: 1, with: isCarriedOut ? .success(()) : .failure(Failure(name: "refused")))
      await add.settled()
      expectEqual(list.value, [1])
      expectEqual(list.isStale, isCarriedOut)
    }

    @Test("16.6 the tags of a command that is carried out after it was cancelled are invalidated once more")
    func cancelledCommandWithTags() async {
      let commands = ManualServer<Void>(ignoresCancellation: true)
      let board = AsyncTagBoard()
      let family = AsyncFamily(board: board, tags: { _, _ in ["list"] }) { [server] (_: Int) in
        try await server.wait()
      }
      let list = family[1]
      server.answer(call: 1, with: .success([1]))
      await list.load()
      let add = AsyncMutation { (_: Int) in try await commands.wait() }.invalidating(board) { _, _ in ["list"] }
      let task = add.perform(2)
      await commands.arrived(1)
      task.cancel()
      server.answer(call: 2, with: .success([1]))
      await board.settled()
      expectEqual(server.callCount, 2)
      expect(!list.isStale)
      server.answer(call: 3, with: .success([1, 2]))
      commands.answer(call: 1, with: .success(()))
      await add.settled()
      await board.settled()
      expectEqual(list.value, [1, 2])
      expect(!list.isStale)
      expectEqual(server.callCount, 3)
    }

    @Test("3.18 a change whose time was up, and that is made after the next answer, puts the list in doubt again")
    func timedOutChange() async {
      let commands = ManualServer<Void>(ignoresCancellation: true)
      let list = AsyncData<[Int]>(options: LoadOptions(timeout: .seconds(10), clock: clock))
      list.value = [1]
      let change = Waiting { "\(await list.mutate({ $0.append(2) }, commit: { try await commands.wait() }))" }
      await commands.arrived(1)
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .seconds(10))
      expect(await change.end().hasPrefix("failure"))
      expectEqual(list.value, [1])
      expect(list.isStale)
      await list.load { [1] }
      expect(!list.isStale)
      commands.answer(call: 1, with: .success(()))
      await commands.ended(1)
      await list.settled()
      expectEqual(list.value, [1])
      expect(list.isStale)
    }

    private func posts() -> AsyncFamily<Int, Int> {
      AsyncFamily(options: LoadOptions(staleAfter: .seconds(60), clock: clock)) { (_: Int) in 10 }
    }

    @Test("3.18 a row of a list that is handed over while a change is sent may contain it")
    func restoredWhileSent() async {
      let posts = posts()
      let post = posts[1]
      await post.load()
      await clock.advance(by: .seconds(1))
      let commit = ManualServer<Void>()
      let like = Waiting { await post.mutate({ $0 += 1 }, commit: { try await commit.wait() }) }
      await commit.arrived(1)
      posts.restore(StoredValue(11, age: .zero), for: 1)
      commit.answer(call: 1, with: .success(()))
      _ = await like.end()
      expectEqual(post.value, 12)
      expect(post.isStale)
    }

    @Test("3.18 a row of a list that was answered before a change was confirmed may lack it", arguments: [false, true])
    func restoredFromBefore(isUpdate: Bool) async {
      let posts = posts()
      let post = posts[1]
      await post.load()
      await clock.advance(by: .seconds(2))
      if isUpdate { post.update { $0 += 1 } } else { await post.mutate({ $0 += 1 }, commit: {}) }
      await clock.advance(by: .seconds(1))
      expectEqual(post.value, 11)
      expect(!post.isStale)
      // Answered after the entry was, and before the change.
      posts.restore(StoredValue(10, age: .seconds(2)), for: 1)
      expect(post.isStale)
      // One that was answered after the change contains it.
      await clock.advance(by: .seconds(1))
      posts.restore(StoredValue(11, age: .zero), for: 1)
      expectEqual(post.value, 11)
    }

    @Test(
      "3.21, 9.6 an event that is pushed while another key is requested is kept for its answer, which is in doubt",
      arguments: [PreviousValue.hidden, .untilAnswered])
    func updatedBesideFormer(previous: PreviousValue) async {
      let room = Input<Int?>(1)
      let server = ManualServer<[String]>()
      let messages = AsyncResource(following: room, previous: previous) { room in try await server.wait(for: room) }
      server.answer(for: 1, with: .success(["a"]))
      await messages.load()
      room.write(2)
      await server.arrived(for: 2)
      messages.update { $0.append("new") }
      server.answer(for: 2, with: .success(["b"]))
      await messages.settled()
      expectEqual(messages.value, ["b", "new"])
      expect(messages.isStale)
    }

    @Test("3.8, 3.21 'not modified' returns what was pushed during the load", arguments: [false, true])
    func notModified(isUpdatedBefore: Bool) async {
      let messages = AsyncData<[String]>()
      messages.value = ["a"]
      let gate = ManualServer<Void>()
      let refresh = messages.start(.refresh) { (reporter: LoadReporter<[String]>) in
        try await gate.wait()
        return reporter.current
      }
      await gate.arrived(1)
      if isUpdatedBefore { messages.update { $0.append("b") } }
      messages.receive(["a", "b", "c"])
      messages.update { $0.append("d") }
      gate.answer(call: 1, with: .success(()))
      _ = await refresh.outcome()
      expectEqual(messages.value, ["a", "b", "c", "d"])
      expect(messages.isStale)
    }
  }
}
