// SPDX-License-Identifier: MIT
import AsyncStateTesting
import Testing

@testable import AsyncState

extension AllTests {
  /// A task that prefers an executor gives others a turn at every call of an isolated async function, and so before it
  /// has suspended. What a call waits for may happen then.
  @ModelActor
  struct WaysToWaitTests {
    /// More than a call takes before it has suspended.
    nonisolated static let turns = 0..<12

    let data = AsyncData<Int>()
    let answer = Held()

    /// An operation that returns when the test says so.
    @ModelActor final class Held {
      private var continuations: [CheckedContinuation<Int, Never>] = []
      private var isOpen = false

      func wait() async -> Int {
        if isOpen { return 1 }
        return await withCheckedContinuation { if isOpen { $0.resume(returning: 1) } else { continuations.append($0) } }
      }

      func open() {
        isOpen = true
        for continuation in continuations { continuation.resume(returning: 1) }
        continuations = []
      }
    }

    /// Whether a call returns although its cause follows so many turns after it was begun.
    private func returns(
      _ turns: Int, _ call: @escaping @ModelActor () async -> Void, cause: @escaping @ModelActor () -> Void
    ) async -> Bool {
      var hasReturned = false
      ModelActor.task {
        await call()
        hasReturned = true
      }
      after(turns, cause)
      await ModelActor.idle()
      // It may have come before the call had begun anything.
      cause()
      await ModelActor.idle()
      return hasReturned
    }

    private func after(_ turns: Int, _ cause: @escaping @ModelActor () -> Void) {
      if turns == 0 { return cause() }
      Task { @ModelActor in after(turns - 1, cause) }
    }

    private func send() -> AsyncMutation<Int, Int> {
      AsyncMutation(isolation: ModelActor.shared) { [answer] input in await answer.wait() }
    }

    @Test("2.1, 16.2 the outcome of a mutation", arguments: turns)
    func mutation(_ turns: Int) async {
      let send = send()
      let task = send.perform(1)
      #expect(await returns(turns, { _ = await task.outcome() }, cause: { send.cancel() }))
      answer.open()
    }

    @Test("2.1, 17.1 the acceptance by an outbox", arguments: turns)
    func acceptance(_ turns: Int) async {
      let send = AsyncOutbox<Int, Int>(
        isolation: ModelActor.shared, store: MemoryOutboxStore(), options: .timeless, isPermanent: { _, _ in false }
      ) { [answer] input, _ in await answer.wait() }
      let task = send.perform(1)
      #expect(await returns(turns, { try? await task.accepted() }, cause: {}))
      answer.open()
      _ = await task.outcome()
    }

    @Test("2.1 the outcome of a load, and a call that began it", arguments: turns)
    func load(_ turns: Int) async {
      let (data, answer) = (data, answer)
      let task = data.start { await answer.wait() }
      #expect(await returns(turns, { _ = await task.outcome() }, cause: { data.cancel() }))
      #expect(await returns(turns, { _ = await data.load { await answer.wait() } }, cause: { data.value = 1 }))
      answer.open()
    }

    @Test("2.1, 9.8 a call of a resource, and one that waits for its value", arguments: turns)
    func resource(_ turns: Int) async {
      let answer = answer
      let resource = AsyncResource<Int>(isolation: ModelActor.shared) { .value { await answer.wait() } }
      #expect(await returns(turns, { _ = await resource.load() }, cause: { resource.data.value = 1 }))
      resource.reset()
      #expect(await returns(turns, { _ = try? await resource.get() }, cause: { resource.data.value = 1 }))
      answer.open()
    }

    @Test("2.1 what settles", arguments: turns)
    func settled(_ turns: Int) async {
      let (data, answer) = (data, answer)
      data.start { await answer.wait() }
      let task = data.start { await answer.wait() }
      let settled = ModelActor.task { await data.untilSettled() }
      after(turns) { answer.open() }
      _ = await task.outcome()
      await settled.value
      expectEqual(data.value, 1)
    }

    @Test("2.1, 5.4 a transition", arguments: turns)
    func transition(_ turns: Int) async {
      let container = StateContainer<Int>(initialState: 0) { _ in [] }
      container.willAppear(animated: false)
      #expect(
        await returns(
          turns, { _ = await container.transition(to: 1, animated: false) },
          cause: {
            container.didAppear(animated: false)
          }))
    }
  }
}
