// SPDX-License-Identifier: MIT
import AsyncStateTesting
import Testing

extension AllTests {
  struct CallNumberTests {
    #if os(macOS) || os(Linux) || os(Windows)
      @Test("answering it, or waiting for its end, stops the process with a message")
      func stops() async throws {
        for (call, isAnswered) in [(0, true), (-1, true), (0, false)] {
          let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [call = call as Int, isAnswered = isAnswered as Bool] in
            let server = ManualServer<Int>()
            if isAnswered { server.answer(call: call, with: .success(1)) } else { await server.ended(call) }
          }
          for part in [
            "AsyncStateTesting: there is no call \(call) at a ManualServer", "wait for ever", "numbered from 1",
          ] {
            expectEqual(result.errorText.contains(part), true, "\(call) \(isAnswered): \(part)")
          }
        }
      }
    #endif

    @Test("none have always arrived, and none always sleep", arguments: [0, -1])
    func none(count: Int) async {
      await ManualServer<Int>().arrived(count)
      await ManualClock().sleepers(atLeast: count)
    }
  }
}
