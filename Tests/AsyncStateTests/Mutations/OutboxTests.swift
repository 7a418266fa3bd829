// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension [String] {
  /// By their first letter. Lanes that begin in the same turn may be called in any order.
  var byLane: [Substring: [String]] { Dictionary(grouping: self) { $0.prefix(1) } }
}

/// A server that the test answers, a store, and a mutation between them that can be made again, as after a restart.
@MainActor
final class OutboxStage {
  struct Refusal: Error, CustomStringConvertible { var description: String { "refused" } }

  let store = MemoryOutboxStore<String>()
  let board = AsyncTagBoard()
  let online: LoadGate
  let gate = ManualServer<Int>()
  let clock = ManualClock()
  let options: LoadOptions
  /// A resource that inputs change, if the test wants one.
  var list: AsyncResource<[String]>?
  private(set) var keys: [String: Set<String>] = [:]
  private(set) lazy var send = make()

  init(width: Int = 4, retry: RetryPolicy = .never, timeout: Duration? = nil) {
    online = LoadGate(width: width)
    options = LoadOptions(retry: retry, timeout: timeout, clock: clock, gate: online)
  }

  func make() -> AsyncOutbox<String, Int> {
    // The lane of an input is its first letter.
    let send = AsyncOutbox<String, Int>(
      store: store, options: options, lane: { String($0.prefix(1)) },
      isPermanent: { error, _ in error is Refusal }
    ) { [weak self, gate] input, request in
      self?.keys[input, default: []].insert(request.idempotencyKey)
      return try await gate.wait(for: input)
    }
    if let list { send.changing({ [weak list] _ in list }) { $0.append($1) } }
    return send
  }

  /// A list with these rows, to which each input adds itself.
  func displaying(_ rows: [String] = []) async -> AsyncResource<[String]> {
    let list = await loaded(rows)
    self.list = list
    return list
  }

  /// A new mutation with the same store.
  func restart() async {
    send = make()
    await send.resume().restored()
  }

  func answer(_ input: String, _ result: Result<Int, any Error> = .success(1)) async {
    await gate.answer(arrivingFor: input, with: result)
  }

  /// At rest all was sent, or taken back: there is no entry, the store is empty, and nothing is owed to it.
  func nothingIsLeft(sourceLocation: SourceLocation = #_sourceLocation) async {
    await send.settled()
    expectEqual(stored, [], sourceLocation: sourceLocation)
    expectEqual(words, "", sourceLocation: sourceLocation)
    expectEqual(send.state.waitingCount, 0, sourceLocation: sourceLocation)
    expectNil(send.state.error, sourceLocation: sourceLocation)
  }

  /// The inputs in the store.
  var stored: [String] { store.entries.map { $0.failure == nil ? $0.input : "(\($0.input))" } }
  /// The inputs that were sent so far, one for each attempt.
  var sent: [String] { gate.arguments(as: String.self) }
  /// The inputs and what becomes of them.
  var words: String { send.entries.map { "\($0.input) \($0.phase)" }.joined(separator: ", ") }
}

/// Inputs are a verb and the identity of a row, which is the lane. The answer to a creation is the row's identity.
@MainActor
func rowEdits(
  _ store: any OutboxStore<String>, _ server: ManualServer<String>, gate: LoadGate? = nil
) -> AsyncOutbox<String, String> {
  AsyncOutbox<String, String>(
    store: store, options: LoadOptions(clock: ManualClock(), gate: gate),
    lane: { $0.split(separator: " ").last.map(String.init) ?? "" },
    isPermanent: { error, _ in error is OutboxStage.Refusal }
  ) { input, _ in try await server.wait(for: input) }
  .rewriting { input, identity in
    input == "create tmp" ? { $0.hasSuffix(" tmp") ? $0.dropLast(3) + identity : nil } : nil
  }
}

