// SPDX-License-Identifier: MIT
import AsyncStateTesting
import Testing

@testable import AsyncState

extension AllTests {
  /// What came between the sending of a change and its end, and how it ended: whether the value is known to contain it.
  @MainActor
  struct DoubtTests {
    let data = AsyncData<[Int]>()

    init() {
      data.value = [0]
    }

    /// What happens between the sending of a change and its end, and the result.
    private struct Between {
      let what: String
      var end = "value"
      let value: [Int]
      let isInDoubt: Bool
      var happens: @MainActor (AsyncData<[Int]>) async -> Void = { _ in }
    }

    private static let rows = [
      Between(what: "nothing", value: [0, 1], isInDoubt: false),
      Between(what: "nothing, and it fails", end: "failure", value: [0], isInDoubt: true),
      Between(what: "an answer", value: [0, 1, 5, 1], isInDoubt: true) { data in await data.load { [0, 1, 5] } },
      Between(what: "a yielded value", value: [0, 5, 1], isInDoubt: true) { data in
        await data.load { reporter in
          try reporter.yield([0, 5])
          throw CancellationError()
        }
      },
      Between(what: "a pushed value", value: [0, 5, 1], isInDoubt: true) { $0.receive([0, 5]) },
      Between(what: "an update", value: [0, 1, 5], isInDoubt: true) { $0.update { $0.append(5) } },
      Between(what: "another change, which succeeds", value: [0, 1, 2], isInDoubt: false) {
        await $0.mutate({ $0.append(2) }, commit: {})
      },
      Between(what: "a value by hand", value: [7], isInDoubt: true) { data in
        data.value = [7]
        expect(!data.isStale)
      },
      Between(what: "a log-out, and an answer", end: "superseded", value: [8], isInDoubt: true) { data in
        data.forget()
        await data.load { [8] }
        expect(!data.isStale)
      },
    ]

    @Test(
      "3.18, 3.20, 3.21 whether a change is known to be in the value: by what happens between its sending and its end")
    func doubt() async {
      for row in Self.rows {
        let (data, server) = (AsyncData<[Int]>(), ManualServer<Void>())
        data.value = [0]
        let change = Waiting { "\(await data.mutate({ $0.append(1) }, commit: { try await server.wait() }))" }
        await server.arrived(1)
        await row.happens(data)
        server.answer(call: 1, with: row.end == "failure" ? .failure(Failure()) : .success(()))
        let end = await change.end()
        expect(end.hasPrefix(row.end), "\(row.what)")
        expectEqual(data.value, row.value, "\(row.what)")
        expectEqual(data.snapshot.isInvalidated, row.isInDoubt, "\(row.what)")
      }
    }

    @Test("3.21 an update lies below what is not sent yet, which is made after it, also while a load waits: no doubt")
    func updatedBeforeSending() async {
      let gate = LoadGate(isOpen: false)
      let data = AsyncData<[Int]>(options: LoadOptions(gate: gate))
      data.value = [0]
      let change = Waiting { await data.mutate({ $0.append(1) }, commit: {}) }
      await change.begun()
      data.update { $0 = [5] }
      expectEqual(data.value, [5, 1])
      data.start { [0] }
      data.update { $0.append(6) }
      expectEqual(data.value, [5, 6, 1])
      data.cancel()
      gate.open()
      _ = await change.end()
      expectEqual(data.value, [5, 6, 1])
      expect(!data.isStale)
    }

    @Test("3.18 what arrives before another attempt may have the change, which the first one may have made")
    func betweenAttempts() async {
      let data = AsyncData<[Int]>(options: LoadOptions(retry: RetryPolicy { $0.count > 1 ? nil : .zero }))
      data.value = [0]
      let server = ManualServer<Void>()
      let change = Waiting { await data.mutate({ $0.append(1) }, commit: { try await server.wait() }) }
      await server.arrived(1)
      data.receive([0, 1])
      server.answer(call: 1, with: .failure(Failure()))
      server.answer(call: 2, with: .success(()))
      _ = await change.end()
      expect(data.isStale)
    }

