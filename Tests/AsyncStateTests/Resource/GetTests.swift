// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

private func isCancelled<Value>(_ outcome: AsyncOutcome<Value?>) -> Bool {
  if case .cancelled = outcome { true } else { false }
}

extension AllTests {
  /// Values as results, and what has no key to request one for.
  @MainActor
  struct GetTests {
    private let account = Input<String?>(nil)
    private let profile: AsyncResource<String>

    init() {
      profile = AsyncResource(following: account.observed) { (name: String) -> String? in "profile of \(name)" }
    }

    @Test(
      "9.8 get throws the error, NoDataError for nothing, and a CancellationError for a cancel; what is displayed stays"
    )
    func errors() async {
      let numbers = ManualServer<Int?>()
      let number = AsyncResource { try await numbers.wait() }
      func get() -> Waiting<String> {
        Waiting { do { return "\(try await number.get(when: .always))" } catch { return "\(error)" } }
      }
      let failing = get()
      numbers.answer(call: 1, with: .failure(Failure(name: "no")))
      await expectEqual(failing.end(), "no")
      let none = get()
      numbers.answer(call: 2, with: .success(nil))
      await expectEqual(none.end(), "NoDataError()")
      let cancelled = get()
      await numbers.arrived(3)
      number.cancel()
      await expectEqual(cancelled.end(), "CancellationError()")
      number.data.value = 7
      let failingLater = get()
      await failingLater.begun()
      expectEqual(number.status, .data(7))
      numbers.answer(call: 4, with: .failure(Failure(name: "no")))
      expectEqual(await failingLater.end(), "no")
      expectEqual(number.value, 7)
    }

    @Test("9.8 a resource whose operation gets one of which there is nothing has nothing itself: no failure, no retry")
    func chained() async {
      let family = AsyncFamily<Int, String> { _ in nil }
      let selection = Input<Int?>(1)
      let detail = AsyncResource(following: selection, options: LoadOptions(retry: .exponential())) { id in
        try await family[id].get()
      }
      guard case .success(nil) = await detail.load() else { return expect(false) }
      expectEqual(detail.status, .noData)
      expectNil(detail.error)
      expect(!detail.isStale)
    }

    @Test("2.1, 11.2 an entry that is forgotten by itself is not requested again by its board")
    func forgottenEntry() async {
      let board = AsyncTagBoard()
      var count = 0
      let family = AsyncFamily<Int, Int>(board: board, tags: { _, _ in ["t"] }) { _ in
        count += 1
        return count
      }
      let entry = family[1]
      await entry.load()
      entry.forget()
      board.invalidate("t")
      board.refreshStale()
      await board.settled()
      expectEqual(count, 1)
      expectNil(entry.value)
    }

    // MARK: Without a key

    @Test(
      "9.8 get of a resource without a key throws NoKeyError, which says so, also where the key is removed meanwhile")
    func getWithoutKey() async throws {
      await #expect(throws: NoKeyError()) { try await profile.get() }
      expectEqual("\(NoKeyError())", "There is no key to request a value for.")
      expect(isCancelled(await profile.load()))
      expect(isCancelled(await profile.start().outcome()))
      expectEqual(profile.status, .idle)
      account.write("ann")
      try await expectEqual(profile.get(), "profile of ann")
      let gate = ManualServer<String?>()
      let orders = AsyncResource(following: account.observed) { (_: String) in try await gate.wait() }
      let waiting = Task { try await orders.get() }
      await gate.arrived(1)
      account.write(nil)
      await #expect(throws: NoKeyError()) { try await waiting.value }
      let cancelled = Task { try await orders.get() }
      cancelled.cancel()
      await #expect(throws: CancellationError.self) { try await cancelled.value }
    }

    @Test(
      "9.8, 20.1 a get whose key is not known yet waits while what the key is made of is requested, also at a closed gate",
      arguments: ["get", "of"], [true, false])
    func keyOnItsWay(way: String, isKnown: Bool) async throws {
      let server = ManualServer<String?>()
      let gate = LoadGate()
      let user = AsyncResource(options: LoadOptions(gate: gate)) { try await server.wait() }
      let orders = AsyncResource(following: user.observed.map(\.value)) { "orders of \($0)" }
      let count = AsyncResource(.of(orders) { "count of \($0)" })
      func get() async -> String {
        do { return try await way == "get" ? orders.get() : count.get() } catch { return "\(type(of: error))" }
      }
      await expectEqual(get(), "NoKeyError", "nothing is being requested")
      expect(isCancelled(await count.load()))
      expect(!count.isRunning)
      expect(!count.snapshot.isLoading)
      gate.close()
      user.start()
      let waiting = Waiting { await get() }
      let left = Waiting { await get() }
      await waiting.begun()
      await left.begun()
      expect(user.isWaiting)
      expectNil(waiting.result)
      left.cancel()
      await expectEqual(left.end(), "CancellationError")
      gate.open()
      server.answer(call: 1, with: isKnown ? .success("ann") : .failure(Failure()))
      let expected = isKnown ? (way == "get" ? "orders of ann" : "count of orders of ann") : "NoKeyError"
      await expectEqual(waiting.end(), expected)
      guard isKnown else { return }
      await atRest(orders, count)
      expectEqual(count.value, "count of orders of ann")
    }

    @Test("9.4 a reset without a key has ended without an answer, as has what is paced; with one a request is expected")
    func reset() async {
      let display = PacedStatus(profile, pacer: DisplayPacer(clock: ManualClock()))
      for isRequested in [false, true] {
        if isRequested { profile.start() }
        profile.reset()
        expect(!profile.isLoading)
        expectEqual(profile.status, .idle)
        expectEqual(display.status, .idle)
      }
      account.write("ann")
      await profile.settled()
      expectEqual(display.status, .data("profile of ann"))
      profile.reset()
      expect(profile.isLoading)
    }

    @Test("9.8 a command that gets what has no key fails with NoKeyError, and is not retried")
    func mutation() async {
      let retry = RetryPolicy { _ in
        Issue.record("The policy decides about what has no key.")
        return nil
      }
      let options = LoadOptions(retry: retry, clock: ManualClock())
      let follow = AsyncMutation(options: options) { [profile] (_: Int) in try await profile.get() }
      await #expect(throws: NoKeyError()) { try await follow.perform(1).get() }
      guard case .failed(let error, _) = follow.status else {
        Issue.record("The button says nothing: \(follow.status)")
        return
      }
      expect(error is NoKeyError)
    }
  }
}
