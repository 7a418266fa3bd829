// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

// Exit tests are only where processes can be started.
#if os(macOS) || os(Linux) || os(Windows)
  extension AllTests {
    @MainActor
    struct EndlessRequestsTests {
      @Test("9.17 a standing cursor and pages without items are said in debug builds")
      func endings() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) {
          @MainActor in
          let standing = AsyncResource(.pages { page in Paged<Int, Int>.Page(items: [page.cursor ?? 0], next: 1) })
          await standing.load()
          await standing.loadNext()
          let empty = AsyncResource(.pages { page in Paged<Int, Int>.Page(items: [], next: (page.cursor ?? 0) + 1) })
          await empty.load()
        }
        let expected = isDebugBuild ? 1 : 0
        expectEqual(result.outputText.occurrences(of: "names the same cursor"), expected)
        expectEqual(result.outputText.occurrences(of: "eleven pages in a row have no items"), expected)
      }
    }
  }
#endif
