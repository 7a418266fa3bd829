// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting

/// An endless list on a screen, made with the adapters of one framework. Five rows are visible.
@MainActor
protocol EndlessListScreen: AnyObject {
  init(_ feed: AsyncResource<Paged<Int, Int>>)
  /// So many rows are above.
  func scroll(to row: Int)
  /// Displays everything anew, as a list that loads its rows again.
  func redraw()
  /// A row behind the items, as one that says "loading" or "failed"; nil: none.
  func setStatusRow(_ text: String?)
  /// Draws what has changed.
  func draw() async
}

/// A server with a hundred rows in pages of ten.
@MainActor
final class EndlessServer {
  struct Offline: Error {}

  var isOffline = false
  private(set) var requested: [Int] = []

  func page(at cursor: Int?) throws -> Paged<Int, Int>.Page {
    let first = cursor ?? 0
    requested.append(first)
    if isOffline { throw Offline() }
    return .init(items: Array(first..<first + 10), next: first < 90 ? first + 10 : nil)
  }

  func takeRequested() -> [Int] {
    defer { requested = [] }
    return requested
  }
}

/// What holds for an endless list in each framework (8.5, 9.14 to 9.16).
@MainActor
struct EndlessListSuite<Screen: EndlessListScreen> {
  private let server = EndlessServer()
  private let feed: AsyncResource<Paged<Int, Int>>
  private let screen: Screen
  private var faults: [String] = []
  private var row = 0

  private init(_: Screen.Type) async {
    feed = AsyncResource(pages: { [server] page in try server.page(at: page.cursor) })
    await feed.load()
    screen = Screen(feed)
    await settle()
  }

  /// What a person does who meets failures.
  ///
  /// - Parameter reset: Makes the stand-in as it was at first.
  /// - Returns: What is wrong.
  static func faultsAtFailures(reset: () -> Void = {}) async -> [String] {
    reset()
    var suite = await Self(Screen.self)
    await suite.failures()
    return suite.faults
  }

  /// A thousand persons who do anything, one after another; a tenth of `SEQUENCES`.
  static func faultsAtRandom(reset: () -> Void = {}) async -> [String] {
    for seed in 0..<Sequences.count / 10 {
      reset()
      var suite = await Self(Screen.self)
      await suite.random(seed: seed, steps: 30)
      if !suite.faults.isEmpty { return suite.faults }
    }
    return []
  }

  /// Draws, and waits for what that requests, until nothing follows any more.
  private func settle() async {
    var count = -1
    while count != server.requested.count {
      count = server.requested.count
      await screen.draw()
      await feed.settled()
    }
    await screen.draw()
  }

  private mutating func expect(_ requested: [Int], _ what: String) async {
    await settle()
    let actual = server.takeRequested()
    if actual != requested { faults.append("\(what): \(actual) instead of \(requested)") }
  }

  private mutating func scroll(to row: Int) {
    self.row = row
    screen.scroll(to: row)
  }

  /// A person scrolls to an end that cannot be loaded, and what may happen there.
  private mutating func failures() async {
    await expect([0], "the first rows want nothing")
    scroll(to: 5)
    await expect([10], "one page, and not one more")
    scroll(to: 15)
    await expect([20], "the same at its end")
    server.isOffline = true
    scroll(to: 25)
    await expect([30], "a page that fails")
    for count in 0..<20 {
      screen.setStatusRow(count.isMultiple(of: 2) ? "Failed \(count)" : nil)
      await settle()
      screen.redraw()
      await settle()
    }
    await expect([], "rows that are inserted, changed, or drawn again request nothing")
    await feed.load()
    await expect([0], "nor does a refresh that fails")
    server.isOffline = false
    // Answered before anything is drawn.
    await feed.load()
    await expect([0, 10, 20, 30], "a refresh that is answered")
    server.isOffline = true
    scroll(to: 35)
    await expect([40], "another page that fails")
    scroll(to: 20)
    await expect([], "away from it")
    server.isOffline = false
    scroll(to: 35)
    await expect([40], "and back")
    server.isOffline = true
    scroll(to: 45)
    await expect([50], "a third page that fails")
    server.isOffline = false
    await feed.loadNext()
    await expect([50], "a person tries it again")
    server.isOffline = true
    scroll(to: 55)
    _ = feed.refresh()
    await expect([0, 60], "the refresh fails, and then the page")
  }

  /// Whatever a person does: no page is requested without a reason, and none that is wanted is left.
  private mutating func random(seed: Int, steps: Int) async {
    var generator = Generator(seed: seed)
    _ = server.takeRequested()
    for step in 0..<steps where faults.isEmpty {
      let wasResting = feed.nextPage.error != nil
      var mayRetry = false
      let what: String
      switch Int.random(in: 0..<10, using: &generator) {
      case 0..<4:
        let last = (feed.value?.items.count ?? 5) - 5
        // Far enough to leave the end, or not at all.
        scroll(to: [0, max(last - 8, 0), last, last].randomElement(using: &generator)!)
        mayRetry = true
        what = "scroll to \(row)"
      case 4:
        screen.redraw()
        what = "redraw"
      case 5:
        screen.setStatusRow(["Loading", "Failed", nil].randomElement(using: &generator)!)
        what = "status row"
      case 6:
        server.isOffline.toggle()
        what = "offline: \(server.isOffline)"
      case 7:
        await feed.load()
        mayRetry = !server.isOffline
        what = "pull"
      case 8:
        _ = feed.refresh()
        _ = feed.refresh(replacing: true)
        mayRetry = !server.isOffline
        what = "pull twice"
      default:
        await feed.loadNext()
        mayRetry = true
        what = "retry"
      }
      await settle()
      let pages = server.takeRequested().filter { $0 != 0 }
      if wasResting, !mayRetry, !pages.isEmpty { faults.append("seed \(seed), step \(step), \(what): \(pages)") }
      if server.isOffline, pages.count > 1 { faults.append("seed \(seed), step \(step), \(what): \(pages), offline") }
      let isAtEnd = row + 5 >= (feed.value?.items.count ?? 0)
      if isAtEnd, feed.value?.next != nil, feed.nextPage.error == nil {
        faults.append("seed \(seed), step \(step), \(what): the list has stopped")
      }
    }
  }
}
