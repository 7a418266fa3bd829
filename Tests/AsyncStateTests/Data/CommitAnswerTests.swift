// SPDX-License-Identifier: MIT
import AsyncStateJournal
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct CommitAnswerTests {
    @Test("3.12 what a commit returns is ignored, whatever its type: unliking with a server that answers true unlikes")
    func ignored() async {
      let isLiked = AsyncData<Bool>()
      isLiked.value = true
      await isLiked.mutate({ $0 = false }, commit: { true })
      expectEqual(isLiked.value, false)
      let count = AsyncData<Int>()
      count.value = 1
      await count.mutate({ $0 += 1 }, commit: { 200 as Int? })
      expectEqual(count.value, 2)
      await count.mutate({ $0 += 1 }, commit: { Int?.none })
      await count.mutate({ $0 += 1 }) { 200 }
      await count.mutate({ $0 += 1 }) {
        let status = 200
        _ = status
      }
      expectEqual(count.value, 5)
    }

    // MARK: An answer arrives while the commit runs

    let likes = AsyncData<Int>()
    let gate = ManualServer<Int>()

    private func like() -> Waiting<Int?> {
      Waiting { [likes, gate] in
        await likes.mutate({ $0 += 1 }, commit: { try await gate.wait() }).value()
      }
    }

    @Test("3.12, 2.4 a refresh that answers while the commit runs may contain the change: the data is stale, once")
    func countedTwice() async {
      likes.value = 1
      let recorder = DataRecorder(likes)
      let change = like()
      await gate.arrived(1)
      await likes.load(.refresh) { 2 }
      #expect(likes.value == 3 && !likes.isStale)
      _ = recorder.takeSnapshots()
      gate.answer(call: 1, with: .success(0))
      await expectEqual(change.end(), 3)
      expectEqual(recorder.received.map(\.forced), [false])
      expectEqual(recorder.takeSnapshots(), ["3 set invalidated"])
      #expect(likes.isStale)
      await likes.load(.refresh) { 2 }
      #expect(likes.value == 2 && !likes.isStale)
    }

    @Test("3.12, 3.13 a page that arrives while the commit runs may contain the change, too")
    func page() async {
      let list = AsyncData<Paged<Int, Int>>()
      list.value = Paged(first: .init(items: [1], next: 2))
      let change = Waiting { [gate] in
        _ = await list.mutate({ for index in $0.items.indices { $0[index] += 10 } }, commit: { try await gate.wait() })
      }
      await gate.arrived(1)
      await list.loadNext { _ in .init(items: [12], next: nil) }
      expectEqual(list.value?.items, [11, 22])
      gate.answer(call: 1, with: .success(0))
      await change.end()
      #expect(list.value?.items == [11, 22] && list.isStale)
    }
  }
}

extension AllTests {
  @MainActor
  struct UncertainChangeJournalTests: JournalSuite {
    let stage = JournalStage()

    @Test("13.3, 13.4 a confirmation that makes the data stale says so")
    func recorded() async throws {
      let data = stage.data()
      data.value = 1
      let gate = ManualServer<Void>()
      let change = Waiting { await data.mutate({ $0 += 1 }, commit: { try await gate.wait() }).value() }
      await gate.arrived(1)
      data.begin(.refresh).succeed(with: 5)
      gate.answer(call: 1, with: .success(()))
      await expectEqual(change.end(), 6)
      expectEqual(stage.take().last, "#6 data: patch confirmed, out of date ← #3")
      expectEqual(StateJournal.kind(of: "data", after: entries)?.isInvalidated, true)
    }
  }
}

extension AsyncOutcome {
  fileprivate func value<Value>() -> Value? where Success == Value? { (try? get()) ?? nil }
}
