// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct RelyingOnOthersTests {
    @Test(
      "3.4, 20.2 a refresh for a screen outlives another screen that has joined it and is left, also after a restart")
    func heldAfterRestart() async {
      let source = AsyncResource { 1 }
      let gate = ManualServer<Int>()
      let sum = AsyncResource(.of(source) { $0 * 10 + (try await gate.wait()) })
      gate.answer(call: 1, with: .success(0))
      await sum.load()
      source.data.value = 2
      await gate.arrived(2)
      let other = Waiting { await sum.load() }
      await sum.awaited(by: 1)
      source.data.value = 3
      await gate.arrived(3)
      other.cancel()
      _ = await other.end()
      gate.answer(call: 3, with: .success(0))
      await sum.settled()
      expectEqual(sum.value, 30)
      expect(!sum.isStale)
    }

    @Test("20.1, 3.4 a change that the running load is to bring is brought, though the caller of that load is left")
    func reliedOnCaller() async {
      let source = AsyncResource { 1 }
      let gate = ManualServer<Int>()
      let slow = AsyncResource(options: LoadOptions(staleAfter: .zero)) { try await gate.wait() }
      let sum = AsyncResource(.of(source, slow) { $0 * 10 + $1 })
      gate.answer(call: 1, with: .success(0))
      await sum.load()
      let other = Waiting { await sum.load() }
      await gate.arrived(2)
      source.data.value = 2
      other.cancel()
      _ = await other.end()
      gate.answer(call: 2, with: .success(0))
      gate.answer(call: 3, with: .success(0))
      await sum.settled()
      expectEqual(sum.value, 20)
      expect(!sum.snapshot.isInvalidated)
    }

    @Test("20.1 a failure that an observer has mended is none for what is made of it")
    func mendedByObserver() async {
      let source = AsyncResource<Int> { throw Failure() }
      let fallback = source.observe { if $0.error != nil { source.data.value = 7 } }
      let copy = AsyncResource(.of(source) { $0 })
      await copy.load()
      await copy.settled()
      expectEqual(copy.value, 7)
      expectNil(copy.error)
      withExtendedLifetime(fallback) {}
    }

    @Test("20.1, 3.12 what a server makes of a value is requested again when a change of that is confirmed")
    func confirmed() async {
      let onServer = Input([1])
      let cart = AsyncResource { onServer.current }
      // The server adds up what it has.
      let total = AsyncResource(.of(cart) { _ in onServer.current.reduce(0, +) })
      await total.load()
      let commit = ManualServer<Void>()
      let order = Waiting {
        await cart.mutate {
          $0.append(10)
        } commit: {
          try await commit.wait()
          onServer.write(onServer.current + [10])
        }
      }
      await commit.arrived(1)
      await total.settled()
      expectEqual(cart.value, [1, 10])
      expectEqual(total.value, 1)
      commit.answer(call: 1, with: .success(()))
      _ = await order.end()
      await total.settled()
      expectEqual(total.value, 11)
      expect(!total.isStale)
    }
  }
}
