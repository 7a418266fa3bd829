// SPDX-License-Identifier: MIT
import AsyncStateTesting
import Testing

@testable import AsyncState

extension AllTests {
  /// A task that prefers an executor gives others a turn at every call of an isolated async function, and so before it
  /// has suspended. What a call waits for may happen then.
  @ModelActor
  struct WaysToWaitTests {
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

    enum Kind: CaseIterable { case mutation, acceptance, outcome, load, resource, value, transition }

    /// A call of something that ends with `cause`, or is over already.
    private func make(_ kind: Kind, _ answer: Promise<Int>) -> (
      call: @ModelActor () async -> Void, cause: @ModelActor () -> Void
    ) {
      let data = AsyncData<Int>()
      let resource = AsyncResource<Int>(isolation: ModelActor.shared) { .value { await answer.wait() } }
      switch kind {
      case .mutation:
        let send = AsyncMutation<Int, Int>(isolation: ModelActor.shared) { _ in await answer.wait() }
        let task = send.perform(1)
        return ({ _ = await task.outcome() }, { send.cancel() })
      case .acceptance:
        let send = AsyncOutbox<Int, Int>(
          isolation: ModelActor.shared, store: MemoryOutboxStore(), options: .timeless, isPermanent: { _, _ in false }
        ) { _, _ in await answer.wait() }
        let task = send.perform(1)
        return ({ try? await task.accepted() }, {})
      case .outcome:
        let task = data.start { await answer.wait() }
        return ({ _ = await task.outcome() }, { data.cancel() })
      case .load: return ({ _ = await data.load { await answer.wait() } }, { data.value = 1 })
      case .resource: return ({ _ = await resource.load() }, { resource.data.value = 1 })
      case .value: return ({ _ = try? await resource.get() }, { resource.data.value = 1 })
      case .transition:
        let container = StateContainer<Int>(initialState: 0) { _ in [] }
        container.willAppear(animated: false)
        return (
          { _ = await container.transition(to: 1, animated: false) }, { container.didAppear(animated: false) }
        )
      }
    }

    @Test(
      "2.1, 5.4, 9.8, 16.2, 17.1 what is waited for ends, in whichever turn of the call its cause is",
      arguments: Kind.allCases)
    func ends(kind: Kind) async {
      // More than a call takes before it has suspended.
      for turns in 0..<12 {
        let answer = Promise<Int>()
        let (call, cause) = make(kind, answer)
        await expectEqual(returns(turns, call, cause: cause), true, "\(turns)")
        answer.keep(1)
        await ModelActor.idle()
      }
    }

    @Test("2.1 what settles has done so, in whichever turn of the call the last operation ends")
    func settled() async {
      for turns in 0..<12 {
        let (data, former, answer) = (AsyncData<Int>(), Promise<Int>(), Promise<Int>())
        data.start { await former.wait() }
        let task = data.start { await answer.wait() }
        let settled = ModelActor.task { await data.untilSettled() }
        after(turns) { for operation in [former, answer] { operation.keep(1) } }
        _ = await task.outcome()
        await settled.value
        expectEqual(data.value, 1)
      }
    }
  }
}
