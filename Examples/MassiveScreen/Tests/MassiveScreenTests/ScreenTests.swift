// SPDX-License-Identifier: MIT
import AsyncStateTesting
import Testing

@testable import MassiveScreen

/// The list: loading, search, refresh and pages. Favourites and cells stand in files of their own.
@Suite("The massive screen", .timeLimit(.minutes(1)))
@MainActor
struct ScreenTests {
  // MARK: Loading

  @Test("the products are displayed", arguments: Version.allCases)
  func products(_ version: Version) async throws {
    try await check(version) { scene in
      #expect(scene.screen.content == .blank)
      await scene.load("apple", "banana")
      #expect(scene.names == ["apple", "banana"])
    }
  }

  @Test("no products are a message", arguments: Version.allCases)
  func empty(_ version: Version) async throws {
    try await check(version) { scene in
      await scene.load()
      #expect(scene.screen.content == .message("No products", canRetry: false))
    }
  }

  @Test("an error is a message, and a retry recovers", arguments: Version.allCases)
  func retry(_ version: Version) async throws {
    try await check(version) { scene in
      scene.screen.viewDidLoad()
      await scene.fail(1, "No connection")
      #expect(scene.screen.content == .message("No connection", canRetry: true))
      scene.screen.retry()
      await scene.answer(2, "apple")
      #expect(scene.names == ["apple"])
      #expect(scene.screen.banner == nil)
    }
  }

  @Test("the indicator does not flash for a quick answer", arguments: Version.allCases)
  func flash(_ version: Version) async throws {
    try await check(version, byHandFails: true) { scene in
      scene.screen.viewDidLoad()
      await scene.clock.advance(by: .milliseconds(199))
      #expect(scene.screen.content == .blank)
      await scene.answer(1, "apple")
      #expect(scene.names == ["apple"])
    }
  }

  @Test("the indicator is displayed after 200 ms, and then for 500 ms", arguments: Version.allCases)
  func indicator(_ version: Version) async throws {
    try await check(version, byHandFails: true) { scene in
      scene.screen.viewDidLoad()
      await scene.clock.advance(by: .milliseconds(200))
      #expect(scene.screen.content == .loading)
      await scene.answer(1, "apple")
      #expect(scene.screen.content == .loading)
      await scene.clock.advance(by: .milliseconds(500))
      #expect(scene.names == ["apple"])
    }
  }

  @Test("a screen that is released ends its requests", arguments: Version.allCases)
  func release(_ version: Version) async throws {
    try await check(version, byHandFails: true) { scene in
      scene.screen.viewDidLoad()
      await scene.server.pages.arrived(1)
      scene.release()
      await scene.turn()
      #expect(scene.server.cancelCount == 1)
      // Whatever is left ends with the test.
      scene.server.pages.answer(call: 1, with: .failure(Failure("released")))
    }
  }

  // MARK: Search

  @Test("a text is requested when it has not changed for 300 ms", arguments: Version.allCases)
  func debounce(_ version: Version) async throws {
    try await check(version) { scene in
      await scene.load("apple", "banana")
      scene.screen.search("b")
      await scene.clock.advance(by: .milliseconds(299))
      scene.screen.search("ba")
      await scene.clock.advance(by: .milliseconds(299))
      #expect(scene.names == ["apple", "banana"])
      await scene.clock.advance(by: .milliseconds(1))
      await scene.answer(2, "banana")
      #expect(scene.names == ["banana"])
      #expect(scene.requests == ["@0", "ba@0"])
    }
  }

  @Test("an answer for a former text is not displayed", arguments: Version.allCases)
  func lateAnswer(_ version: Version) async throws {
    try await check(version, byHandFails: true, isDeaf: true) { scene in
      await scene.load("apple", "banana")
      scene.screen.search("a")
      await scene.clock.advance(by: .milliseconds(300))
      await scene.server.pages.arrived(2)
      scene.screen.search("b")
      await scene.clock.advance(by: .milliseconds(300))
      await scene.answer(3, "banana")
      #expect(scene.names == ["banana"])
      await scene.answer(2, "apple")
      #expect(scene.names == ["banana"])
    }
  }

