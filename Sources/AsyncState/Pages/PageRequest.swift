// SPDX-License-Identifier: MIT
/// The request of one page of a list: what the operation that returns it gets.
///
/// ```swift
/// let feed = AsyncResource(pages: { page in try await service.posts(at: page.cursor) })
/// ```
///
/// Use it on the list's actor, as long as the operation runs.
public struct PageRequest<Item, Cursor> {
  /// Where the page begins; nil: the first page.
  public let cursor: Cursor?
  /// Publishes a part of the list, reports progress, and gets values of other resources that are watched from then on, as in
  /// any load. In the request of a further page it only gets values: a change of one of them is a reason to request the whole
  /// list again.
  public let reporter: LoadReporter<Paged<Item, Cursor>>
  private let pages: () -> Paged<Item, Cursor>?

  init(
    cursor: Cursor?, reporter: LoadReporter<Paged<Item, Cursor>>, pages: @escaping () -> Paged<Item, Cursor>?
  ) {
    self.cursor = cursor
    self.reporter = reporter
    self.pages = pages
  }

  /// The request of another page, for the same operation.
  func at(_ cursor: Cursor?) -> PageRequest { PageRequest(cursor: cursor, reporter: reporter, pages: pages) }

  /// The list so far, without changes that are not confirmed: for servers that count, as `list?.items.count` is the offset of
  /// the next page also where rows were deleted. In a load of the list it has the pages before this one; nil: this is the
  /// first.
  public var list: Paged<Item, Cursor>? { pages() }
}