    @Test("3.18, 16.10 what was sent before it is displayed may be in any value: a payment that is sent again")
    func sentBefore() async {
      let (clock, server) = (ManualClock(), ManualServer<Void>())
      let list = AsyncResource { [0] }
      await list.load()
      let pay = AsyncMutation(options: LoadOptions(timeout: .seconds(1), clock: clock)) { (_: Int) in
        try await server.wait()
      }
      pay.changing({ _ in list }) { $0.append($1) }
      let first = pay.perform(1)
      await server.arrived(1)
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .seconds(1))
      await first.outcome()
      // It was done all the same.
      list.receive([0, 1])
      let second = pay.perform(1)
      server.answer(call: 2, with: .success(()))
      await second.outcome()
      expectEqual(list.value, [0, 1, 1])
      expect(list.isStale)
    }

    @Test(
      "3.18, 3.21 a change of no value is not displayed, so the value may lack it, once something is known; as does an update"
    )
    func withoutValue() async {
      let new = AsyncData<[Int]>()
      new.update { $0.append(1) }
      expect(new.snapshot.isUntouched)
      for isUpdate in [false, true] {
        data.value = nil
        expect(!data.isStale)
        if isUpdate { data.update { $0.append(1) } } else { await data.mutate({ $0.append(1) }, commit: {}) }
        expectNil(data.value)
        expect(data.isStale)
      }
    }

    @Test("3.20 a log-out in the pause after an attempt: no further one is made, and no sleeper is left")
    func noFurtherAttempt() async {
      let clock = ManualClock()
      let data = AsyncData<Int>(
        seed: 1, options: LoadOptions(retry: .exponential(first: .seconds(1), retries: 3, jitter: { $0 }), clock: clock)
      )
      let gate = ManualServer<Int>()
      let change = Waiting { await data.mutate({ $0 += 1 }, commit: { _ = try await gate.wait() }).word }
      await gate.arrived(1)
      gate.answer(call: 1, with: .failure(Failure()))
      await clock.sleepers(atLeast: 1)
      data.forget()
      await expectEqual(change.end(), "superseded")
      expectEqual(gate.callCount, 1)
      expectEqual(clock.sleeperCount, 0)
    }

    @Test("3.18, 19.2 an element that arrives after a doubt contains the change, and clears no other mark")
    func element() async {
      let gate = ManualServer<Void>()
      let change = Waiting { [data] in await data.mutate({ $0.append(1) }, commit: { try await gate.wait() }) }
      await gate.arrived(1)
      data.receive([5])
      gate.answer(call: 1, with: .success(()))
      _ = await change.end()
      expect(data.isStale)
      data.receive([5, 1])
      expect(!data.isStale)
      await data.mutate({ $0.append(1) }, commit: { throw Failure() })
      data.invalidate()
      data.receive([5, 1])
      expect(data.isStale)
    }

    struct Row: Identifiable, Equatable, Sendable {
      let id: Int
      var text = ""
    }

    /// What brings the row of the server while its creation is being sent.
    enum Arrival: CaseIterable { case page, answer, element }

