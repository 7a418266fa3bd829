/// A list that comes in pages, as far as it is known.
public struct Paged<Item, Cursor> {
  /// One page, as a backend gives it.
  public struct Page {
    /// What is on it.
    public var items: [Item]
    /// Where the next page begins; nil: this is the last.
    public var next: Cursor?

    /// A page with these items.
    public init(_ items: [Item], next: Cursor?) {
      self.items = items
      self.next = next
    }
  }

  /// All items of the pages that are kept, in order.
  public private(set) var items: [Item]

  /// Where the next page begins; nil: there is none.
  public private(set) var next: Cursor?

  // How many items each page that is kept has.
  private var sizes: [Int]

  /// A list of which the first page is known.
  public init(first: Page) {
    items = first.items
    next = first.next
    sizes = [first.items.count]
  }

  /// How many pages are kept.
  public var pageCount: Int { sizes.count }

  /// The list with one more page.
  ///
  /// - Parameters:
  ///   - page: What comes after the last page.
  ///   - maxPages: How many pages to keep at most, counted from the new one; earlier ones are let go. Less than one is
  ///     one; nil: all.
  public func appending(_ page: Page, maxPages: Int? = nil) -> Paged {
    var longer = self
    longer.items += page.items
    longer.sizes.append(page.items.count)
    longer.next = page.next
    if let maxPages { longer.keepLast(max(maxPages, 1)) }
    return longer
  }

  private mutating func keepLast(_ count: Int) {
    let excess = max(sizes.count - count, 0)
    items.removeFirst(sizes.prefix(excess).reduce(0, +))
    sizes.removeFirst(excess)
  }
}

extension Paged: Sendable where Item: Sendable, Cursor: Sendable {}
extension Paged.Page: Sendable where Item: Sendable, Cursor: Sendable {}
extension Paged: Equatable where Item: Equatable, Cursor: Equatable {}
extension Paged.Page: Equatable where Item: Equatable, Cursor: Equatable {}
