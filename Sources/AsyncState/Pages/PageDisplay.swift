// SPDX-License-Identifier: MIT
// Feature: requests of pages for the rows that are displayed near an edge of their list (9.15, 9.16).
//
// The need for a page follows from the displayed rows. It is computed after each event, when all observers have been
// notified. So a page whose request has ended without an answer is requested again as soon as nothing blocks it,
// without another report of its list. Only a page that has failed or was cancelled rests.

/// The rows that the lists of one data object display.
final class PageDisplay: DataFeature {
  /// One list on a screen. It is held weakly, and its rows are ignored when it is released.
  struct List {
    weak var object: AnyObject?
    fileprivate(set) var rows: DisplayedRows
  }

  var lists: [List] = []
  private var resting: Set<PageEdge> = []
  /// True if a page has begun to rest or a list has reported, so that rows of a resting page may have been scrolled
  /// away.
  private var mayHaveLeft = false
  /// The number of pages that have arrived at an edge while a row near it was displayed all the time.
  private var streaks: [PageEdge: Int] = [:]
  /// Requests the pages that are due. The resource that the data belongs to sets it.
  var look: () -> Void = {}

  var place: FeaturePlace { .pages }

  func take(_ event: DataEvent, _ ends: DataEnds, of request: LoadRun?, _ record: DataRecord, in step: inout DataStep) {
    switch event {
    case .pageFailed(let edge, _): rest(at: [edge])
    case .pageEnded(let edge, .cancelled):
      // A request that ends because no caller or holder wants it any more was not cancelled by a caller.
      if request?.interest.isLost != true { rest(at: [edge]) }
    case .cancelledAll: rest(at: [.next, .previous])
    case .pageRequested(let edge): resting.remove(edge)
    case .pageArrived(let edge, _): streaks[edge, default: 0] += 1
    case .set, .reset, .answered, .keyChanged, .keyRemoved, .forgotten, .combined: resting = []
    case .yielded, .restored, .elementArrived, .errorSet, .errorRemoved, .invalidated, .began,
      .progressed, .waited, .continued, .retried, .failed,
      .cancelled,
      .foundFresh, .streamEnded, .patched, .patchConfirmed, .patchRemoved, .updated, .patchDoubted, .pageWaited,
      .pageEnded(_, .superseded), .keyMissing:
      break
    }
  }

  private func rest(at edges: Set<PageEdge>) {
    resting.formUnion(edges)
    mayHaveLeft = true
  }

  func didNotify() { look() }

  // MARK: Reports

  /// Changes the displayed rows of a list, as it has reported.
  func report(in object: AnyObject, _ threshold: Int, _ change: (inout DisplayedRows) -> Void) {
    lists.removeAll { $0.object == nil }
    let known = lists.firstIndex { $0.object === object }
    if known == nil { lists.append(List(object: object, rows: DisplayedRows(threshold: threshold))) }
    let index = known ?? lists.count - 1
    lists[index].rows.threshold = threshold
    change(&lists[index].rows)
    mayHaveLeft = true
  }

  /// Removes a list that is not displayed any more.
  func remove(_ object: AnyObject) {
    lists.removeAll { $0.object == nil || $0.object === object }
    mayHaveLeft = true
  }

  /// Returns the lists with their rows moved, for a page that has arrived. When another list replaces the value, the
  /// rows keep their indices instead (9.14).
  ///
  /// - Parameter index: Returns the new index of a row; nil: the row is removed.
  func lists(movedTo index: (Int) -> Int?) -> [List] {
    lists.map { list in
      var list = list
      list.rows.move(to: index)
      return list
    }
  }

  /// Checks whether a list displays all of its rows, and so requests one page after another. Called when a page is due.
  ///
  /// - Returns: True once, when ten pages have arrived at the edge while a row near it was displayed all the time.
  func takeLongStreak(at edge: PageEdge) -> Bool {
    guard streaks[edge] == 10 else { return false }
    streaks[edge] = 11
    return true
  }

  /// Resets the count of arrived pages. Called when a list has reported and no row near the edge is displayed.
  func endStreak(at edge: PageEdge) { streaks[edge] = nil }

  // MARK: Reading

  /// True if a list displays a row near an edge.
  ///
  /// - Parameter wants: Returns true if a row wants the page there. The row is nil for a list that displays none.
  func isDisplayed(at edge: PageEdge, _ wants: (_ row: Int?, _ threshold: Int) -> Bool) -> Bool {
    lists.contains { $0.object != nil && wants($0.rows.outermost(at: edge), $0.rows.threshold) }
  }

  func isResting(at edge: PageEdge) -> Bool { resting.contains(edge) }

  /// True if rows of a resting page may have been scrolled away. It is true only once after each report.
  func takeLeaving() -> Bool {
    defer { mayHaveLeft = false }
    return mayHaveLeft && !resting.isEmpty
  }

  /// Ends the rest of a page whose rows were scrolled away. It is requested again when they return (9.16).
  func leave(_ edge: PageEdge) { resting.remove(edge) }

  /// The rows that no page may evict; nil: all may be evicted.
  var reach: Range<Int>? {
    let reaches = lists.compactMap { $0.object == nil ? nil : $0.rows.reach }
    guard let first = reaches.map(\.lowerBound).min(), let end = reaches.map(\.upperBound).max() else { return nil }
    return first..<end
  }
}

extension AsyncData {
  /// The rows that lists display; nil before the first report.
  var pageDisplay: PageDisplay? { features.feature(at: .pages) }

  /// The rows that lists display, created when first needed.
  var requiredPageDisplay: PageDisplay {
    if let display = pageDisplay { return display }
    let display = PageDisplay()
    state.core.features.set(display)
    return display
  }

  /// The need for the page at an edge (9.15).
  func needForPage<Item, Cursor>(at edge: PageEdge) -> PageNeed where Value == Paged<Item, Cursor> {
    guard let display = pageDisplay, let pages = displayed else { return .atEnd }
    let core = state.core
    return PageConditions(
      hasCursor: pages.cursor(at: edge) != nil, isRequested: core.order[edge] != nil,
      isDisplayed: isDisplayed(edge), isResting: display.isResting(at: edge),
      isBlocked: core.order.running != nil || core.order.hasWaiting || core.record.context.isRunning
        || core.record.isOfFormerKey || isUndecided(edge)
    ).need
  }

  /// True if a list displays a row near an edge. In a list without items every row is near, and no displayed row is
  /// needed.
  func isDisplayed<Item, Cursor>(_ edge: PageEdge) -> Bool where Value == Paged<Item, Cursor> {
    guard let display = pageDisplay, let pages = displayed else { return false }
    return display.isDisplayed(at: edge) { row, threshold in
      row.map { pages.isNear(edge, $0, threshold) } ?? pages.items.isEmpty
    }
  }
}
