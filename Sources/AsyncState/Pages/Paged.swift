// SPDX-License-Identifier: MIT
/// A list that is loaded in pages: the items of the pages that were loaded so far. It can be extended at both edges.
/// [3.13](<doc:Contract-Pages#3.13-Pages>)
///
/// If the items are `Identifiable`, each identity is in the list once: a page that repeats one replaces the item in its
/// place. The item stays as long as one of the pages that have it.
public struct Paged<Item, Cursor> {
  /// One page, as a backend returns it.
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

  /// The number of items and the cursors of one page, so that a page beside it that was removed can be loaded again.
  struct Extent {
    var count: Int
    /// The cursor that the page has returned as its own, or else the one that it was requested with; nil: none.
    var own: Cursor?
    var next: Cursor?
    var previous: Cursor?
    /// The items of the page that another page had already. They are counted there, and stay when that page is removed.
    var repeated: [Item] = []
  }

  /// The items of all pages that are kept, in order.
  public internal(set) var items: [Item] = []
  private var extents: [Extent] = []
  /// The indices of the items; empty if the items have no identity.
  var places = ItemPlaces()

  /// Creates a list with its first page.
  public init(first: Page) {
    self.init(first: first, at: nil)
  }

  /// Creates a list whose first page was requested with a cursor.
  init(first: Page, at cursor: Cursor?) {
    if ItemIdentity<Item>.known == nil {
      items = first.items
      extents = [Extent(count: first.items.count, own: first.own ?? cursor, next: first.next, previous: first.previous)]
    } else {
      append(first)
      extents[0].own = first.own ?? cursor
    }
  }

  /// The cursor of the page after the last one; nil: there is none.
  public var next: Cursor? { extents.isEmpty ? nil : extents[extents.count - 1].next }

  /// The cursor of the page before the first one; nil: there is none.
  public var previous: Cursor? { extents.isEmpty ? nil : extents[0].previous }

  /// The cursor of the outermost page itself; nil: it has returned none, and was requested without one.
  func own(at edge: PageEdge) -> Cursor? { edge == .next ? extents.last?.own : extents.first?.own }

  /// The edge at which a refresh requests one page after another: the last one, unless only the page before each can be requested, as
  /// in a chat that begins with its last messages.
  var refreshedEdge: PageEdge {
    let hasNext = extents.dropLast().allSatisfy { $0.next != nil }
    let hasPrevious = extents.dropFirst().allSatisfy { $0.previous != nil }
    return hasPrevious && !hasNext ? .previous : .next
  }

  /// The page of the item at an index; the last one, if there is none.
  private func page(of index: Int) -> (number: Int, isFirst: Bool) {
    var first = 0
    for (number, extent) in extents.enumerated() {
      if index < first + extent.count { return (number, isFirst: index == first) }
      first += extent.count
    }
    return (extents.count - 1, isFirst: false)
  }

  /// Counts an item that was inserted. It is not known to which of two pages an item between them belongs, so it stays
  /// as long as one of them.
  mutating func noteInsertion(at index: Int) {
    let page = page(of: index)
    extents[page.number].count += 1
    if page.isFirst, page.number > 0 { extents[page.number - 1].repeated.append(items[index]) }
  }

  /// Subtracts the item at an index from its page, before it is removed.
  mutating func noteRemoval(at index: Int) { extents[page(of: index).number].count -= 1 }

  /// The number of pages that are kept.
  public var pageCount: Int { extents.count }

  // MARK: Extending

  /// Adds a page at the end. Items that are in the list already are replaced in their places. New items that the page
  /// has before the last item of the list are inserted before that item (9.17).
  ///
  /// - Complexity: O(*m*) for *m* items of the page, averaged over many calls. O(*n*) for *n* items of the list if
  ///   pages are removed, or a copy of the list exists.
  ///
  /// - Parameters:
  ///   - page: The page after the last one.
  ///   - maxPages: The largest number of pages to keep; surplus pages are removed at the beginning. A number below one
  ///     counts as one; nil: all are kept.
  public mutating func append(_ page: Page, maxPages: Int? = nil) {
    add(page, at: .next, maxPages)
  }

  /// Adds a page at the beginning. Items that are in the list already are replaced in their places. New items that the
  /// page has after the first item of the list are inserted after that item (9.17).
  ///
  /// - Complexity: O(*n*) for *n* items, which move in memory.
  ///
  /// - Parameters:
  ///   - page: The page before the first one.
  ///   - maxPages: The largest number of pages to keep; surplus pages are removed at the end. A number below one counts
  ///     as one; nil: all are kept.
  public mutating func prepend(_ page: Page, maxPages: Int? = nil) {
    add(page, at: .previous, maxPages)
  }
}

extension Paged: Sendable where Item: Sendable, Cursor: Sendable {}
extension Paged.Page: Sendable where Item: Sendable, Cursor: Sendable {}
extension Paged.Extent: Sendable where Item: Sendable, Cursor: Sendable {}
extension Paged.Page: Equatable where Item: Equatable, Cursor: Equatable {}

