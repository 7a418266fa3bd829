// SPDX-License-Identifier: MIT
import AsyncStateTesting
import Testing

@testable import AsyncState

extension AllTests {
  /// A table that displays some rows of a list, and reports them together or one by one: its pages arrive without an end, and none
  /// is requested that it does not need.
  @ModelActor
  struct TableModelTests {
    @Test("9.15 a table never stops at an end that has a page, and requests none for rows that are far from it")
    func random() async {
      for setup in TableWorld.Setup.all {
        for seed in Soak.seeds(100) {
          let world = TableWorld(setup, seed: seed)
          guard let fault = await ModelActor.stay({ await world.run(steps: 30) }) else { continue }
          Issue.record("\(setup), seed \(seed): \(fault)")
          break
        }
      }
    }
  }
}

/// A table, its list, and a server whose pages have between one and four rows.
@ModelActor
private final class TableWorld {
  struct Setup {
    var reportsRange: Bool
    /// The list has pages before its first one, too.
    var hasPrevious: Bool
    /// When another list takes the place of the former one, the table draws all rows again; else the rows move in silence.
    var reloads: Bool

    static let all: [Setup] = [false, true].flatMap { range in
      [false, true].flatMap { previous in
        [false, true].map { Setup(reportsRange: range, hasPrevious: previous, reloads: $0) }
      }
    }
  }

  struct Row: Identifiable, Equatable { let id: Int }
  /// The row with which a page begins, or ends.
  struct Cursor: Equatable {
    let row: Int
    let isNext: Bool
  }
  typealias List = Paged<Row, Cursor>

  private let setup: Setup
  private var random: SeededGenerator
  private let feed: AsyncResource<List>
  private let server: Server
  private let height: Int
  private let threshold: Int
  private var items: [Int] = []
  private var top = 0
  /// The indices that the table has reported and that its cells have by now.
  private var displayed = 0..<0
  /// True if it has drawn all rows again, because the first displayed one was not in the list any more.
  private var hasDrawnAgain = false
  private var token: ObservedToken?
  private var history: [String] = []
  private var fault: String?

  @ModelActor final class Server {
    var random: SeededGenerator
    let rows: Range<Int>
    private(set) var waiting: [ManualServer<Void>] = []
    var pageWillBeRequested: (_ isNext: Bool) -> Void = { _ in }

    init(seed: UInt64, rows: Range<Int>) {
      random = SeededGenerator(seed: seed &+ 10_000)
      self.rows = rows
    }

    func page(at cursor: Cursor?) async throws -> List.Page {
      if let cursor { pageWillBeRequested(cursor.isNext) }
      let gate = ManualServer<Void>()
      waiting.append(gate)
      try await gate.wait()
      let count = cursor == nil ? 5 : Int.random(in: 1...4, using: &random)
      let row = cursor?.row ?? 0
      let page = (cursor?.isNext == false ? row - count + 1..<row + 1 : row..<row + count).clamped(to: rows)
      return List.Page(
        items: page.map(Row.init),
        next: page.upperBound < rows.upperBound ? Cursor(row: page.upperBound, isNext: true) : nil,
        previous: page.lowerBound > rows.lowerBound ? Cursor(row: page.lowerBound - 1, isNext: false) : nil)
    }

    func answer(_ result: Result<Void, any Error>) async {
      guard let gate = waiting.indices.randomElement(using: &random).map({ waiting.remove(at: $0) }) else { return }
      gate.answer(call: 1, with: result)
      await gate.ended(1)
    }
  }

  init(_ setup: Setup, seed: UInt64) {
    self.setup = setup
    random = SeededGenerator(seed: seed)
    server = Server(seed: seed, rows: (setup.hasPrevious ? -60 : 0)..<80)
    feed = AsyncResource(isolation: ModelActor.shared) { [server] in
      .pages { page in try await server.page(at: page.cursor) }
    }
    height = .random(in: 1...12, using: &random)
    threshold = .random(in: 1...4, using: &random)
    server.pageWillBeRequested = { [unowned self] in noteRequest(isNext: $0) }
    token = feed.observed.observe { [unowned self] in listDidChange($0.value?.items.map(\.id) ?? []) }
  }

