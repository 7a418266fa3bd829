import AsyncStateTesting
import Testing

@testable import MassiveScreen

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

  // MARK: Favourites

  @Test("a favourite is displayed at once, and stays when the server has it", arguments: Version.allCases)
  func favourite(_ version: Version) async throws {
    try await check(version) { scene in
      await scene.load("apple", "banana")
      scene.screen.toggleFavourite(97)
      await scene.server.favourites.arrived(1)
      #expect(scene.favourites == ["apple"])
      await scene.answer(scene.server.favourites, 1, .success(()))
      #expect(scene.favourites == ["apple"])
      #expect(scene.changes == ["97 true"])
    }
  }

  @Test("a favourite that fails is taken back, with a banner", arguments: Version.allCases)
  func failedFavourite(_ version: Version) async throws {
    try await check(version) { scene in
      await scene.load("apple", "banana")
      scene.screen.toggleFavourite(97)
      await scene.answer(scene.server.favourites, 1, .failure(Failure("Not allowed")))
      #expect(scene.favourites == [])
      #expect(scene.screen.banner == "Not allowed")
      scene.screen.pullToRefresh()
      await scene.answer(2, "apple", "banana")
      #expect(scene.screen.banner == nil)
    }
  }

  @Test("a favourite that fails does not take back another", arguments: Version.allCases)
  func lostFavourite(_ version: Version) async throws {
    try await check(version, byHandFails: true) { scene in
      await scene.load("apple", "banana")
      scene.screen.toggleFavourite(97)
      await scene.server.favourites.arrived(1)
      scene.screen.toggleFavourite(98)
      await scene.answer(scene.server.favourites, 2, .success(()))
      await scene.answer(scene.server.favourites, 1, .failure(Failure("Not allowed")))
      #expect(scene.favourites == ["banana"])
    }
  }

  @Test("a refresh does not undo a favourite that the server does not have yet", arguments: Version.allCases)
  func refreshedFavourite(_ version: Version) async throws {
    try await check(version, byHandFails: true) { scene in
      await scene.load("apple", "banana")
      scene.screen.toggleFavourite(97)
      await scene.server.favourites.arrived(1)
      scene.screen.pullToRefresh()
      await scene.answer(2, "apple", "banana")
      #expect(scene.favourites == ["apple"])
      await scene.answer(scene.server.favourites, 1, .success(()))
      #expect(scene.favourites == ["apple"])
    }
  }

  @Test("an answer from before a favourite was confirmed does not undo it", arguments: Version.allCases)
  func olderAnswer(_ version: Version) async throws {
    try await check(version, byHandFails: true) { scene in
      await scene.load("apple", "banana")
      scene.screen.toggleFavourite(97)
      await scene.server.favourites.arrived(1)
      scene.screen.pullToRefresh()
      await scene.server.pages.arrived(2)
      await scene.answer(scene.server.favourites, 1, .success(()))
      await scene.answer(2, "apple", "banana")
      #expect(scene.favourites == ["apple"])
    }
  }

  @Test("changes of one product reach the server in order", arguments: Version.allCases)
  func order(_ version: Version) async throws {
    try await check(version, byHandFails: true) { scene in
      await scene.load("apple")
      scene.screen.toggleFavourite(97)
      await scene.server.favourites.arrived(1)
      scene.screen.toggleFavourite(97)
      await scene.turn()
      #expect(scene.changes == ["97 true"])
      await scene.answer(scene.server.favourites, 1, .success(()))
      await scene.answer(scene.server.favourites, 2, .success(()))
      #expect(scene.changes == ["97 true", "97 false"])
      #expect(scene.favourites == [])
    }
  }

  // MARK: Cells

  @Test("a cell displays its name at once, and its price when it arrives", arguments: Version.allCases)
  func cell(_ version: Version) async throws {
    try await check(version) { scene in
      let cell = scene.screen.makeCell()
      cell.configure(with: Product(id: 1, name: "apple"))
      cell.willDisplay()
      await scene.server.prices.arrived(1)
      #expect((cell.name, cell.price) == ("apple", "…"))
      await scene.answer(scene.server.prices, 1, .success("1.20"))
      #expect(cell.price == "1.20")
    }
  }

  @Test("a cell that is reused does not display the price of its former product", arguments: Version.allCases)
  func reusedCell(_ version: Version) async throws {
    try await check(version, byHandFails: true, isDeaf: true) { scene in
      let cell = scene.screen.makeCell()
      cell.configure(with: Product(id: 1, name: "apple"))
      cell.willDisplay()
      await scene.server.prices.arrived(1)
      cell.didEndDisplaying()
      cell.prepareForReuse()
      cell.configure(with: Product(id: 2, name: "banana"))
      cell.willDisplay()
      await scene.answer(scene.server.prices, 2, .success("0.80"))
      await scene.answer(scene.server.prices, 1, .success("1.20"))
      #expect((cell.name, cell.price) == ("banana", "0.80"))
    }
  }

  @Test("a cell that is not displayed requests nothing", arguments: Version.allCases)
  func hiddenCell(_ version: Version) async throws {
    try await check(version, byHandFails: true) { scene in
      let cell = scene.screen.makeCell()
      cell.configure(with: Product(id: 1, name: "apple"))
      await scene.turn()
      #expect(scene.priceRequests.isEmpty)
      cell.willDisplay()
      await scene.server.prices.arrived(1)
      cell.didEndDisplaying()
      await scene.turn()
      #expect(scene.server.cancelCount == 1)
      cell.willDisplay()
      await scene.turn()
      // A cell that is displayed again requests again.
      #expect(scene.priceRequests.count == 2)
      scene.server.prices.answer(call: 1, with: .failure(Failure("hidden")))
    }
  }
}
