// SPDX-License-Identifier: MIT
import AsyncStateTesting

@testable import AsyncState

/// A screen that displays some rows of a list, and says so as one of three adapters does.
@ModelActor
final class EndlessListScreen {
  typealias List = EndlessListServer.List

  private enum Adapter: CaseIterable {
    /// The rows that are visible.
    case range
    /// Each row that appears or disappears.
    case singleRows
    /// A row behind the list alone.
    case footer
  }

  private final class Object {}

  private let object = Object()
  private let adapter: Adapter
  private let height: Int
  private let threshold: Int
  /// It draws in the notification of each list, as a table that is laid out at once. Else it draws later.
  let drawsAtOnce: Bool
  /// The first row that is visible.
  private var top = 1000
  private(set) var isCovered = false
  /// What it has reported, as indices of the list as it is by now; nil: nothing.
  private var reported: DisplayedRows?
  /// The list was changed otherwise than by a page since the last drawing.
  var isOtherList = false

  init(random: inout SeededGenerator) {
    adapter = Adapter.allCases.randomElement(using: &random)!
    height = .random(in: 1...12, using: &random)
    threshold = adapter == .footer ? 0 : .random(in: 1...4, using: &random)
    drawsAtOnce = .random(using: &random)
  }

  // MARK: The person

  func scroll(by rows: Int) { top += rows * 10 }

  func scroll(to row: Int?) { top = row ?? top }

  func toggleCover(_ feed: AsyncResource<List>) {
    isCovered.toggle()
    if isCovered { end(feed) }
  }

  // MARK: Drawing

  /// - Parameter redraws: All rows are drawn again, in one turn.
  /// - Returns: Whether it has reported anything.
  func draw(
    _ feed: AsyncResource<List>, redraws: Bool, _ random: inout SeededGenerator
  ) -> Bool {
    guard !isCovered else { return false }
    let items = feed.value?.items.map(\.id) ?? []
    // The row at the top stays, and the list does not scroll beyond its ends.
    let first = min(items.firstIndex { $0 >= top } ?? items.count, max(items.count - height, 0))
    let visible = first..<min(first + height, items.count)
    if let row = items[visible].first { top = row }
    switch adapter {
    case .range:
      if redraws { for row in visible { feed.displaying(row..<row + 1, threshold: threshold) } }
      feed.displaying(visible, in: object, threshold: threshold)
      reported = DisplayedRows(visible)
      return true
    case .singleRows: return drawSingleRows(visible, feed, redraws: redraws, &random)
    case .footer: return drawFooter(visible.upperBound == items.count ? items.count : nil, feed, redraws: redraws)
    }
  }

  private func drawSingleRows(
    _ visible: Range<Int>, _ feed: AsyncResource<List>, redraws: Bool, _ random: inout SeededGenerator
  ) -> Bool {
    let former = isOtherList ? nil : reported?.all
    isOtherList = false
    guard let former else {
      feed.displaying(visible, threshold: threshold)
      reported = DisplayedRows(visible)
      return true
    }
    let gone = former.filter { redraws || !visible.contains($0) }.sorted()
    let new = redraws ? Array(visible) : visible.filter { !former.contains($0) }
    // What was reported as a range stays one, until a row is reported.
    if gone.isEmpty, new.isEmpty { return false }
    reported = visible.reduce(DisplayedRows()) { $0.inserting($1) }
    for row in gone.shuffled(using: &random) { feed.didEndDisplaying(row: row, threshold: threshold) }
    for row in new.shuffled(using: &random) { feed.willDisplay(row: row, threshold: threshold) }
    return true
  }

  private func drawFooter(_ row: Int?, _ feed: AsyncResource<List>, redraws: Bool) -> Bool {
    guard let row else {
      end(feed)
      return true
    }
    if redraws { end(feed) }
    // A drawing that changes nothing says nothing.
    if reported?.range == row..<row + 1 { return false }
    reported = DisplayedRows(row..<row + 1)
    feed.displaying(row..<row + 1, in: object, threshold: threshold)
    return true
  }

  private func end(_ feed: AsyncResource<List>) {
    switch adapter {
    case .range, .footer:
      feed.endDisplaying(in: object)
      reported = nil
    case .singleRows:
      for row in reported?.all ?? [] { feed.didEndDisplaying(row: row, threshold: threshold) }
      reported = reported.map { _ in DisplayedRows() }
    }
  }

  // MARK: What the laws have of it

  /// - Parameter index: Where a row is by now; nil: it was removed.
  func moveRows(to index: (Int) -> Int?) { reported = reported?.moved(to: index) }

  func isNear(_ edge: PageEdge, _ count: Int) -> Bool {
    guard let rows = reported?.range, count > 0, !rows.isEmpty else { return reported != nil && count == 0 }
    return edge == .next ? rows.upperBound - 1 >= count - threshold : rows.lowerBound < threshold
  }
}

extension EndlessListScreen {
  /// The adapter, and what it has reported.
  var content: String { "\(adapter) \(reported.map { "\($0.range)" } ?? "-")" }
}

/// A call of a person's, in a task of its own.
@ModelActor
final class PersonsCall {
  /// The edge of the page that is requested; nil: the call is about something else.
  let edge: PageEdge?
  private(set) var isOver = false
  private(set) var task = Task {}

  init(_ edge: PageEdge?, _ body: @escaping @ModelActor () async -> Void) {
    self.edge = edge
    task = ModelActor.task {
      await body()
      self.isOver = true
    }
  }
}
