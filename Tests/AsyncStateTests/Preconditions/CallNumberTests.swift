// SPDX-License-Identifier: MIT
import AsyncStateTesting
import Testing

extension AllTests {
  struct CallNumberTests {
    #if os(macOS) || os(Linux) || os(Windows)
      @Test("answering it stops the process with a message", arguments: [0, -1])
      func answering(call: Int) async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) { [call] in
          ManualServer<Int>().answer(call: call, with: .success(1))
        }
        for part in [
          "AsyncStateTesting: there is no call \(call) at a ManualServer", "wait for ever", "numbered from 1",
        ] {
          #expect(result.errorText.contains(part))
        }
      }

      @Test("waiting for its end stops the process with a message")
      func waiting() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          await ManualServer<Int>().ended(0)
        }
        #expect(result.errorText.contains("there is no call 0 at a ManualServer"))
      }
    #endif

    @Test("none have always arrived, and none always sleep", arguments: [0, -1])
    func none(count: Int) async {
      await ManualServer<Int>().arrived(count)
      await ManualClock().sleepers(atLeast: count)
    }
  }
}
