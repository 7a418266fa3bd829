// SPDX-License-Identifier: MIT
import AsyncStateTesting
import Testing

@testable import AsyncState

extension AllTests {
  @MainActor
  struct KeyBatchGateTests {
    @Test("10.14 a batch has one room, and what is requested while none is free is one batch")
    func room() async {
      let gate = LoadGate(width: 1)
      let stage = BatchStage(gate: gate)
      let first = stage.start([1, 2, 3])
      #expect(await stage.requests() == [[1, 2, 3]])
      #expect(gate.roomCount == 1 && gate.waitingCount == 0)
      for key in 4...6 {
        stage.start([key])
        #expect(await stage.requests() == [[1, 2, 3]])
        #expect(gate.roomCount == 1 && gate.waitingCount == 1)
      }
      let other = stage.hold([6])[0]
      #expect(other.isRunning && !other.isWaiting && other.status() == .loading)
      stage.answer([1, 2, 3])
      #expect(await stage.requests() == [[1, 2, 3], [4, 5, 6]])
      stage.answer([4, 5, 6])
      await stage.family.settled()
      #expect(
        first[2].value == 30 && other.value == 60 && gate.roomCount == 0 && gate.waitingCount == 0)
    }

    @Test(
      "3.24, 10.14 a batch that no key wants any more gives its room back, though its operation ignores that"
    )
    func roomOfUnwanted() async {
      let gate = LoadGate(width: 1)
      let stage = BatchStage(1, gate: gate, ignoresCancellation: true)
      let entries = stage.start([1, 2])
      #expect(await stage.requests() == [[1]])
      entries[0].cancel()
      #expect(await stage.requests() == [[1], [2]] && gate.roomCount == 1)
      stage.answer([1])
      #expect(await stage.requests() == [[1], [2]] && gate.roomCount == 1)
      stage.answer([2])
      await stage.family.settled()
      #expect(entries.map(\.value) == [nil, 20] && gate.roomCount == 0)
    }

    @Test(
      "3.17, 10.14 at a closed gate each key waits, many turns are one batch, and what ended never begins",
      arguments: [nil, 1])
    func closed(width: Int?) async {
      let gate = LoadGate(isOpen: false, width: width)
      let stage = BatchStage(timeout: .seconds(9), gate: gate)
      let entries = (1...4).map { stage.start([$0])[0] }
      #expect(entries.allSatisfy { $0.isWaiting && $0.status() == .waiting })
      #expect(await stage.requests() == [] && gate.waitingCount == 1)
      await stage.clock.sleepers(atLeast: 4)
      entries[0].cancel()
      await stage.clock.advance(by: .seconds(5))
      entries[3].reload()
      _ = await stage.requests()
      await stage.clock.sleepers(atLeast: 3)
      await stage.clock.advance(by: .seconds(4))
      for await snapshot in entries[2].observed.values where snapshot.error is LoadTimeoutError {
        break
      }
      for await snapshot in entries[1].observed.values where snapshot.error is LoadTimeoutError {
        break
      }
      #expect(entries[3].isWaiting)
      gate.open()
      #expect(await stage.requests() == [[4]])
      #expect(!entries[3].isWaiting && entries[3].isRunning)
      gate.close()
      stage.answer([4])
      await stage.family.settled()
      #expect(entries[3].value == 40 && gate.waitingCount == 0 && gate.roomCount == 0)
      // Nothing is left at the gate where no key is.
      let more = stage.start([5, 6])
      #expect(await stage.requests() == [[4]] && gate.waitingCount == 1)
      for entry in more { entry.cancel() }
      #expect(gate.waitingCount == 0)
      gate.open()
      #expect(await stage.requests() == [[4]])
    }

    @Test(
      "3.17 what waits for room says that it waits while the gate is closed, and no more when it has opened"
    )
    func closing() async {
      let gate = LoadGate(width: 1)
      let stage = BatchStage(1, gate: gate)
      let entries = stage.start([1, 2, 3])
      #expect(await stage.requests() == [[1]])
      gate.close()
      #expect(await stage.requests() == [[1]])
      #expect(entries.map(\.isWaiting) == [false, true, true])
      gate.open()
      #expect(await stage.requests() == [[1]])
      #expect(entries.map(\.isWaiting) == [false, false, false])
      for key in 1...3 {
        stage.answer([key])
        _ = await stage.requests()
      }
      await stage.family.settled()
      #expect(stage.server.arguments() == [[1], [2], [3]])
    }

