// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// A request that a command awaits is cancelled, and the command is not.
  @MainActor
  struct InterruptedTests {
    let gate = ManualServer<String>()

    /// A token whose request is cancelled while a command awaits it.
    private func tokenThatIsCancelled() -> AsyncResource<String> { AsyncResource { [gate] in try await gate.wait() } }

    @Test("16.8 a mutation that is cancelled is cancelled, also where its operation throws for that")
    func cancelled() async {
      let token = tokenThatIsCancelled()
      let like = AsyncMutation<Int, String>(operation: { _ in try await token.get() })
      let task = like.perform(5)
      await gate.arrived(1)
      like.cancel()
      guard case .cancelled = await task.outcome() else { return expect(false) }
      expectNil(like.error)
      expectNil(like.retry())
    }

    enum Kind: CaseIterable { case mutation, outbox, commit }
    /// Where the token is awaited.
    enum Place: CaseIterable { case operation, timedOperation, interceptor }

    @Test(
      "3.12, 16.3, 16.8, 17.5 what a command awaits is cancelled: it has failed, and can be sent again, or waits in its outbox",
      arguments: Kind.allCases, Place.allCases)
    func interrupted(kind: Kind, place: Place) async {
      let token = tokenThatIsCancelled()
      let options =
        switch place {
        case .operation: LoadOptions.timeless
        case .timedOperation: LoadOptions(timeout: .seconds(60), clock: ManualClock())
        case .interceptor:
          LoadOptions(clock: ManualClock(), interceptors: [Authorizing { @MainActor in try await token.get() }])
        }
      func operation() async throws { if place != .interceptor { _ = try await token.get() } }
      let like = AsyncMutation<Int, Void>(options: options) { _ in try await operation() }
      let send = AsyncOutbox<Int, Void>(store: MemoryOutboxStore(), options: options, isPermanent: { _, _ in true }) {
        _, _ in try await operation()
      }
      let likes = AsyncData<Int>(options: options)
      likes.value = 1
      let change = Waiting<String> {
        switch kind {
        case .mutation: return "\(await like.perform(5).outcome())"
        case .outbox:
          send.perform(5)
          await send.settled()
          return "\(send.lastError.map { "\($0)" } ?? ""), \(send.state.waitingCount) waiting"
        case .commit: return "\(await likes.mutate({ $0 += 1 }) { try await operation() })"
        }
      }
      await gate.arrived(1)
      token.cancel()
      let end = await change.end()
      expect(end.contains("\(RequestInterruptedError())"), "\(end)")
      expect((kind != .outbox || end.contains("1 waiting")), "\(end)")
      expectEqual(likes.value, 1)
      guard kind != .commit else { return }
      let again = kind == .mutation ? like.retry() : send.retryFailed()
      await gate.answer(arriving: 2, with: .success("token"))
      guard case .success? = await again?.outcome() else { return expect(false, "it is sent again") }
    }

    @Test("3.9, 3.20, 16.8 a commit that a log-out has ended is no interrupted one: it is not tried again")
    func loggedOut() async {
      let tally = Tally()
      let authorizing = Authorizing {
        tally.note("attempt")
        return ""
      }
      let likes = AsyncData<Int>(options: LoadOptions(retry: RetryPolicy { _ in .zero }, interceptors: [authorizing]))
      likes.value = 1
      let change = Waiting { await likes.mutate({ $0 += 1 }) { [gate] in try await gate.wait() } }
      await gate.arrived(1)
      likes.forget()
      gate.answer(call: 1, with: .failure(Failure()))
      guard case .superseded = await change.end() else { return expect(false) }
      await likes.settled()
      expectEqual(tally.entries, ["attempt"])
      expectNil(likes.value)
    }
  }
}
