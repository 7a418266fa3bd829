// SPDX-License-Identifier: MIT
/// A list that is loaded in pages: the items of the pages that were loaded so far. It can be extended at both edges.
///
/// If the items are `Identifiable`, each identity is in the list once: a page that repeats one replaces the item in its
/// place.
///
/// A row is added at an end with `append(_:)` or `prepend(_:)`, also where pages are not loaded yet, and among the loaded rows with
/// ``insert(_:at:)``.
public struct Paged<Item, Cursor> {
  /// One page, as a backend returns it.
  ///
  /// Give its cursors to the initialiser. Release builds by Swift 6.3.1 lose the nil of the other one where an asynchronous closure
  /// assigns one of them in each branch.
  public struct Page {
    /// The items of the page.
    public var items: [Item]
    /// The cursor of the next page; nil: this is the last one.
    public var next: Cursor?
    /// The cursor of the previous page; nil: this is the first one.
    public var previous: Cursor?
    /// The cursor of this page itself; nil: the cursor that it was requested with. A backend that chooses the first
    /// page by itself, such as the last messages of a chat, returns it here, so that a refresh begins at the same
    /// place.
    public var own: Cursor?

    /// Creates a page.
    public init(items: [Item], next: Cursor? = nil, previous: Cursor? = nil, own: Cursor? = nil) {
      self.items = items
      self.next = next
      self.previous = previous
      self.own = own
    }
  }

  /// The beginning of a list. A list that was requested anew is another one, whatever its items.
  final class Origin: Sendable {
    /// True if it was requested because a cursor of the list before it had expired.
    let isAfterExpiry: Bool

    init(isAfterExpiry: Bool) {
      self.isAfterExpiry = isAfterExpiry
    }
  }

  /// The list that a page is requested for: the same list with the same pages, whatever changes lie on its rows.
  struct Version: Equatable {
    let origin: Origin
    let pageCount: Int

    /// True if the list has begun anew, and no further page has arrived since.
    var hasBegunAnew: Bool { origin.isAfterExpiry && pageCount == 1 }

    /// True if this list has the pages of another version.
    func has(_ other: Self) -> Bool { origin === other.origin && pageCount >= other.pageCount }

    static func == (left: Self, right: Self) -> Bool {
      left.origin === right.origin && left.pageCount == right.pageCount
    }
  }

  /// The items of all pages, in order, and those that were added by hand.
  public internal(set) var items: [Item] = []
  /// The indices of the items; empty if the items have no identity.
  var places = ItemPlaces()
  /// The numbers of items at both ends that belong beyond pages that are not loaded yet.
  var beyond = (first: 0, last: 0)
  let origin: Origin
  /// The number of pages.
  package private(set) var pageCount = 1
  /// The cursor of the page after the last one; nil: there is none.
  public private(set) var next: Cursor?
  /// The cursor of the page before the first one; nil: there is none.
  public private(set) var previous: Cursor?
  /// The cursors of the outermost pages themselves.
  private var own: (first: Cursor?, last: Cursor?)
  /// False if a page that is not the last one has no next cursor, or one that is not the first no previous one.
  private var leads = (forward: true, back: true)

  /// Creates a list with its first page.
  public init(first: Page) {
    self.init(first: first, at: nil)
  }

  /// Creates a list whose first page was requested with a cursor.
  init(first: Page, at cursor: Cursor?, isAfterExpiry: Bool = false) {
    origin = Origin(isAfterExpiry: isAfterExpiry)
    (next, previous) = (first.next, first.previous)
    own = (first.own ?? cursor, first.own ?? cursor)
    insert(first.items, at: .next)
  }

  var version: Version { Version(origin: origin, pageCount: pageCount) }

  /// The cursor of the outermost page itself; nil: it has returned none, and was requested without one.
  func own(at edge: PageEdge) -> Cursor? {
    switch edge {
    case .next: own.last
    case .previous: own.first
    }
  }

  /// The cursor with which a refresh begins.
  var firstCursor: Cursor? { own(at: refreshedEdge.opposite) }

  /// The edge at which a refresh requests one page after another: the last one, unless only the page before each can be requested, as
  /// in a chat that begins with its last messages.
  var refreshedEdge: PageEdge { leads.back && !leads.forward ? .previous : .next }

  // MARK: Extending

  /// Adds a page at the end. Items that are in the list already are replaced in their places. New items that the page
  /// has before the last item of the list are inserted before that item.
  ///
  /// - Complexity: O(*m*) for *m* items of the page, averaged over many calls. O(*n*) for *n* items of the list if a copy of the
  ///   list exists.
  public mutating func append(_ page: Page) { add(page, at: .next) }

