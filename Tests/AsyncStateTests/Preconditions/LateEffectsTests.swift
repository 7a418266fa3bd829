// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

// Exit tests are only where processes can be started.
#if os(macOS) || os(Linux) || os(Windows)
  extension AllTests {
    @MainActor
    struct LateEffectsTests {
      @Test("16.7 a debug build stops where `changing` follows `perform`, and says what to do")
      func mutation() async throws {
        #if DEBUG
          let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            @MainActor in
            let (count, add) = (AsyncResource { 1 }, AsyncMutation<Int, Int> { $0 })
            add.changing({ _ in count }) { $0 += $1 }
            await add.perform(1).outcome()
            add.changing({ _ in count }) { $0 += $1 }
          }
          #expect(result.errorText.contains("`changing` was called after an input was performed"))
          #expect(result.errorText.contains("Call it where the mutation or the outbox is created"))
        #endif
      }

      @Test("16.7 the same for `invalidating` of an outbox")
      func outbox() async throws {
        #if DEBUG
          let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            @MainActor in
            let outbox = AsyncOutbox<Int, Int>(
              store: MemoryOutboxStore(), options: .timeless, isPermanent: { _, _ in true }
            ) { input, _ in
              input
            }
            await outbox.perform(1).outcome()
            outbox.invalidating(AsyncTagBoard()) { _, _ in [] }
          }
          #expect(result.errorText.contains("`invalidating` was called after an input was performed"))
        #endif
      }
    }
  }
#endif
