// SPDX-License-Identifier: MIT
// Feature: pages that are wanted, because rows near an edge of their list are displayed.
//
// Wanting is a state. It follows from what the lists of the data display, and is looked at after each event, when all
// observers have been notified: so a page whose request has ended without an answer is requested again as soon as nothing
// stands in the way, and no list has to say anything again. Only a page that has failed, or was cancelled, rests.

/// What the lists of some data display.
final class PageDisplay: DataFeature {
  /// One list on a screen, held weakly. What it has displayed ends with it.
  struct List {
    weak var object: AnyObject?
    fileprivate(set) var rows: DisplayedRows
  }

  var lists: [List] = []
  private var resting: Set<PageEdge> = []
  /// A page has come to rest, or a list has reported, so that rows may have left.
  private var mayHaveLeft = false
  /// How many pages have arrived at an edge since a list has reported rows that are all away from it.
  private var streaks: [PageEdge: Int] = [:]
  /// Looks whether a page is to be requested, by the resource that the data belongs to.
  var look: () -> Void = {}

  var place: FeaturePlace { .pages }

  func take(_ event: DataEvent, _ ends: DataEnds, of request: LoadRun?, _ record: DataRecord, in step: inout DataStep) {
    switch event {
    case .pageFailed(let edge, _): rest(at: [edge])
    case .pageEnded(let edge, .cancelled):
      // A request that is over because no one wants it any more was not cancelled by anyone.
      if request?.interest.isLost != true { rest(at: [edge]) }
    case .cancelledAll: rest(at: [.next, .previous])
    case .pageRequested(let edge): resting.remove(edge)
    case .pageArrived(let edge, _): streaks[edge, default: 0] += 1
    case .set, .reset, .answered, .keyChanged, .keyRemoved, .forgotten, .combined: resting = []
    case .yielded, .restored, .elementArrived, .patchReplaced, .errorSet, .errorRemoved, .invalidated, .began,
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

  /// A list reports what it displays.
  func report(in object: AnyObject, _ threshold: Int, _ change: (inout DisplayedRows) -> Void) {
    lists.removeAll { $0.object == nil }
    let known = lists.firstIndex { $0.object === object }
    if known == nil { lists.append(List(object: object, rows: DisplayedRows(threshold: threshold))) }
    let index = known ?? lists.count - 1
    lists[index].rows.threshold = threshold
    change(&lists[index].rows)
    mayHaveLeft = true
  }

  /// A list is not displayed any more.
  func remove(_ object: AnyObject) {
    lists.removeAll { $0.object == nil || $0.object === object }
    mayHaveLeft = true
  }

  /// The lists, whose rows move with them when a page arrives. In another list they stay where they are.
  ///
  /// - Parameter index: Where a row will be; nil: it is removed.
  func lists(movedTo index: (Int) -> Int?) -> [List] {
    lists.map { list in
      var list = list
      list.rows.move(to: index)
      return list
    }
  }

  /// A page is due.
  ///
  /// - Returns: Whether ten have arrived there, one after another, and the edge was displayed all the time. True once.
  func takeLongStreak(at edge: PageEdge) -> Bool {
    guard streaks[edge] == 10 else { return false }
    streaks[edge] = 11
    return true
  }

  /// A list has reported, and displays no row near the edge.
  func endStreak(at edge: PageEdge) { streaks[edge] = nil }

  // MARK: Reading

  /// Whether a list displays a row near an edge.
  ///
  /// - Parameter wants: Whether a row wants the page there; nil: that of a list that displays no row.
  func isDisplayed(at edge: PageEdge, _ wants: (_ row: Int?, _ threshold: Int) -> Bool) -> Bool {
    lists.contains { $0.object != nil && wants($0.rows.outermost(at: edge), $0.rows.threshold) }
  }

  func isResting(at edge: PageEdge) -> Bool { resting.contains(edge) }

  /// Whether rows of a resting page may have been scrolled away. The answer is given once for each report.
  func takeLeaving() -> Bool {
    defer { mayHaveLeft = false }
    return mayHaveLeft && !resting.isEmpty
  }

  /// The rows of a resting page were scrolled away: when they return, it is requested again.
  func leave(_ edge: PageEdge) { resting.remove(edge) }

  /// The rows that must not be removed; nil: all may be.
  var reach: Range<Int>? {
    let reaches = lists.compactMap { $0.object == nil ? nil : $0.rows.reach }
    guard let first = reaches.map(\.lowerBound).min(), let end = reaches.map(\.upperBound).max() else { return nil }
    return first..<end
  }
}

extension AsyncData {
  /// What lists display; nil before one has reported.
  var pageDisplay: PageDisplay? { features.feature(at: .pages) }

  /// The same, created when first needed.
  var requiredPageDisplay: PageDisplay {
    if let display = pageDisplay { return display }
    let display = PageDisplay()
    state.core.features.set(display)
    return display
  }

  /// What is to be done about the page at an edge.
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

  /// A list displays a row near an edge.
  func isDisplayed<Item, Cursor>(_ edge: PageEdge) -> Bool where Value == Paged<Item, Cursor> {
    guard let display = pageDisplay, let pages = displayed else { return false }
    return display.isDisplayed(at: edge) { row, threshold in
      row.map { pages.isNear(edge, $0, threshold) } ?? pages.items.isEmpty
    }
  }
}