  /// Adds a page at the beginning. Items that are in the list already are replaced in their places. New items that the
  /// page has after the first item of the list are inserted after that item.
  ///
  /// - Complexity: O(*n*) for *n* items, which move in memory.
  public mutating func prepend(_ page: Page) { add(page, at: .previous) }

  mutating func add(_ page: Page, at edge: PageEdge) {
    let outer = takeBeyond(at: edge)
    let pageOwn = page.own ?? cursor(at: edge)
    pageCount += 1
    switch edge {
    case .next:
      leads = (leads.forward && next != nil, leads.back && page.previous != nil)
      (next, own.last) = (page.next, pageOwn)
    case .previous:
      leads = (leads.forward && page.next != nil, leads.back && previous != nil)
      (previous, own.first) = (page.previous, pageOwn)
    }
    insert(page.items, at: edge)
    putBack(outer, at: edge)
  }

  private mutating func insert(_ page: [Item], at edge: PageEdge) {
    guard let identity = ItemIdentity<Item>.known else {
      return edge == .next ? items.append(contentsOf: page) : items.insert(contentsOf: page, at: 0)
    }
    for row in found(in: page, betweenRowsAt: edge, identity) {
      places.shift(from: row.index, by: 1)
      places.insert(row.index, hash: row.hash)
      items.insert(row.item, at: row.index)
    }
    var new: [Item] = []
    var (newPlaces, hashes) = (ItemPlaces(), [Int]())
    for item in page {
      let hash = identity.hash(item)
      if let index = places.index(hash, where: { identity.areSame(items[$0], item) }) {
        items[index] = item
      } else if let index = newPlaces.index(hash, where: { identity.areSame(new[$0], item) }) {
        new[index] = item
      } else {
        newPlaces.insert(new.count, hash: hash)
        new.append(item)
        hashes.append(hash)
      }
    }
    if edge == .previous { places.move(by: new.count) }
    let first = edge == .next ? items.count : 0
    for (index, hash) in hashes.enumerated() { places.insert(first + index, hash: hash) }
    items.insert(contentsOf: new, at: first)
  }

  /// Finds the rows of a page that belong between rows of the list, and not beyond its edge: those that are not in the
  /// list, and that the page has before the last row of the list or, at the other edge, after the first one.
  private func found(
    in page: [Item], betweenRowsAt edge: PageEdge, _ identity: ItemIdentity<Item>
  ) -> [(index: Int, item: Item, hash: Int)] {
    guard let outermost = edge == .next ? items.last : items.first,
      page.contains(where: { identity.areSame($0, outermost) })
    else { return [] }
    var rows: [(index: Int, item: Item, hash: Int)] = []
    // The index of the row of the list beside which the next new row belongs.
    var neighbour: Int?
    for item in edge == .next ? page.reversed() : page {
      let hash = identity.hash(item)
      if let index = places.index(hash, where: { identity.areSame(items[$0], item) }) {
        let isFurther = neighbour.map { edge == .next ? index < $0 : index > $0 }
        if isFurther ?? identity.areSame(item, outermost) { neighbour = index }
      } else if let neighbour, !rows.contains(where: { identity.areSame($0.item, item) }) {
        rows.append((edge == .next ? neighbour : neighbour + 1 + rows.count, item, hash))
      }
    }
    return rows
  }
}

extension Paged: Sendable where Item: Sendable, Cursor: Sendable {}
extension Paged.Page: Sendable where Item: Sendable, Cursor: Sendable {}
extension Paged.Page: Equatable where Item: Equatable, Cursor: Equatable {}

extension Paged: Equatable where Item: Equatable, Cursor: Equatable {
  /// Returns true if the items are equal, and the pages have equal cursors and numbers of items.
  public static func == (left: Paged, right: Paged) -> Bool {
    left.pageCount == right.pageCount && left.next == right.next && left.previous == right.previous
      && left.own == right.own && left.items == right.items
  }
}

extension DisplayPolicy {
  /// The policy for lists in pages: a list without items is displayed as no data.
  ///
  /// - Parameters:
  ///   - errors: The errors that are displayed in the place of content.
  ///   - idle: The status that is displayed before anything was requested.
  public static func emptyIsNoData<Item, Cursor>(
    errors: ErrorDisplay = .afterReload, idle: IdleDisplay = .loading
  ) -> DisplayPolicy where Value == Paged<Item, Cursor> {
    DisplayPolicy(errors: errors, idle: idle, isEmpty: \.items.isEmpty)
  }
}

extension Paged: CustomStringConvertible {
  /// The number of items, as in `3 items`.
  public var description: String { brief(valueOf: items) }
}