extension Paged.Extent: Equatable where Cursor: Equatable {
  static func == (left: Self, right: Self) -> Bool {
    left.count == right.count && left.own == right.own && left.next == right.next && left.previous == right.previous
  }
}

extension Paged: Equatable where Item: Equatable, Cursor: Equatable {
  /// Returns true if the items are equal, and the pages have equal cursors and numbers of items.
  public static func == (left: Paged, right: Paged) -> Bool {
    left.extents == right.extents && left.items == right.items
  }
}

// MARK: - Adding a page in two steps

extension Paged {
  func cursor(at edge: PageEdge) -> Cursor? {
    switch edge {
    case .next: next
    case .previous: previous
    }
  }

  mutating func add(_ page: Page, at edge: PageEdge, _ maxPages: Int? = nil) {
    _ = add(addition(of: page, at: edge, maxPages), at: edge)
  }

  /// The effect of a page on a list. It is found before the list is changed, because comparing identities runs the
  /// user's code.
  struct Addition {
    let page: Page
    /// The rows of the page that belong between rows of the list (9.17), in the order in which they are inserted. They
    /// are inserted first.
    var between: [(index: Int, item: Item, hash: Int)] = []
    /// The other rows that are not in the list, each once, and their hashes.
    var new: [Item] = []
    var hashes: [Int] = []
    /// The rows that are in the list already, with their indices there.
    var again: [(index: Int, item: Item)] = []
    /// The pages that are removed at the other edge: their number, the indices of their items, and the hashes of these.
    var evictedPages = 0
    var evicted = 0..<0
    var evictedHashes: [Int] = []
    /// The indices of the removed pages' items that stay, because another page has them, too.
    var kept: [Int] = []

    /// The number of items by which the list grows.
    var growth: Int { between.count + new.count + kept.count - evicted.count }

    /// The new index of an item of the list that is in no evicted page.
    func index(of index: Int, at edge: PageEdge) -> Int {
      let index = between.reduce(index) { index, row in row.index <= index ? index + 1 : index }
      return index + (edge == .next ? kept.count - evicted.count : new.count)
    }
  }

  /// Finds the effect of a page on this list, without changing it.
  ///
  /// - Parameters:
  ///   - rows: The rows that are not removed, even if there are more pages than `maxPages`; nil: all may be removed.
  ///   - canReturn: True if no page is removed that no cursor leads back to.
  ///   - isOlder: True if the list is newer than the page: rows that are in the list already stay as they are.
  func addition(
    of page: Page, at edge: PageEdge, _ maxPages: Int?, sparing rows: Range<Int>? = nil, canReturn: Bool = false,
    isOlder: Bool = false
  ) -> Addition {
    let identity = ItemIdentity<Item>.known
    var addition = Addition(page: page)
    if let identity { addition.between = found(in: page, betweenRowsAt: edge, identity) }
    // The list is copied only if there are such rows.
    var list = self
    if !addition.between.isEmpty { list.insert(addition.between, at: edge) }
    if let maxPages { list.findSurplus(of: &addition, at: edge, maxPages, sparing: rows, canReturn: canReturn) }
    if let identity {
      list.findItems(of: &addition, at: edge, identity, isOlder: isOlder)
    } else {
      addition.new = page.items
    }
    return addition
  }

  /// Finds the surplus pages at the other edge.
  private func findSurplus(
    of addition: inout Addition, at edge: PageEdge, _ maxPages: Int, sparing rows: Range<Int>?, canReturn: Bool
  ) {
    let reach = rows.map { addition.index(of: $0.lowerBound, at: edge)..<addition.index(of: $0.upperBound, at: edge) }
    while addition.evictedPages < extents.count + 1 - max(maxPages, 1) {
      let page = edge == .next ? addition.evictedPages : extents.count - 1 - addition.evictedPages
      if canReturn, !leadsBack(to: page, at: edge, addition.page) { return }
      let count = addition.evicted.count + extents[page].count
      if let reach, edge == .next ? count > reach.lowerBound : items.count - count < reach.upperBound { return }
      addition.evicted = edge == .next ? 0..<count : items.count - count..<items.count
      addition.evictedPages += 1
    }
  }

  /// True if the page beside a page that is removed has a cursor that leads back to it.
  ///
  /// - Parameter added: The page that is added at the edge.
  private func leadsBack(to number: Int, at edge: PageEdge, _ added: Page) -> Bool {
    switch edge {
    case .next: (number + 1 < extents.count ? extents[number + 1].previous : added.previous) != nil
    case .previous: (number > 0 ? extents[number - 1].next : added.next) != nil
    }
  }