extension AsyncOutbox {
  /// The inputs that have failed for good.
  var setAside: [OutboxEntry<Input>] { entries.filter { $0.phase == .failed } }
  /// The error of the last input that has one.
  var lastError: (any Error)? { entries.compactMap(\.error).last }

  /// Sends the last input again that has failed.
  @discardableResult
  func retryFailed() -> MutationTask<Output>? { entries.last { $0.error != nil }.flatMap { retry($0) } }
}

extension AllTests {
  @MainActor
  struct OutboxTests {
    let stage = OutboxStage()

    private func isCancelled(_ task: MutationTask<Int>?) async -> Bool {
      if case .cancelled? = await task?.outcome() { true } else { false }
    }

    @Test("16.6, 17.8 a success invalidates its tags, though no one holds the handle, and after a restart")
    func invalidatesUnheld() async throws {
      var invalidated: [String] = []
      func invalidating() -> AsyncOutbox<String, Int> {
        stage.make().invalidating(stage.board) { input, output in
          invalidated.append("\(input) \(output ?? 0)")
          return []
        }
      }
      var send: AsyncOutbox<String, Int>? = invalidating()
      send?.perform("a1")
      await stage.answer("a1")
      await send?.settled()
      send = nil
      expectEqual(invalidated, ["a1 1"])

      stage.store.put("b1", key: "k")
      let next = invalidating()
      await next.resume().restored()
      await stage.answer("b1")
      await next.settled()
      expectEqual(invalidated, ["a1 1", "b1 1"])

      next.perform("c1")
      await stage.gate.arrived(for: "c1")
      try await next.discardAll()
      expectEqual(invalidated, ["a1 1", "b1 1", "c1 0"], "the server may have done it")
    }

    @Test("17.1 an input is stored before it is sent, and removed when there is an answer")
    func accepted() async throws {
      stage.store.appends = ManualServer()
      let task = stage.send.perform("a1")
      await stage.store.appends?.arrived(1)
      expectEqual(stage.sent, [])
      expectEqual(stage.words, "a1 storing")
      stage.store.appends?.answer(call: 1, with: .success(()))
      try await task.accepted()
      expectEqual(stage.stored, ["a1"])
      expectEqual(stage.send.state.waitingCount, 1)
      await stage.gate.arrived(1)
      expectEqual(stage.words, "a1 sending")
      await stage.answer("a1", .success(7))
      try await expectEqual(task.get(), 7)
      await stage.nothingIsLeft()
    }

    @Test("17.2 a full disk: perform fails with a clear error, and nothing half is left")
    func fullDisk() async throws {
      struct Full: Error, CustomStringConvertible { var description: String { "no space left" } }
      let list = await stage.displaying(["old"])
      stage.store.appendError = Full()
      stage.store.appendsDespiteError = true
      let task = stage.send.perform("a1")
      expectEqual(list.value, ["old", "a1"])
      guard case .failure(let error) = await task.outcome() else { return expect(false) }
      expectEqual("\(error)", "could not be stored, and is not sent: no space left")
      await #expect(throws: OutboxError.self) { try await task.accepted() }
      await stage.send.settled()
      expectEqual(list.value, ["old"])
      expect(!list.isStale)
      expectEqual(stage.stored, [])
      expectEqual(stage.words, "")
      stage.store.appendError = nil
      let again = stage.send.perform("a1")
      await stage.answer("a1")
      try await expectEqual(again.get(), 1)
      expectEqual(stage.sent, ["a1"])
      expectEqual(list.value, ["old", "a1"])
    }

    @Test("17.3 in order within a lane; lanes at the same time, at most as many as the gate lets in")
    func lanes() async {
      let stage = OutboxStage(width: 2)
      for input in ["a1", "a2", "b1", "c1"] { stage.send.perform(input) }
      await stage.gate.arrived(2)
      expectEqual(stage.sent.byLane, ["a1", "b1"].byLane)
      await stage.answer("a1")
      await stage.gate.arrived(3)
      expectEqual(stage.sent.byLane, ["a1", "b1", "a2"].byLane)
      await stage.answer("b1")
      await stage.gate.arrived(4)
      expectEqual(stage.sent.byLane, ["a1", "b1", "a2", "c1"].byLane)
      await stage.answer("a2")
      await stage.answer("c1")
      await stage.nothingIsLeft()
    }

