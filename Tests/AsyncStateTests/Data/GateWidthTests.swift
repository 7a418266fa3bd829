// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct GateWidthTests {
    private let clock = ManualClock()
    private let server = ManualServer<Int>()
    private let gate = LoadGate(width: 1)

    /// So many requests are inside, and so many wait.
    private func expectInside(
      _ inside: Int, waiting: Int = 0, at gate: LoadGate? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) {
      let gate = gate ?? self.gate
      expectEqual(gate.roomCount, inside, sourceLocation: sourceLocation)
      expectEqual(gate.waitingCount, waiting, sourceLocation: sourceLocation)
    }

    private func options(
      _ gate: LoadGate? = nil, retry: RetryPolicy = .never, timeout: Duration? = nil
    ) -> LoadOptions {
      LoadOptions(retry: retry, timeout: timeout, clock: clock, gate: gate ?? self.gate)
    }

    private func request(_ number: Int, at gate: LoadGate? = nil, retry: RetryPolicy = .never) -> AsyncResource<Int> {
      AsyncResource(options: options(gate, retry: retry)) { [server] in try await server.wait(for: number) }
    }

    /// The requests that have arrived when nothing more can.
    private func requestsAtRest() async -> [Int] {
      await turns(20)
      return server.arguments(as: Int.self)
    }

    @Test("3.24 a request that ends gives its room back at once, though its operation ignores that", arguments: 0..<4)
    func ends(how: Int) async {
      let stubborn = ManualServer<Int>(ignoresCancellation: true)
      var first: AsyncResource<Int>? = AsyncResource(options: options(timeout: .seconds(5))) {
        try await stubborn.wait()
      }
      let second = request(2)
      first?.start()
      second.start()
      await stubborn.arrived(1)
      expectEqual(await requestsAtRest(), [])
      expectEqual(gate.waitingCount, 1)
      switch how {
      case 0: first?.cancel()
      case 1: await clock.advance(by: .seconds(5))
      case 2: first?.data.value = 1
      default: first = nil
      }
      await server.arrived(for: 2)
      expectEqual(gate.roomCount, 1)
      server.answer(for: 2, with: .success(2))
      await second.settled()
      stubborn.answer(call: 1, with: .success(1))
      await first?.settled()
      expectEqual(second.value, 2)
      expectEqual(gate.roomCount, 0)
    }

    @Test("3.24 a back-off takes no room, and the next attempt waits for room again")
    func backOff() async {
      let first = request(1, retry: RetryPolicy { _ in .seconds(1) })
      let second = request(2)
      first.start()
      second.start()
      server.answer(for: 1, with: .failure(Failure()))
      await server.arrived(for: 2)
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .seconds(1))
      expectEqual(await requestsAtRest(), [1, 2])
      expectEqual(gate.waitingCount, 1)
      server.answer(for: 2, with: .success(2))
      server.answer(for: 1, with: .success(1))
      await first.settled()
      expectEqual(first.value, 1)
    }

    @Test("3.24 commits, with retries and without, and commands have room, too, in the order in which they came")
    func commands() async {
      func change(_ number: Int, _ retry: RetryPolicy) -> Waiting<Void> {
        let list = AsyncData<[Int]>(options: options(retry: retry))
        list.value = []
        return Waiting { [server] in
          _ = await list.mutate({ $0.append(number) }, commit: { try await server.wait(for: number) })
        }
      }
      let first = change(1, .never)
      await server.arrived(for: 1)
      let second = change(2, RetryPolicy { _ in nil })
      await second.begun()
      let send = AsyncMutation<Int, Int>(options: options()) { [server] input in try await server.wait(for: input) }
      send.perform(3)
      expectEqual(await requestsAtRest(), [1])
      expectInside(1, waiting: 2)
      server.answer(for: 1, with: .success(0))
      expectEqual(await requestsAtRest(), [1, 2])
      expectInside(1, waiting: 1)
      for number in 2...3 { server.answer(for: number, with: .success(0)) }
      for change in [first, second] { await change.end() }
      await send.settled()
      expectEqual(await requestsAtRest(), [1, 2, 3])
      expectInside(0)
    }

    @Test("1.1, 3.24 an operation of no actor runs on that of the data, at a gate with a width, too")
    func actors() async {
      nonisolated func operation() -> () async throws -> Int {
        {
          MainActor.preconditionIsolated()
          return 1
        }
      }
      await expectEqual(AsyncData(options: options()).load(operation: operation()).word, "value 1")
    }

    @Test(
      "3.24 first come, first served, whatever is displayed, awaited or prefetched, and joins it; what waits for room is loading"
    )
    func order() async {
      let family = AsyncFamily<Int, Int>(options: options(), keepUnused: 500) { [server] key in
        try await server.wait(for: key)
      }
      for key in 1...500 { family.prefetch(key) }
      await server.arrived(for: 1)
      let host = AsyncHost(family[501]) { _ in [] }
      host.start()
      host.appear(animated: false)
      let send = AsyncMutation<Int, Int>(options: options()) { [server] input in try await server.wait(for: input) }
      send.perform(502)
      let awaited = Waiting { await family[300].load().word }
      await awaited.begun()
      family[499].cancel()
      expectEqual(await requestsAtRest(), [1])
      expectInside(1, waiting: 500)
      expect(family[500].isRunning)
      expect(!family[500].isWaiting, "that is for a closed gate")
      expectEqual(family[500].status, .loading)
      for call in 1...501 {
        server.answer(call: call, with: .success(7))
      }
      await expectEqual(awaited.end(), "value 7")
      await family.settled()
      await send.settled()
      expectEqual(await requestsAtRest(), (1...502).filter { $0 != 499 })
      expectEqual(gate.roomCount, 0)
    }

    // MARK: What an operation awaits

    /// What an operation with room awaits, and how much of it is requested before others have room.
    private struct Awaited {
      let what: String
      let requests: [Int]
      var hasLane = false
      /// Begins what is before it, and returns what the operation does.
      let prepare: @MainActor ([AsyncResource<Int>], AsyncMutation<Int, Int>) -> @MainActor () async -> Void
    }

    private static let awaited = [
      Awaited(what: "a value", requests: [1]) { others, _ in { _ = try? await others[0].get() } },
      Awaited(what: "a load that waits already", requests: [1]) { others, _ in
        others[0].start()
        return { await others[0].load() }
      },
      Awaited(what: "the handle of one", requests: [1]) { others, _ in
        let first = others[0].start()
        return { await first.outcome() }
      },
      Awaited(what: "a load behind one that is too old", requests: [1, 1]) { others, _ in
        others[0].start()
        others[0].invalidate()
        let second = others[0].start()
        return { await second.outcome() }
      },
      Awaited(what: "what is made of two", requests: [1, 2]) { others, _ in
        let both = AsyncResource(.of(others[0], others[1]) { $0 + $1 })
        return { await both.load() }
      },
      Awaited(what: "an input", requests: [1]) { _, send in
        let first = send.perform(1)
        return { await first.outcome() }
      },
      Awaited(what: "an input behind another one", requests: [1, 2]) { _, send in
        send.perform(1)
        let second = send.perform(2)
        return { await second.outcome() }
      },
      Awaited(what: "the same in a lane", requests: [1, 2], hasLane: true) { _, send in
        send.perform(1)
        let second = send.perform(2)
        return { await second.outcome() }
      },
    ]

    @Test("3.24 what an operation awaits needs no room, nor what must end before that, or neither would end")
    func passes() async throws {
      for row in Self.awaited {
        let suite = GateWidthTests()
        let server = suite.server
        let send = AsyncMutation<Int, Int>(
          overlap: .queue, options: suite.options(), lane: row.hasLane ? { _ in "lane" } : nil
        ) { number in try await server.wait(for: number) }
        let others = (1...2).map { suite.request($0) }
        var awaits: (@MainActor () async -> Void)?
        let begin = ManualServer<Void>()
        let news = AsyncResource<Int>(options: suite.options()) {
          try await begin.wait()
          await awaits?()
          return 7
        }
        news.start()
        await begin.arrived(1)
        awaits = row.prepare(others, send)
        let last = suite.request(9)
        last.start()
        begin.answer(call: 1, with: .success(()))
        for key in [1, 2, 1] { server.answer(for: key, with: .success(key)) }
        try #require(await suite.requestsAtRest().prefix(row.requests.count) == row.requests[...], "\(row.what)")
        await news.settled()
        server.answer(for: 9, with: .success(9))
        await last.settled()
        await expectEqual(suite.requestsAtRest(), row.requests + [9], "\(row.what)")
        expectEqual(news.value, 7, "\(row.what)")
        expectEqual([suite.gate.roomCount, suite.gate.waitingCount], [0, 0], "\(row.what)")
        withExtendedLifetime((others, send)) {}
      }
    }

    @Test("3.17, 3.24 what an operation inside awaits waits for a gate that has closed meanwhile")
    func closedMeanwhile() async {
      let (inner, begin) = (request(1), ManualServer<Void>())
      let outer = AsyncResource<Int>(options: options()) {
        try await begin.wait()
        return try await inner.get() + 1
      }
      outer.start()
      await begin.arrived(1)
      gate.close()
      begin.answer(call: 1, with: .success(()))
      expectEqual(await requestsAtRest(), [])
      expectInside(1, waiting: 1)
      gate.open()
      await server.answer(arrivingFor: 1, with: .success(1))
      await outer.settled()
      expectEqual(outer.value, 2)
      expectInside(0)
    }

    @Test("3.24 an attempt after a failure passes, too, for the operation that still awaits it")
    func attempts() async throws {
      let inner = request(1, retry: RetryPolicy { _ in .seconds(1) })
      let outer = AsyncResource<Int>(options: options()) { try await inner.get() + 1 }
      let other = request(9)
      outer.start()
      other.start()
      server.answer(for: 1, with: .failure(Failure()))
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .seconds(1))
      try #require(await requestsAtRest() == [1, 1])
      server.answer(for: 1, with: .success(1))
      await outer.settled()
      expectEqual(outer.value, 2)
      server.answer(for: 9, with: .success(9))
      await other.settled()
      expectEqual(gate.roomCount, 0)
    }

    @Test("3.24 what runs on when the operation has ended that it was let in for takes no room")
    func runsOn() async throws {
      let others = (1...2).map { request($0) }
      let news = AsyncResource<Int>(options: options()) { [server] in
        for other in others { other.start() }
        return try await server.wait(for: 9)
      }
      news.start()
      let last = request(3)
      last.start()
      try #require(await requestsAtRest() == [9, 1, 2])
      expectInside(1, waiting: 1)
      server.answer(for: 9, with: .success(9))
      await news.settled()
      try #require(await requestsAtRest() == [9, 1, 2, 3])
      expectInside(1)
      for number in 1...3 { server.answer(for: number, with: .success(number)) }
      for resource in others + [last] { await resource.settled() }
      expectInside(0)
    }

    @Test("3.24 a task that an operation has begun, and that outlives it, waits for room like any other")
    func outlives() async throws {
      let (later, other) = (ManualServer<Void>(), request(1))
      var task: Task<Void, Never>?
      let news = AsyncResource<Int>(options: options()) {
        task = Task {
          try? await later.wait()
          await other.load()
        }
        return 7
      }
      await news.load()
      let holder = request(9)
      holder.start()
      await server.arrived(for: 9)
      later.answer(call: 1, with: .success(()))
      expectEqual(await requestsAtRest(), [9])
      expectEqual(gate.waitingCount, 1)
      for number in [9, 1] { server.answer(for: number, with: .success(number)) }
      await task?.value
      expectEqual(other.value, 1)
      expectEqual(gate.roomCount, 0)
    }

    @Test("1.6, 3.24 owners that are released on other threads give their room back", arguments: [1, 2, 5])
    func releasedElsewhere(width: Int) async throws {
      let gate = LoadGate(width: width)
      let stubborn = ManualServer<Int>(ignoresCancellation: true)
      // As many have room, and await one that has passed, as wait for it.
      let owners = (0..<2 * width).map { _ in
        let inner = AsyncResource<Int>(options: options(gate)) { try await stubborn.wait() }
        let outer = AsyncResource<Int>(options: options(gate)) { try await inner.get() }
        outer.start()
        return Dropped(outer)
      }
      await stubborn.arrived(width)
      expectInside(width, waiting: width, at: gate)
      for owner in owners { await owner.releaseElsewhere() }
      let last = request(3, at: gate)
      last.start()
      server.answer(for: 3, with: .success(3))
      await last.settled()
      expectEqual(await requestsAtRest(), [3])
      expectInside(0, at: gate)
      for call in 1...width { stubborn.answer(call: call, with: .success(1)) }
      await stubborn.ended(width)
    }

    @Test("3.24 what a person performs behind an input of an operation needs room")
    func behindAnInput() async throws {
      let send = AsyncMutation<Int, Int>(overlap: .queue, options: options()) { [server] in
        try await server.wait(for: $0)
      }
      let news = AsyncResource<Int>(options: options()) { [server] in
        send.perform(1)
        return try await server.wait(for: 9)
      }
      news.start()
      try #require(await requestsAtRest() == [9, 1])
      send.perform(2)
      server.answer(for: 1, with: .success(1))
      await expectEqual(requestsAtRest(), [9, 1])
      for number in [9, 2] { server.answer(for: number, with: .success(number)) }
      await news.settled()
      await send.settled()
      expectEqual(gate.roomCount, 0)
    }

    @Test("3.20, 3.24 a commit with a timeout of its own that waits for room ends with a reset, and is never sent")
    func commitWaitsForRoom() async {
      let holder = request(1)
      holder.start()
      await server.arrived(for: 1)
      let numbers = AsyncResource<[Int]>(options: options(timeout: .seconds(60))) { [] }
      numbers.data.value = []
      var hasEnded = false
      let call = Waiting { [server] in
        await numbers.data.mutate({ $0.append(2) }, commit: { try await server.wait(for: 2) })
        hasEnded = true
      }
      await call.begun()
      let send = AsyncMutation<Int, Int>(options: options()) { [server] in try await server.wait(for: $0) }
      send.perform(3)
      expectEqual(await requestsAtRest(), [1])
      expectEqual(gate.waitingCount, 2)
      numbers.data.reset()
      expectEqual(await requestsAtRest(), [1])
      expect(hasEnded)
      server.answer(for: 1, with: .success(1))
      await expectEqual(requestsAtRest(), [1, 3])
      server.answer(for: 3, with: .success(3))
      await call.end()
      await send.settled()
      expectEqual(await requestsAtRest(), [1, 3])
      expectEqual(gate.roomCount, 0)
    }
  }
}
