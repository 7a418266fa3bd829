/// A list that is loaded in pages, as far as it is known. It can be extended at both edges.
public struct Paged<Item, Cursor> {
  /// One page, as a backend returns it.
  public struct Page {
    /// The items of the page.
    public var items: [Item]
    /// Where the next page begins; nil: this is the last one.
    public var next: Cursor?
    /// Where the previous page begins; nil: this is the first one.
    public var previous: Cursor?

    /// Creates a page.
    public init(items: [Item], next: Cursor? = nil, previous: Cursor? = nil) {
      self.items = items
      self.next = next
      self.previous = previous
    }
  }

  /// What is kept of each page besides its items, so that a page that was removed can be loaded again.
  @usableFromInline
  struct Extent {
    @usableFromInline var count: Int
    @usableFromInline var next: Cursor?
    @usableFromInline var previous: Cursor?

    @inlinable
    init(_ page: Page) {
      count = page.items.count
      next = page.next
      previous = page.previous
    }
  }

  /// The items of all pages that are kept, in order.
  public private(set) var items: [Item]
  private var extents: [Extent]

  /// A list of which the first page is known.
  @inlinable
  public init(first: Page) {
    self.init(first.items, [Extent(first)])
  }

  @usableFromInline
  init(_ items: [Item], _ extents: [Extent]) {
    self.items = items
    self.extents = extents
  }

  /// The item at an index of ``items``, which can be changed in place: the pages and their cursors stay as they are.
  public subscript(index: Int) -> Item {
    get { items[index] }
    set { items[index] = newValue }
  }

  /// Where the page after the last one begins; nil: there is none.
  public var next: Cursor? { extents.last?.next }

  /// Where the page before the first one begins; nil: there is none.
  public var previous: Cursor? { extents.first?.previous }

  /// The number of pages that are kept.
  public var pageCount: Int { extents.count }

  /// The list with one more page at its end.
  ///
  /// - Parameters:
  ///   - page: The page after the last one.
  ///   - maxPages: The largest number of pages to keep; the first ones are removed. Less than one is one; nil: all.
  public func appending(_ page: Page, maxPages: Int? = nil) -> Paged {
    var longer = self
    longer.items += page.items
    longer.extents.append(Extent(page))
    let excess = longer.excess(over: maxPages)
    longer.items.removeFirst(longer.extents.prefix(excess).reduce(0) { $0 + $1.count })
    longer.extents.removeFirst(excess)
    return longer
  }

  /// The list with one more page at its beginning.
  ///
  /// - Parameters:
  ///   - page: The page before the first one.
  ///   - maxPages: The largest number of pages to keep; the last ones are removed. Less than one is one; nil: all.
  public func prepending(_ page: Page, maxPages: Int? = nil) -> Paged {
    var longer = self
    longer.items.insert(contentsOf: page.items, at: 0)
    longer.extents.insert(Extent(page), at: 0)
    let excess = longer.excess(over: maxPages)
    longer.items.removeLast(longer.extents.suffix(excess).reduce(0) { $0 + $1.count })
    longer.extents.removeLast(excess)
    return longer
  }

  private func excess(over maxPages: Int?) -> Int {
    guard let maxPages else { return 0 }
    return max(extents.count - max(maxPages, 1), 0)
  }
}

extension Paged: Sendable where Item: Sendable, Cursor: Sendable {}
extension Paged.Page: Sendable where Item: Sendable, Cursor: Sendable {}
extension Paged.Extent: Sendable where Cursor: Sendable {}
extension Paged: Equatable where Item: Equatable, Cursor: Equatable {}
extension Paged.Page: Equatable where Item: Equatable, Cursor: Equatable {}
extension Paged.Extent: Equatable where Cursor: Equatable {}