    @Test("17.8, 17.12 what was sent is not replaced; a retry that is cancelled before it is stored fails as before")
    func sentBefore() async throws {
      stage.send.perform("a1")
      await stage.answer("a1", .failure(Failure()))
      await stage.send.settled()
      expectEqual(stage.words, "a1 retrying")
      try await expectEqual(stage.send.replace(stage.send.entries[0], with: "a2"), false)
      expectEqual(stage.stored, ["a1"])
      stage.send.resume()
      await stage.gate.answer(arriving: 2, with: .failure(OutboxStage.Refusal()))
      await stage.send.settled()
      expectEqual(stage.stored, ["(a1)"])
      stage.store.updates = ManualServer()
      let retry = stage.send.retryFailed()
      await stage.store.updates?.arrived(1)
      retry?.cancel()
      stage.store.updates?.answer(call: 1, with: .success(()))
      await stage.store.updates?.answer(arriving: 2, with: .success(()))
      await stage.send.settled()
      expectEqual(stage.words, "a1 failed")
      expectEqual(stage.stored, ["(a1)"])
      expectEqual(stage.sent, ["a1", "a1"])
    }

    @Test("17.14 an answer rewrites what has failed, too: it is sent under its new name when it is retried")
    func rewritesFailed() async {
      let server = ManualServer<String>()
      let send = rowEdits(stage.store, server)
      send.perform("create tmp")
      await server.answer(arriving: 1, with: .failure(OutboxStage.Refusal()))
      send.perform("edit tmp")
      await server.answer(arriving: 2, with: .failure(OutboxStage.Refusal()))
      await send.settled()
      send.retry(send.entries[0])
      await server.answer(arriving: 3, with: .success("7"))
      await send.settled()
      expectEqual(send.entries.map { "\($0.input) \($0.phase)" }, ["edit 7 failed"])
      expectEqual(stage.stored, ["(edit 7)"])
    }

    @Test("16.10, 17.4 the key is the same for the attempts of the options, after a failure, and after a restart")
    func keys() async {
      let stage = OutboxStage(retry: .exponential(first: .seconds(1), retries: 1, jitter: { $0 }))
      let task = stage.send.perform("a1")
      await stage.answer("a1", .failure(Failure()))
      await stage.clock.advance(by: .seconds(1), sleepersAtLeast: 1)
      await stage.gate.answer(arriving: 2, with: .failure(Failure()))
      await stage.send.settled()
      expectEqual(stage.words, "a1 retrying")
      expect(stage.send.lastError is Failure)
      expectEqual(stage.stored, ["a1"])
      await stage.restart()
      await stage.gate.answer(arriving: 3, with: .success(1))
      await stage.nothingIsLeft()
      expectEqual(stage.keys["a1"]?.count, 1)
      expect(await isCancelled(task))
    }

    @Test("17.5 other lanes are sent after failures, until a hundred wait")
    func aHundredWait() async {
      let options = LoadOptions(clock: ManualClock(), gate: LoadGate(width: 1))
      var sent: [Int] = []
      let send = AsyncOutbox<Int, Void>(
        store: MemoryOutboxStore<Int>(), options: options, lane: { "\($0)" }, isPermanent: { _, _ in false }
      ) { input, _ in
        sent.append(input)
        throw Failure()
      }
      for input in 1...102 { send.perform(input) }
      await send.settled()
      expectEqual(sent, Array(1...100))
    }

