// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

// Exit tests are only where processes can be started.
#if os(macOS) || os(Linux) || os(Windows)
  extension AllTests {
    @MainActor
    struct LateEffectsTests {
      enum Late: String, Codable, CaseIterable {
        case changing, invalidating

        @MainActor func make() async {
          switch self {
          case .changing:
            let (count, add) = (AsyncResource { 1 }, AsyncMutation<Int, Int> { $0 })
            add.changing({ _ in count }) { $0 += $1 }
            await add.perform(1).outcome()
            add.changing({ _ in count }) { $0 += $1 }
          case .invalidating:
            let outbox = AsyncOutbox<Int, Int>(
              store: MemoryOutboxStore(), options: .timeless, isPermanent: { _, _ in true }
            ) { input, _ in
              input
            }
            await outbox.perform(1).outcome()
            outbox.invalidating(AsyncTagBoard()) { _, _ in [] }
          }
        }
      }

      @Test("16.7 a debug build stops where `changing` or `invalidating` follows `perform`, and says what to do")
      func stops() async throws {
        #if DEBUG
          for late in Late.allCases {
            let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
              [late = late as Late] in
              await late.make()
            }
            for part in [
              "`\(late)` was called after an input was performed",
              "Call it where the mutation or the outbox is created",
            ] {
              expectEqual(result.errorText.contains(part), true, "\(late): \(part)")
            }
          }
        #endif
      }
    }
  }
#endif
