// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct StoreFailureTests: StoreSuite {
    @Test("12.4 a cache that cannot be read is as if nothing were stored, and nothing is removed")
    func cacheReadFails() async {
      let stage = stage().hold(1)
      stage.store?.put(7, for: 1)
      stage.store?.readError = Failure()
      stage.fail(1)
      await expectEqual(stage.family[1].load(when: .stale).word, "failure failure")
      expectEqual(stage.store?[1]?.value, 7)
      stage.store?.readError = nil
      // It may be read another time.
      let load = stage.family[1].start(when: .stale)
      await stage.gate.arrived(2)
      expectEqual(stage.family[1].value, 7)
      stage.answer(1, 8)
      await expectEqual(load.outcome().word, "value 8")
    }
  }
}