    @Test(
      "3.18 a row under a temporary identity may be in what arrives meanwhile: in doubt; a page is not, where the answer adds the row",
      arguments: Arrival.allCases, [false, true])
    func temporaryIdentity(by arrival: Arrival, isConfirming: Bool) async {
      typealias List = Paged<Row, Int>
      let list = AsyncResource(
        .pages { page -> List.Page in
          if page.cursor != nil { return .init(items: [Row(id: 2), Row(id: 7, text: "hello")]) }
          return .init(items: [Row(id: 1)], next: 2)
        })
      await list.load()
      let gate = ManualServer<Row>()
      let create = AsyncMutation { (_: Int) in try await gate.wait() }
      if isConfirming {
        create.changing({ _ in list }) { rows, number in
          rows.insert(Row(id: number, text: "hello"), at: 0)
        } confirming: { rows, _, row in
          if rows[id: row.id] == nil { rows.insert(row, at: 0) }
        }
      } else {
        create.changing({ _ in list }) { $0.insert(Row(id: $1, text: "hello"), at: 0) }
      }
      create.perform(-1)
      await gate.arrived(1)
      // The server has created the row, and its answer is on its way.
      switch arrival {
      case .page: await list.loadNext()
      case .answer: list.data.begin(.refresh).succeed(with: List(first: .init(items: [Row(id: 7, text: "hello")])))
      case .element: list.receive(List(first: .init(items: [Row(id: 7, text: "hello")])))
      }
      gate.answer(call: 1, with: .success(Row(id: 7, text: "hello")))
      await create.settled()
      expectEqual(list.value?.items.count { $0.text == "hello" }, (isConfirming ? 1 : 2))
      expectEqual(list.isStale, (!isConfirming || arrival != .page))
    }

    @Test("3.18 a page that arrives while a change waits for its turn, or after its end, is no reason to doubt it")
    func pageBeforeSending() async {
      typealias List = Paged<Int, Int>
      let list = AsyncResource(
        .pages { page in List.Page(items: [page.cursor ?? 1], next: page.cursor == 3 ? nil : (page.cursor ?? 1) + 1) })
      await list.load()
      let server = ManualServer<Void>()
      let change = AsyncMutation(overlap: .queue) { (_: Int) in try await server.wait() }
      change.changing({ $0 == 2 ? list : nil }) { list, _ in list[0] = 5 }
      change.perform(1)
      change.perform(2)
      await server.arrived(1)
      await list.loadNext()
      server.answer(call: 1, with: .success(()))
      server.answer(call: 2, with: .success(()))
      await change.settled()
      await list.loadNext()
      expectEqual(list.value?.items, [5, 2, 3])
      expect(!list.isStale)
    }

    @Test(
      "3.12 a change that is confirmed while a load or a page is requested is kept until that has ended, and no longer",
      arguments: [false, true])
    func confirmedBeforeEnd(ofAPage isPage: Bool) async {
      final class Screen {}
      typealias List = Paged<Int, Int>
      let list = AsyncData<List>()
      list.value = List(first: .init(items: [1], next: 2))
      let gate = ManualServer<List.Page>()
      let request = Waiting {
        if isPage {
          await list.loadNext { _ in try await gate.wait() }
        } else {
          await list.loadFirst { _ in try await gate.wait() }
        }
      }
      await gate.arrived(1)
      weak var released: Screen?
      do {
        let screen = Screen()
        released = screen
        list.update { _ in withExtendedLifetime(screen) {} }
      }
      expect(released != nil, "what arrives may be from before the change")
      gate.answer(call: 1, with: isPage ? .success(.init(items: [2])) : .failure(Failure()))
      _ = await request.end()
      await list.settled()
      expectEqual(list.value?.items, (isPage ? [1, 2] : [1]))
      expectNil(released)
    }

    @Test("11.3, 3.21 a pushed value clears no mark of a tag, whatever was in doubt before", arguments: [false, true])
    func markOfATag(wasInDoubt: Bool) async {
      let board = AsyncTagBoard()
      board.gate.close()
      let server = ManualServer<Int>()
      let family = AsyncFamily<Int, Int>(
        board: board, tags: { _, value in value.map { [AsyncTag("author", $0)] } ?? [] }
      ) { _ in try await server.wait() }
      let entry = family[0]
      server.answer(call: 1, with: .success(1))
      await entry.load()
      if wasInDoubt { await entry.data.mutate({ $0 = 1 }, commit: { throw Failure() }) }
      let load = entry.refresh()
      await server.arrived(2)
      board.invalidate(AsyncTag("author", 2))
      server.answer(call: 2, with: .success(2))
      _ = await load.outcome()
      expect(entry.snapshot.isInvalidated)
      entry.receive(2)
      expect(entry.snapshot.isInvalidated)
    }
  }
}
