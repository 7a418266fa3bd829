// SPDX-License-Identifier: MIT
// Feature: the pages that displayed rows want (9.15).
//
// The wish follows from the rows that were reported last. It is looked at after each event, when all observers have been
// notified. So a page whose request has ended without an answer is requested again as soon as nothing is in its way, without
// another report. Only a page that has failed or was cancelled rests.

/// The rows that were reported last, and the edges whose page is not requested for them.
final class PageWish: DataFeature {
  /// Nil: the list is not displayed.
  private(set) var rows: DisplayedRows?
  /// The number of rows from an edge within which a displayed row wants the page at that edge.
  private(set) var threshold = 3
  /// The object that has reported last, if it is known.
  private weak var reporter: AnyObject?
  /// The edges whose page has failed or was cancelled, and is not requested again by itself.
  private(set) var resting: Set<PageEdge> = []
  /// True if rows near a resting edge may have been scrolled away: a page has begun to rest, or rows were reported. A change of the
  /// list moves rows, too, and is no reason.
  private var mayHaveLeft = false
  /// The number of rows without identity that a page adds before the others, while it arrives.
  var growth = 0
  /// Moves the rows with their items, if the list was written since. Not called in the middle of an event, because identities are
  /// compared.
  var follow: () -> Void = {}
  /// Requests the pages that are wanted. The resource that the data belongs to sets it.
  var look: () -> Void = {}

  var place: FeaturePlace { .pages }

  func take(_ event: DataEvent, _ ends: DataEnds, of request: LoadRun?, _ record: DataRecord, in step: inout DataStep) {
    let edge = request?.edge
    switch event {
    case .began: if let edge { resting.remove(edge) }
    case .failed: if let edge { rest([edge]) }
    // A request that ends because no caller wants it any more was not cancelled by a caller.
    case .cancelled: if let edge, request?.interest.isLost != true { rest([edge]) }
    case .cancelledAll: rest([.next, .previous])
    case .answered where edge == .previous: rows = rows?.moved(by: growth)
    case .answered where edge == nil: resting = []
    case .set, .reset, .keyChanged, .keyRemoved, .forgotten, .combined: resting = []
    case .answered, .errorSet, .errorRemoved, .invalidated, .yielded, .progressed, .waited, .continued, .retried,
      .dropped, .foundFresh, .elementArrived, .streamEnded, .patched, .patchConfirmed, .patchRemoved, .updated,
      .patchDoubted, .restored, .keyMissing:
      break
    }
  }

  private func rest(_ edges: Set<PageEdge>) {
    resting.formUnion(edges)
    mayHaveLeft = true
  }

  func didNotify() {
    follow()
    look()
  }

  // MARK: Reports

  /// Replaces the rows, as a list has reported.
  ///
  /// - Parameter reporter: The list, if it reports its end.
  func report(_ threshold: Int, by reporter: AnyObject?, _ change: (DisplayedRows) -> DisplayedRows) {
    follow()
    rows = change(rows ?? DisplayedRows())
    self.threshold = min(max(threshold, 0), Int.max / 4)
    self.reporter = reporter
    mayHaveLeft = true
  }

  /// Notes that a list is not displayed any more. Without effect if another one has reported since.
  func end(_ list: AnyObject) {
    if reporter === list { (rows, mayHaveLeft) = (nil, true) }
  }

  /// True if rows near a resting edge may have been scrolled away. It is true only once after each report.
  func takeLeaving() -> Bool {
    defer { mayHaveLeft = false }
    return mayHaveLeft && !resting.isEmpty
  }

  /// Ends the rest of an edge whose rows were scrolled away.
  func leave(_ edge: PageEdge) { resting.remove(edge) }

  func move(to rows: DisplayedRows) { self.rows = rows }
}

extension AsyncData {
  /// The rows that were reported last; nil before the first report.
  var pageWish: PageWish? { features.feature(at: .pages) }

  /// Marks the displayed rows by the items that they have: they follow these, whatever changes the list.
  func markRows<Item, Cursor>() where Value == Paged<Item, Cursor> {
    guard let wish = pageWish else { return }
    let (written, identity, items) = (revision.display, ItemIdentity<Item>.known, displayed?.items ?? [])
    let rows = identity == nil || items.isEmpty ? [] : wish.rows?.marks ?? []
    // A row behind the items, such as a footer, follows the last one; one before them, where a list begins later, the first one.
    let end = items.count - 1
    let marks = Dictionary(uniqueKeysWithValues: rows.map { ($0, items[min(max($0, 0), end)]) })
    wish.follow = { [weak self, weak wish] in
      guard let self, let wish, revision.display != written else { return }
      if let rows = wish.rows, let list = displayed {
        let moved = computing {
          rows.moved { row in
            marks[row].flatMap(list.index(ofSameAs:)).map { $0 + max(row - end, 0) + min(row, 0) }
          }
        }
        wish.move(to: moved)
      }
      markRows()
    }
  }

  /// The rows that were reported last, created when first needed.
  var requiredPageWish: PageWish {
    if let wish = pageWish { return wish }
    let wish = PageWish()
    state.core.features.set(wish)
    return wish
  }

  /// True if a row near an edge was reported last, or the list is displayed and has no rows.
  func isDisplayed<Item, Cursor>(_ edge: PageEdge) -> Bool where Value == Paged<Item, Cursor> {
    guard let wish = pageWish, let rows = wish.rows?.range, let list = displayed else { return false }
    return list.items.isEmpty
      || !rows.isEmpty && list.isNear(edge, edge == .next ? rows.upperBound - 1 : rows.lowerBound, wish.threshold)
  }

  /// True if the page at an edge is wanted and may be requested: nothing runs, or the page itself, which is then for the rows, too.
  func wantsPage<Item, Cursor>(at edge: PageEdge) -> Bool where Value == Paged<Item, Cursor> {
    let order = state.core.order
    guard order.isEmpty || order.running?.edge == edge, !state.core.record.isOfFormerKey,
      pageWish?.resting.contains(edge) == false, let list = displayed, list.cursor(at: edge) != nil, isDisplayed(edge)
    else { return false }
    // A page arrives below the changes that are not decided. Where one of these displays another list, it would not be seen.
    guard let below = valueBelowChanges, below.origin === list.origin else { return false }
    return displayed(above: below)?.origin === list.origin
  }
}
