// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct BroughtValuesTests {
    let clock = ManualClock()

    private func posts() -> AsyncFamily<Int, Int> {
      AsyncFamily(options: LoadOptions(staleAfter: .seconds(60), clock: clock)) { (_: Int) in 10 }
    }

    // MARK: Stores and lists

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

    // MARK: Pushed values

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