    @Test("17.5 a failure stays the first of its lane, and others go on; a retry, resume and perform let it go on")
    func heldLane() async {
      for input in ["a1", "a2", "b1"] { stage.send.perform(input) }
      await stage.answer("a1", .failure(Failure()))
      await stage.answer("b1")
      await stage.send.settled()
      expectEqual(stage.sent.byLane, ["a1", "b1"].byLane)
      expectEqual(stage.stored, ["a1", "a2"])
      for number in 0...1 {
        if number == 0 { stage.send.perform("a3") } else { await stage.send.resume().restored() }
        await stage.gate.answer(arriving: 3 + number, with: .failure(Failure()))
        await stage.send.settled()
        expectEqual(stage.sent.count, 3 + number)
        expectEqual(stage.sent.last, "a1")
        expect(stage.send.lastError is Failure)
      }
      let task = stage.send.retryFailed()
      await stage.gate.arrived(5)
      for call in 5...7 { stage.gate.answer(call: call, with: .success(call)) }
      guard case .success(5)? = await task?.outcome() else { return expect(false) }
      await stage.nothingIsLeft()
      expectEqual(stage.sent.suffix(3), ["a1", "a2", "a3"])
    }

    @Test(
      "17.5 refused for good: not tried again, set aside with its error, the lane continues, the change is taken out; also after a restart"
    )
    func permanent() async throws {
      let stage = OutboxStage(retry: RetryPolicy { _ in .zero })
      let list = await stage.displaying([""])
      let refused = stage.send.perform("a1")
      stage.send.perform("a2")
      await stage.answer("a1", .failure(OutboxStage.Refusal()))
      await #expect(throws: OutboxStage.Refusal.self) { try await refused.get() }
      expectEqual(stage.stored, ["(a1)", "a2"])
      expectEqual(list.value, ["", "a2"])
      expect(stage.send.setAside.first?.error is OutboxStage.Refusal)
      await stage.answer("a2")
      await stage.send.settled()
      await stage.restart()
      let entry = try #require(stage.send.setAside.first)
      guard case OutboxError.previous("refused")? = entry.error else { return expect(false) }
      expectEqual(entry.input, "a1")
      expectEqual(stage.send.state.waitingCount, 0)
      expectEqual(list.value, ["", "a2"])
      let again = stage.send.retry(entry)
      expectEqual(list.value, ["", "a2", "a1"])
      await stage.gate.answer(arriving: 3, with: .success(1))
      _ = try await again?.get()
      expectEqual(stage.keys["a1"]?.count, 1)
      await stage.nothingIsLeft()
    }

    @Test(
      "17.7 after a restart the first resume reads the store: the changes of what waits are displayed, and it is sent, in order"
    )
    func restart() async {
      let stage = OutboxStage(width: 1)
      let list = await loaded(["old"])
      for (index, input) in ["a1", "b1", "a2"].enumerated() {
        stage.store.put(input, key: "key \(index)")
      }
      stage.list = list
      // Nothing is read before that.
      _ = stage.send
      stage.online.close()
      stage.online.open()
      await stage.send.settled()
      expectEqual(stage.store.readCount, 0)
      stage.online.close()
      await stage.send.resume().restored()
      expectEqual(list.value, ["old", "a1", "b1", "a2"])
      expectEqual(stage.send.state.waitingCount, 3)
      let before = stage.store.readCount
      await stage.send.resume().restored()
      expectEqual(stage.store.readCount, before)
      stage.online.open()
      for input in ["a1", "b1", "a2"] { await stage.answer(input) }
      await stage.send.settled()
      expectEqual(stage.sent.byLane, ["a1", "b1", "a2"].byLane)
      expectEqual(stage.keys["b1"], ["key 1"])
      expect(!list.data.hasPendingChanges)
    }

    // MARK: Cancelling