  /// Divides the items of the page into new and repeated ones, and finds the items of removed pages that stay.
  private func findItems(
    of addition: inout Addition, at edge: PageEdge, _ identity: ItemIdentity<Item>, isOlder: Bool
  ) {
    var newPlaces = ItemPlaces()
    for item in addition.page.items {
      let hash = identity.hash(item)
      if let index = places.index(hash, where: { identity.areSame(items[$0], item) }) {
        addition.again.append((index, isOlder ? items[index] : item))
      } else if let index = newPlaces.index(hash, where: { identity.areSame(addition.new[$0], item) }) {
        addition.new[index] = item
      } else {
        newPlaces.insert(addition.new.count, hash: hash)
        addition.new.append(item)
        addition.hashes.append(hash)
      }
    }
    guard !addition.evicted.isEmpty else { return }
    addition.evictedHashes = items[addition.evicted].map(identity.hash)
    let staying = edge == .next ? extents.dropFirst(addition.evictedPages) : extents.dropLast(addition.evictedPages)
    let repeated = staying.flatMap { $0.repeated }.compactMap { item in
      places.index(identity.hash(item)) { identity.areSame(items[$0], item) }
    }
    addition.kept = Set(repeated + addition.again.map { $0.index }).filter(addition.evicted.contains).sorted()
  }

  /// Finds the rows of a page that belong between rows of the list, and not beyond its edge: those that are not in the
  /// list, and that the page has before the last row of the list or, at the other edge, after the first one (9.17).
  private func found(
    in page: Page, betweenRowsAt edge: PageEdge, _ identity: ItemIdentity<Item>
  ) -> [(index: Int, item: Item, hash: Int)] {
    guard let outermost = edge == .next ? items.last : items.first,
      page.items.contains(where: { identity.areSame($0, outermost) })
    else { return [] }
    var rows: [(index: Int, item: Item, hash: Int)] = []
    // The index of the row of the list beside which the next new row belongs.
    var neighbour: Int?
    for item in edge == .next ? page.items.reversed() : page.items {
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

  /// Inserts rows. Each one belongs to the page of the row beside it.
  private mutating func insert(_ rows: [(index: Int, item: Item, hash: Int)], at edge: PageEdge) {
    for row in rows {
      extents[page(of: edge == .next ? row.index : row.index - 1).number].count += 1
      places.shift(from: row.index, by: 1)
      places.insert(row.index, hash: row.hash)
      items.insert(row.item, at: row.index)
    }
  }

  /// Adds a page in place, without running code of the items.
  ///
  /// - Returns: The values that were replaced or removed, to be released when the list is complete.
  mutating func add(_ addition: Addition, at edge: PageEdge) -> (items: [Item], extents: [Extent]) {
    let new = addition.new
    if !addition.between.isEmpty { insert(addition.between, at: edge) }
    let replaced = addition.again.map { items[$0.index] }
    for (index, item) in addition.again { items[index] = item }
    let extent = Extent(
      count: new.count, own: addition.page.own ?? cursor(at: edge), next: addition.page.next,
      previous: addition.page.previous, repeated: addition.again.map { $0.item })
    var former = (items: replaced, extents: [Extent]())
    if addition.evictedPages > 0 { evict(addition, at: edge, to: &former) }
    switch edge {
    case .next:
      for (index, hash) in addition.hashes.enumerated() { places.insert(items.count + index, hash: hash) }
      items += new
      extents.append(extent)
      extents[0].count += addition.kept.count
    case .previous:
      places.move(by: new.count)
      for (index, hash) in addition.hashes.enumerated() { places.insert(index, hash: hash) }
      items.insert(contentsOf: new, at: 0)
      extents.insert(extent, at: 0)
      extents[extents.count - 1].count += addition.kept.count
    }
    return former
  }

  /// Moves the surplus pages at the other edge to `former`. The items that another page has, too, stay in the list.
  private mutating func evict(
    _ addition: Addition, at edge: PageEdge, to former: inout (items: [Item], extents: [Extent])
  ) {
    let evicted = addition.evicted
    let pages = edge == .next ? 0..<addition.evictedPages : extents.count - addition.evictedPages..<extents.count
    former.items += items[evicted]
    former.extents = Array(extents[pages])
    for (index, hash) in zip(evicted, addition.evictedHashes) { places.remove(index, hash: hash) }
    items.replaceSubrange(evicted, with: addition.kept.map { items[$0] })
    extents.removeSubrange(pages)
    if edge == .next { places.move(by: addition.kept.count - evicted.count) }
    for (index, kept) in addition.kept.enumerated() {
      places.insert(evicted.lowerBound + index, hash: addition.evictedHashes[kept - evicted.lowerBound])
    }
  }
}

extension AsyncData {
  /// The number of pages of a value; nil if it is no ``Paged``. For code that does not know the type of the items.
  static func pageCount(of value: Value) -> Int? { (value as? any PageCounting)?.pageCount }
}

private protocol PageCounting {
  var pageCount: Int { get }
}

extension Paged: PageCounting {}

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
