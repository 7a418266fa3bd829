// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct NeverAndPauseTests {
    private let clock = ManualClock()
    private let gate = LoadGate()
    private let server = Gate<Int>()
    private let store: MemoryStore<Int, Int>

    init() { store = MemoryStore(clock: clock) }

    private func options(pause: Duration? = nil) -> LoadOptions {
      LoadOptions(staleAfter: .seconds(60), pauseAfterFailure: pause, clock: clock, gate: gate)
    }

    private func family(pause: Duration? = nil) -> AsyncFamily<Int, Int> {
      AsyncFamily(options: options(pause: pause), store: store) { [server] key in
        try await server.wait(for: key)
      }
    }

    // MARK: 3.6

    /// The outcome of a call that is no request: what would be one is not awaited.
    private func never(_ resource: AsyncResource<Int>) async throws -> String {
      let call = Waiting { await resource.load(when: .never).word }
      await call.begun()
      try #require(!resource.isRunning)
      return await call.end()
    }

    @Test(
      "3.6 `when: .never` displays what is stored, however old, at an open gate and at a closed one",
      arguments: [true, false])
    func stored(isOpen: Bool) async throws {
      for key in 1...3 { store.put(key + 6, for: key, age: .seconds(90)) }
      if !isOpen { gate.close() }
      let family = family()
      let (called, started, wanted) = (family[1], family[2], family[3])
      #expect(try await never(called) == "fresh 7")
      #expect(called.value == 7 && called.isStale && called.error == nil && !called.isRunning)
      let start = started.start(when: .never)
      try #require(!started.isRunning)
      #expect(await start.outcome().word == "fresh 8")
      let get = Waiting { try? await wanted.get(when: .never) }
      await get.begun()
      try #require(!wanted.isRunning)
      #expect(await get.end() == 9)
      #expect(server.callCount == 0 && store.readCount == 3)
      // It is no request: nothing is requested again because of it.
      family.refreshStale()
      #expect(!called.isRunning && !started.isRunning)
    }

    @Test("3.6 data of which nothing is known, and nothing is stored, is idle after it, and not loading")
    func nothingStored() async throws {
      let family = family()
      let entry = family[1]
      #expect(entry.status().kind == .loading)
      #expect(try await never(entry) == "fresh, nothing")
      #expect(entry.status().kind == .idle && !entry.isRunning)
      await #expect(throws: NoDataError()) { try await entry.get(when: .never) }
      #expect(store.readCount == 1 && family.existing(1) != nil)

      let plain = AsyncResource(options: options()) { [server] in try await server.wait() }
      let start = plain.start(when: .never)
      try #require(!plain.isRunning)
      #expect(await start.outcome().word == "fresh, nothing")
      #expect(plain.status().kind == .idle && server.callCount == 0)
      plain.data.value = 3
      #expect(try await never(plain) == "fresh 3")
    }

    @Test("3.6 it follows no key, and one that is followed is requested as ever")
    func followed() async throws {
      let key = Input<Int?>(1)
      let resource = AsyncResource<Int>(following: key, delay: .seconds(1), options: options()) { [server] key in
        try await server.wait(for: key)
      }
      resource.start(when: .never)
      key.write(2)
      try #require(!resource.isRunning && clock.sleeperCount == 0)
      resource.start()
      server.answer(for: 2, with: .success(20))
      await resource.settled()
      key.write(3)
      let call = Waiting { await resource.load(when: .never).word }
      await call.begun()
      await clock.advance(by: .zero)
      #expect(call.result == "fresh, nothing" && clock.sleeperCount == 1)
      await clock.advance(by: .seconds(1))
      server.answer(for: 3, with: .success(30))
      await resource.settled()
      #expect(resource.value == 30)
    }

    @Test("3.6 it waits for no request and ends none; what a request writes during its read is what it returns")
    func besideOthers() async throws {
      let reads = Gate<Void>()
      store.reads = reads
      store.put(7, for: 1)
      gate.close()
      let family = family()
      let entry = family[1]
      let calls = (0..<2).map { _ in Waiting { await entry.load(when: .never).word } }
      for call in calls { await call.begun() }
      try #require(!entry.isRunning)
      await reads.arrived(1)
      let load = entry.start()
      #expect(entry.isWaiting)
      reads.answer(call: 1, with: .success(()))
      await reaches(entry) { $0.value == 7 }
      #expect(entry.isWaiting && store.readCount == 1)
      gate.open()
      server.answer(for: 1, with: .success(70))
      #expect(await load.outcome().word == "value 70")
      for call in calls { #expect(await call.end() == "fresh 7") }

      let other = family[2]
      let call = Waiting { await other.load(when: .never).word }
      await call.begun()
      try #require(!other.isRunning)
      await reads.arrived(2)
      other.data.value = 9
      reads.answer(call: 2, with: .success(()))
      #expect(await call.end() == "fresh 9")
      await family.settled()
    }

    @Test("3.6 a caller that is cancelled returns at once, and so does its handle, though the store hangs")
    func cancelled() async throws {
      let reads = Gate<Void>(ignoresCancellation: true)
      store.reads = reads
      let family = family()
      let entry = family[1]
      let call = Waiting { await entry.load(when: .never).word }
      await call.begun()
      try #require(!entry.isRunning)
      await reads.arrived(1)
      call.cancel()
      // Some turns, because it is known that it returns, and not in which.
      for _ in 0..<20 where call.result == nil { await afterReleases() }
      #expect(call.result == "cancelled")
      let started = entry.start(when: .never)
      started.cancel()
      let outcome = Waiting { await started.outcome().word }
      await outcome.begun()
      #expect(outcome.result == "cancelled")
      reads.answer(call: 1, with: .success(()))
      await family.settled()
      #expect(!entry.isRunning && entry.error == nil)
    }

    // MARK: 3.23

    @Test("3.23 what has failed is requested once by twenty cells that want what is stale, and again after the pause")
    func pause() async {
      final class Server { var (answer, requests): (Int?, Int) = (nil, 0) }
      let server = Server()
      let family = AsyncFamily<Int, Int>(options: options(pause: .seconds(30)), store: store) { _ in
        server.requests += 1
        guard let answer = server.answer else { throw Failure() }
        return answer
      }
      let entry = family[1]
      for _ in 0..<20 { #expect(await family[1].load(when: .stale).word == "failure failure") }
      #expect(await entry.start(when: .olderThan(.zero)).outcome().word == "failure failure")
      await #expect(throws: Failure.self) { try await entry.get() }
      #expect(server.requests == 1 && entry.isStale && entry.error != nil)
      await clock.advance(by: .seconds(29))
      #expect(await entry.load(when: .stale).word == "failure failure")
      #expect(server.requests == 1)
      await clock.advance(by: .seconds(1))
      server.answer = 7
      #expect(await entry.load(when: .stale).word == "value 7")
    }

    @Test("3.23 a person's refresh is made within the pause, and joined by a cell", arguments: [0, 1, 2])
    func person(how: Int) async throws {
      let family = family(pause: .seconds(30))
      let entry = family[1]
      server.answer(for: 1, with: .failure(Failure()))
      await entry.load()
      switch how {
      case 0: entry.refresh()
      case 1: entry.reload()
      default: family.refreshStale()
      }
      try #require(entry.isRunning)
      let cell = Waiting { await entry.load(when: .stale).word }
      await server.arrived(for: 1)
      await cell.begun()
      server.answer(for: 1, with: .success(7))
      #expect(await cell.end() == "value 7")
    }

    @Test("3.23 without a pause, after a removal of the error, and after a reset, what is stale is requested")
    func noPause() async throws {
      for (pause, removes) in [(nil, 0), (Duration.seconds(30), 1), (.seconds(30), 2)] {
        let server = Gate<Int>()
        let resource = AsyncResource(options: options(pause: pause)) { try await server.wait() }
        let load = resource.start()
        await server.arrived(1)
        server.answer(call: 1, with: .failure(Failure()))
        await load.outcome()
        if removes == 1 { resource.data.error = nil }
        if removes == 2 { resource.reset() }
        let again = resource.start(when: .stale)
        try #require(resource.isRunning)
        await server.arrived(2)
        server.answer(call: 2, with: .success(1))
        #expect(await again.outcome().word == "value 1")
      }
    }
  }
}