    @Test("17.8 cancelled while it is being stored, while it waits, while it is sent, and after its end")
    func cancel() async throws {
      let list = await stage.displaying([""])
      stage.store.appends = ManualServer()
      let storing = stage.send.perform("a0")
      await stage.store.appends?.arrived(1)
      storing.cancel()
      expectEqual(list.value, [""])
      stage.store.appends?.answer(call: 1, with: .success(()))
      expect(await isCancelled(storing))
      await #expect(throws: CancellationError.self) { try await storing.accepted() }
      expectEqual(stage.stored, [])
      expectEqual(stage.sent, [])
      stage.store.appends = nil
      let (sending, waiting) = (stage.send.perform("a1"), stage.send.perform("a2"))
      await stage.gate.arrived(1)
      waiting.cancel()
      expectEqual(list.value, ["", "a1"])
      expect(!list.isStale)
      expect(await isCancelled(waiting))
      expectEqual(stage.stored, ["a1"])
      sending.cancel()
      // The server may have done it.
      expectEqual(list.value, [""])
      expect(list.isStale)
      expectEqual(stage.words, "")
      expect(await isCancelled(sending))
      expectEqual(stage.stored, [])
      expectEqual(stage.send.state.waitingCount, 0)
      let done = stage.send.perform("a3")
      await stage.answer("a3")
      _ = try await done.get()
      done.cancel()
      await stage.send.settled()
      expectEqual(stage.sent, ["a1", "a3"])
      expectEqual(list.value, ["", "a3"])
    }

    @Test("17.8 log-out: all inputs are cancelled and removed, what was set aside included; a failure is thrown")
    func discardAll() async throws {
      stage.store.put("a0", key: "0", failure: "refused")
      let tasks = ["a1", "a2", "b1"].map { stage.send.perform($0) }
      await stage.gate.arrived(2)
      stage.store.removalError = Failure()
      await #expect(throws: Failure.self) { try await stage.send.discardAll() }
      expectEqual(stage.stored, ["(a0)", "a1", "a2", "b1"])
      stage.store.removalError = nil
      try await stage.send.discardAll()
      for task in tasks { expect(await isCancelled(task)) }
      expectEqual(stage.stored, [])
      expectEqual(stage.send.state.waitingCount, 0)
      expect(stage.send.setAside.isEmpty)
      let next = stage.send.perform("a4")
      await stage.answer("a4")
      _ = try await next.get()
      expectEqual(stage.sent.byLane, ["a1", "b1", "a4"].byLane)
    }

    // MARK: A store that fails

    @Test("17.9 an answered input that cannot be removed is not sent again: the removal is tried again")
    func removalFails() async throws {
      stage.store.removalError = Failure()
      let task = stage.send.perform("a1")
      stage.send.perform("a2")
      await stage.answer("a1", .success(7))
      try await expectEqual(task.get(), 7)
      await stage.send.settled()
      expectEqual(stage.stored, ["a1", "a2"])
      expectEqual(stage.sent, ["a1"])
      expect(stage.send.state.error is Failure)
      await stage.send.resume().restored()
      await stage.send.settled()
      expectEqual(stage.sent, ["a1"])
      stage.store.removalError = nil
      await stage.send.resume().restored()
      await stage.answer("a2")
      await stage.nothingIsLeft()
      expectEqual(stage.sent, ["a1", "a2"])
    }

    @Test("17.9 what the store could not do is tried again after a call of it that succeeds")
    func triedAfterASuccess() async {
      stage.store.removalError = Failure()
      stage.send.perform("a1")
      await stage.answer("a1")
      await stage.send.settled()
      expectEqual(stage.stored, ["a1"])
      stage.store.removalError = nil
      stage.send.perform("b1")
      await stage.answer("b1")
      await stage.nothingIsLeft()
    }

    @Test("17.5, 16.4 a double tap on retry is one input, by itself and by its entry", arguments: 0..<3)
    func doubleRetry(way: Int) async throws {
      let list = await stage.displaying(["old"])
      stage.send.perform("a1")
      await stage.answer("a1", .failure(OutboxStage.Refusal()))
      await stage.send.settled()
      let entry = try #require(stage.send.setAside.first)
      let first = way == 1 ? stage.send.retryFailed() : stage.send.retry(entry)
      let second = way == 2 ? stage.send.retry(entry) : stage.send.retryFailed()
      expectEqual(list.value, ["old", "a1"], "the change is displayed once")
      await stage.answer("a1")
      try await expectEqual(first?.get(), 1)
      try await expectEqual(second?.get(), 1)
      await stage.nothingIsLeft()
      expectEqual(stage.sent, ["a1", "a1"])
      expectEqual(stage.keys["a1"]?.count, 1)
      expectEqual(list.value, ["old", "a1"])
      expect(!list.data.hasPendingChanges)
    }