  /// A page is requested for a row near its edge; one of a refresh for all of them.
  private func noteRequest(isNext: Bool) {
    guard !feed.isRunning, !items.isEmpty, !isNear(isNext ? .next : .previous) else { return }
    // A table that draws all rows again reports the last of the former ones only after the change.
    if setup.reloads || hasDrawnAgain, !setup.reportsRange { return }
    fault =
      fault
      ?? "the \(isNext ? "next" : "previous") page is requested for \(displayed) of \(items.count) rows, within \(threshold), \(feed.data.pageWish?.rows?.range ?? 0..<0)"
  }

  private func isNear(_ edge: PageEdge) -> Bool {
    edge == .next ? visible.upperBound > items.count - threshold : visible.lowerBound < threshold
  }

  // MARK: The table

  private var visible: Range<Int> {
    let first = max(0, min(top, items.count - height))
    return first..<min(items.count, first + height)
  }

  private func listDidChange(_ new: [Int]) {
    guard new != items else { return }
    let isPage = !feed.isRunning
    // The first displayed row stays where it is on the screen.
    let anchor = items.indices.contains(top) ? new.firstIndex(of: items[top]) : nil
    let former = displayed
    let moves = anchor != nil && (isPage || !setup.reloads)
    items = new
    if moves, let anchor {
      displayed = former.lowerBound + anchor - top..<former.upperBound + anchor - top
      top = anchor
    } else {
      if !setup.reportsRange { for row in former { feed.didEndDisplaying(row: row, threshold: threshold) } }
      (displayed, hasDrawnAgain) = (0..<0, hasDrawnAgain || !former.isEmpty)
    }
    layOut()
  }

  private func layOut() {
    let (former, now) = (displayed, visible)
    (top, displayed) = (now.lowerBound, now)
    if setup.reportsRange { return feed.displaying(now, threshold: threshold) }
    for row in now where !former.contains(row) { feed.willDisplay(row: row, threshold: threshold) }
    for row in former where !now.contains(row) { feed.didEndDisplaying(row: row, threshold: threshold) }
  }

  private func scroll(by rows: Int) {
    top = max(0, min(top + rows, max(0, items.count - height)))
    layOut()
  }

  // MARK: Steps

  func run(steps: Int) async -> String? {
    feed.start()
    for number in 0..<steps {
      await act()
      await ModelActor.idle()
      if Int.random(in: 0..<4, using: &random) == 0 { await rest() }
      if let fault { return "step \(number), \(history.suffix(12)): \(fault)" }
    }
    return nil
  }

  private func act() async {
    let command = Int.random(in: 0..<14, using: &random)
    history.append("\(command)")
    switch command {
    case 0: feed.refresh()
    case 1: await server.answer(.failure(Failure()))
    case 2: scroll(by: 1000)
    case 3: scroll(by: -1000)
    case 4: feed.cancel()
    case 5, 6: scroll(by: -.random(in: 1...6, using: &random))
    case 7, 8, 9: await server.answer(.success(()))
    default: scroll(by: .random(in: 1...6, using: &random))
    }
  }

  /// Everything is answered: then the pages near the displayed rows are there, or have failed.
  private func rest() async {
    history.append("rest")
    await ModelActor.idle()
    for _ in 0..<200 where !server.waiting.isEmpty {
      await server.answer(.success(()))
      await ModelActor.idle()
    }
    guard let list = feed.value, !items.isEmpty else { return }
    if !server.waiting.isEmpty { fault = "it has requested 200 pages for \(height) rows" }
    let resting = feed.data.pageWish?.resting ?? []
    for edge in PageEdge.allCases where list.cursor(at: edge) != nil && isNear(edge) && !resting.contains(edge) {
      fault =
        "the \(edge) page is not requested for \(visible) of \(items.count) rows, it has \(feed.data.pageWish?.rows?.range ?? 0..<0)"
    }
  }
}
