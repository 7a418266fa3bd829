// SPDX-License-Identifier: MIT
import AsyncStateLists
import AsyncState
import Testing

#if os(macOS) || os(Linux) || os(Windows)
  extension AllTests {
    struct RecycledTwiceTests {
      final class Row {}

      @Test(
        "8.3 the process stops with a message that names the object's type and the key", arguments: ["row", "header"])
      func stops(key: String) async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) { [key] in
          let pool = ReusePool<String, Row>()
          let row = Row()
          pool.recycle(row, for: "row")
          pool.recycle(row, for: key)
        }
        for part in ["is in the ReusePool already (a Row, for the key \(key))", "two rows", "Recycle each object once"]
        {
          #expect(result.errorText.contains(part))
        }
      }
    }
  }
#endif