    @Test("17.9 while a store cannot be read, what is performed waits in memory, and is stored when it can be")
    func unreadable() async {
      stage.store.put("a0", key: "0")
      stage.store.readError = Failure()
      let task = stage.send.perform("a1")
      await stage.send.settled()
      expectEqual(stage.sent, [])
      expectEqual(stage.stored, ["a0"])
      expectEqual(stage.words, "a1 storing")
      expect(stage.send.state.error is Failure)
      expectEqual(stage.send.state.waitingCount, 1)
      stage.store.readError = nil
      stage.online.close()
      stage.online.open()
      await stage.answer("a0")
      await stage.answer("a1")
      guard case .success = await task.outcome() else { return expect(false) }
      await stage.nothingIsLeft()
      expectEqual(stage.sent, ["a0", "a1"])
    }

    @Test(
      "17.4, 17.10 released, closed, or taken over while it is held: what was performed is stored, what is sent stays, the next outbox sends all",
      arguments: ["release", "close", "take-over"])
    func handedOver(how: String) async throws {
      let list = await stage.displaying([""])
      var former: AsyncOutbox<String, Int>? = stage.make()
      let ended = [former?.perform("a1"), former?.perform("a2")]
      await stage.gate.arrived(1)
      let appends = ManualServer<Void>()
      stage.store.appends = appends
      let storing = former?.perform("a3")
      await appends.arrived(1)
      switch how {
      case "release": former = nil
      case "close": former?.close()
      default: break
      }
      let next = stage.send
      let resumed = next.resume()
      for task in ended { expect(await isCancelled(task)) }
      expectEqual(list.value, [""])
      if let former {
        let late = former.perform("late")
        await #expect(throws: OutboxError.self) { try await late.get() }
        await #expect(throws: OutboxError.self) { try await late.accepted() }
        await #expect(throws: OutboxError.self) { try await former.discardAll() }
        await former.resume().restored()
        former.close()
        expect(former.entries.isEmpty)
        expectEqual(former.state.waitingCount, 0)
      }
      stage.store.appends = nil
      appends.answer(call: 1, with: .success(()))
      expect(await isCancelled(storing))
      await resumed.restored()
      expectEqual(stage.stored, ["a1", "a2", "a3"])
      expectEqual(next.entries.map(\.input), ["a1", "a2", "a3"])
      expectEqual(list.value, ["", "a1", "a2", "a3"])
      await stage.gate.answer(arriving: 2, with: .success(1))
      for input in ["a2", "a3"] { await stage.answer(input) }
      await next.settled()
      expectEqual(stage.sent, ["a1", "a1", "a2", "a3"])
      expectEqual(stage.keys["a1"]?.count, 1)
      expectEqual(stage.stored, [])
      withExtendedLifetime(former) {}
    }

    @Test("17.5 an observer of what has failed retries: the input is sent again")
    func retriedByAnObserver() async throws {
      let send = stage.send
      var again: MutationTask<Int>?
      let token = send.observedEntries.observe { [weak send] entries in
        if entries.first?.phase == .failed, again == nil { again = send?.retryFailed() }
      }
      stage.gate.answer(call: 1, with: .failure(OutboxStage.Refusal()))
      stage.gate.answer(call: 2, with: .success(7))
      send.perform("a1")
      await send.settled()
      let handle = try #require(again)
      try await expectEqual(handle.get(), 7)
      expectEqual(stage.sent, ["a1", "a1"])
      token.cancel()
    }
  }
}