  @Test("a search that another one replaces is not an error", arguments: Version.allCases)
  func cancelIsNoError(_ version: Version) async throws {
    try await check(version, byHandFails: true) { scene in
      await scene.load("apple", "banana")
      scene.screen.search("a")
      await scene.clock.advance(by: .milliseconds(300))
      await scene.server.pages.arrived(2)
      scene.screen.search("b")
      await scene.turn()
      #expect(scene.screen.banner == nil)
      await scene.clock.advance(by: .milliseconds(300))
      await scene.answer(3, "banana")
      #expect(scene.names == ["banana"])
    }
  }

  // MARK: Refresh

  @Test("a refresh keeps the list, and replaces it", arguments: Version.allCases)
  func refresh(_ version: Version) async throws {
    try await check(version) { scene in
      await scene.load("apple")
      scene.screen.pullToRefresh()
      await scene.server.pages.arrived(2)
      #expect(scene.screen.isRefreshing)
      #expect(scene.names == ["apple"])
      await scene.answer(2, "apple", "cherry")
      #expect(!scene.screen.isRefreshing)
      #expect(scene.names == ["apple", "cherry"])
    }
  }

  @Test("a refresh that fails is a banner beside the list", arguments: Version.allCases)
  func failedRefresh(_ version: Version) async throws {
    try await check(version) { scene in
      await scene.load("apple")
      scene.screen.pullToRefresh()
      await scene.fail(2, "No connection")
      #expect(!scene.screen.isRefreshing)
      #expect(scene.names == ["apple"])
      #expect(scene.screen.banner == "No connection")
      scene.screen.pullToRefresh()
      await scene.answer(3, "apple")
      #expect(scene.screen.banner == nil)
    }
  }

  @Test("pulling twice is one request", arguments: Version.allCases)
  func pullTwice(_ version: Version) async throws {
    try await check(version, byHandFails: true) { scene in
      await scene.load("apple")
      scene.screen.pullToRefresh()
      scene.screen.pullToRefresh()
      await scene.answer(2, "banana")
      #expect(scene.names == ["banana"])
      #expect(!scene.screen.isRefreshing)
      #expect(scene.requests.count == 2)
      if scene.requests.count > 2 { await scene.answer(3, "banana") }
    }
  }

  // MARK: Pages

  @Test("the last rows request the next page, once", arguments: Version.allCases)
  func pages(_ version: Version) async throws {
    try await check(version) { scene in
      await scene.load("apple", "banana", "cherry", "date", next: 4)
      scene.screen.willDisplay(row: 0)
      await scene.turn()
      #expect(scene.screen.footer == .none)
      scene.screen.willDisplay(row: 2)
      scene.screen.willDisplay(row: 3)
      await scene.server.pages.arrived(2)
      #expect(scene.screen.footer == .loading)
      await scene.answer(2, "elderberry")
      #expect(scene.names == ["apple", "banana", "cherry", "date", "elderberry"])
      #expect(scene.screen.footer == .none)
      scene.screen.willDisplay(row: 4)
      await scene.turn()
      #expect(scene.requests == ["@0", "@4"])
    }
  }

  @Test("a page that fails leaves the list, and is requested again", arguments: Version.allCases)
  func failedPage(_ version: Version) async throws {
    try await check(version) { scene in
      await scene.load("apple", "banana", next: 2)
      scene.screen.willDisplay(row: 1)
      await scene.fail(2, "No connection")
      #expect(scene.names == ["apple", "banana"])
      #expect(scene.screen.footer == .error("No connection"))
      // It is scrolled away, and back.
      scene.screen.didEndDisplaying(row: 1)
      await scene.turn()
      scene.screen.willDisplay(row: 1)
      await scene.answer(3, "cherry")
      #expect(scene.names == ["apple", "banana", "cherry"])
      #expect(scene.screen.footer == .none)
    }
  }

  @Test("a page of the list before a refresh is not appended to the new list", arguments: Version.allCases)
  func latePage(_ version: Version) async throws {
    try await check(version, byHandFails: true, isDeaf: true) { scene in
      await scene.load("apple", "banana", next: 2)
      scene.screen.willDisplay(row: 1)
      await scene.server.pages.arrived(2)
      scene.screen.pullToRefresh()
      await scene.answer(3, "fig")
      await scene.answer(2, "cherry")
      #expect(scene.names == ["fig"])
      #expect(scene.screen.footer == .none)
    }
  }
}