    @Test("3.16, 10.14 interceptors are called around a batch, and what they send again is the batch")
    func interceptors() async {
      struct Again: LoadInterceptor {
        let tally: Tally
        func intercept<Value>(_ attempt: LoadAttempt<Value>, isolation: isolated (any Actor)?)
          async throws -> Value
        {
          tally.note("\(Value.self)")
          do { return try await attempt() } catch is Failure { return try await attempt() }
        }
      }
      let tally = Tally()
      let stage = BatchStage(interceptors: [Again(tally: tally)])
      let entries = stage.start([1, 2])
      stage.fail([1, 2])
      #expect(await stage.requests() == [[1, 2], [1, 2]])
      stage.answer([1, 2])
      await stage.family.settled()
      #expect(entries.map(\.value) == [10, 20] && tally.entries == ["Dictionary<Int, Int>"])
    }

    @Test(
      "3.16 a change of an entry, and a load with an operation of its own, have all options",
      arguments: [true, false])
    func commits(isChange: Bool) async {
      struct Noting: LoadInterceptor {
        let tally: Tally
        func intercept<Value>(_ attempt: LoadAttempt<Value>, isolation: isolated (any Actor)?)
          async throws -> Value
        {
          tally.note("called")
          return try await attempt()
        }
      }
      let (tally, gate) = (Tally(), LoadGate(isOpen: false))
      let stage = BatchStage(
        retry: RetryPolicy { _ in .zero }, gate: gate, interceptors: [Noting(tally: tally)])
      let entry = stage.hold([1])[0]
      entry.data.value = 1
      var failures = 1
      let operation: @MainActor () throws -> Int = {
        failures -= 1
        if failures >= 0 { throw Failure() }
        return 7
      }
      let change = Waiting {
        if isChange {
          await entry.data.mutate({ $0 += 1 }, replacing: { try operation() })
        } else {
          await entry.data.load { try operation() }
        }
      }
      await change.begun()
      await afterReleases()
      #expect(tally.entries.isEmpty && gate.waitingCount == 1)
      gate.open()
      _ = await change.end()
      #expect(entry.value == 7 && tally.entries == ["called", "called"])
    }

    @Test(
      "3.24, 10.14 what an operation with the only room awaits is in the next batch, which needs no room of its own"
    )
    func nested() async throws {
      let gate = LoadGate(width: 1)
      let stage = BatchStage(1, gate: gate)
      let begin = Gate<Void>()
      let entry = stage.hold([9])[0]
      let news = AsyncResource<Int>(options: LoadOptions(gate: gate)) {
        try await begin.wait()
        return try await entry.get()
      }
      news.start()
      await begin.arrived(1)
      let others = stage.start([1, 2])
      #expect(await stage.requests() == [] && gate.waitingCount == 1)
      begin.answer(call: 1, with: .success(()))
      try #require(await stage.requests() == [[9]])
      #expect(gate.roomCount == 1 && gate.waitingCount == 1)
      stage.answer([9])
      await news.settled()
      #expect(news.value == 90)
      for key in 1...2 {
        #expect(await stage.requests().last == [key])
        stage.answer([key])
      }
      await stage.family.settled()
      #expect(others.map(\.value) == [10, 20] && gate.roomCount == 0 && gate.waitingCount == 0)
    }

    @Test(
      "3.24 a key that was already waiting is in the next batch when an operation with room awaits it"
    )
    func nestedLater() async throws {
      let gate = LoadGate(width: 1)
      let stage = BatchStage(1, gate: gate)
      let begin = Gate<Void>()
      let entries = stage.hold([1, 2])
      let news = AsyncResource<Int>(options: LoadOptions(gate: gate)) {
        try await begin.wait()
        return try await entries[1].get()
      }
      news.start()
      await begin.arrived(1)
      stage.start([1, 2])
      #expect(await stage.requests() == [])
      begin.answer(call: 1, with: .success(()))
      try #require(await stage.requests() == [[2]])
      stage.answer([2])
      #expect(await stage.requests() == [[2], [1]])
      stage.answer([1])
      await stage.family.settled()
      #expect(news.value == 20 && gate.roomCount == 0)
    }
  }
}
