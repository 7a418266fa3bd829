// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

// Exit tests are only where processes can be started.
#if os(macOS) || os(Linux) || os(Windows)
  extension AllTests {
    @MainActor
    struct EndlessRequestsTests {
      final class Screen {}

      nonisolated private static func count(of text: String, in output: String) -> Int {
        output.split(separator: text, omittingEmptySubsequences: false).count - 1
      }

      /// Messages are of debug builds.
      nonisolated private static var isDebugBuild: Bool {
        #if DEBUG
          true
        #else
          false
        #endif
      }

      /// A list of a hundred pages.
      private static func makeFeed() -> AsyncResource<Paged<Int, Int>> {
        AsyncResource(pages: { page in
          let first = page.cursor ?? 0
          return .init(items: Array(first..<first + 10), next: first < 990 ? first + 10 : nil)
        })
      }

      @Test("9.17 a footer that is displayed all the time loads all pages, and debug builds say it once")
      func displayedAllTheTime() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) {
          @MainActor in
          let (feed, screen) = (Self.makeFeed(), Screen())
          await feed.load()
          // As of a container that is not lazy: it is behind all rows.
          feed.displaying(0..<Int.max, in: screen)
          await feed.settled()
          precondition(feed.value?.items.count == 1000)
        }
        let expected = Self.isDebugBuild ? 1 : 0
        for part in ["was displayed all the time", "Put the rows and the footer into a lazy container"] {
          #expect(Self.count(of: part, in: result.outputText) == expected)
        }
      }

      @Test("9.17 a person who scrolls through all pages is no fault")
      func scrolled() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) {
          @MainActor in
          let (feed, screen) = (Self.makeFeed(), Screen())
          await feed.load()
          for row in 0..<1000 {
            feed.displaying(row..<min(row + 5, 1000), in: screen)
            await feed.settled()
          }
          precondition(feed.value?.items.count == 1000)
        }
        #expect(!result.outputText.contains("lazy container"))
      }

      @Test("9.17 a standing cursor and pages without items are said in debug builds")
      func endings() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) {
          @MainActor in
          let standing = AsyncResource(pages: { page in Paged<Int, Int>.Page(items: [page.cursor ?? 0], next: 1) })
          await standing.load()
          await standing.loadNext()
          let empty = AsyncResource(pages: { page in Paged<Int, Int>.Page(items: [], next: (page.cursor ?? 0) + 1) })
          await empty.load()
        }
        let expected = Self.isDebugBuild ? 1 : 0
        #expect(Self.count(of: "names the same cursor", in: result.outputText) == expected)
        #expect(Self.count(of: "eleven pages in a row have no items", in: result.outputText) == expected)
      }
    }
  }
#endif
