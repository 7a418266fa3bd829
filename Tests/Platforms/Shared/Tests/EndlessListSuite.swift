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

/// A server with a hundred rows in pages of ten. It can fail, be slow, and count.
@MainActor
final class EndlessServer {
  var isOffline = false
  /// Pages are named by the number of rows before them.
  var counts = false
  /// Its calls wait at the gate.
  var isSlow = false
  let gate = ManualServer<Void>()
  private(set) var rows = Array(0..<100)
  private(set) var requested: [Int] = []

  func page(_ request: PageRequest<Int, Int>) async throws -> Paged<Int, Int>.Page {
    let first = counts ? request.list?.items.count ?? 0 : request.cursor ?? 0
    requested.append(first)
    if isSlow { try await gate.wait() }
    if isOffline { throw Offline() }
    let end = min(first + 10, rows.count)
    return .init(items: Array(rows[first..<end]), next: end < rows.count ? end : nil)
  }

  func delete(_ row: Int) { rows.removeAll { $0 == row } }

  func takeRequested() -> [Int] {
    defer { requested = [] }
    return requested
  }
}

/// What holds for an endless list in each framework (8.5, 9.15).
@MainActor
struct EndlessListSuite<Screen: EndlessListScreen> {
  private let server = EndlessServer()
  private let feed: AsyncResource<Paged<Int, Int>>
  private let screen: Screen
  private var faults: [String] = []
  private var row = 0

  private init(_: Screen.Type) async {
    feed = AsyncResource(.pages { [server] page in try await server.page(page) })
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

  /// A server that is slow, and one that counts.
  static func faultsWithServers(reset: () -> Void = {}) async -> [String] {
    reset()
    var slow = await Self(Screen.self)
    await slow.slow()
    reset()
    var counting = await Self(Screen.self)
    await counting.counting()
    return slow.faults + counting.faults
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

  /// A person scrolls about, and pulls, while a page is on its way.
  private mutating func slow() async {
    _ = server.takeRequested()
    server.isSlow = true
    scroll(to: 5)
    await screen.draw()
    await server.gate.arrived(1)
    for row in [0, 5, 3, 5] {
      scroll(to: row)
      screen.redraw()
      await screen.draw()
    }
    if server.requested != [10] { faults.append("slow: \(server.requested) instead of one page") }
    let refresh = feed.refresh()
    await server.gate.arrived(2)
    await screen.draw()
    server.gate.answer(call: 2, with: .success(()))
    _ = await refresh.outcome()
    await server.gate.arrived(3)
    await screen.draw()
    server.gate.answer(call: 3, with: .success(()))
    await expect([10, 0, 10], "slow: a page that a refresh has superseded")
    if feed.value?.items.count != 20 { faults.append("slow: \(feed)") }
  }

  /// A person deletes rows, and scrolls to the end.
  private mutating func counting() async {
    server.counts = true
    for count in 1...20 where feed.value?.next != nil {
      guard let row = feed.value?.items[count] else { continue }
      await feed.mutate { list in
        list.items.firstIndex(of: row).map { _ = list.remove(at: $0) }
      } commit: { [server] in
        server.delete(row)
      }
      scroll(to: max((feed.value?.items.count ?? 0) - 5, 0))
      await settle()
    }
    if feed.value?.items != server.rows || feed.value?.next != nil {
      faults.append("counting: \(feed.value?.items ?? [])")
    }
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
        _ = feed.refresh()
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
