// SPDX-License-Identifier: MIT
/// The request of one page of a list, for the operation that returns the page.
///
/// ```swift
/// let feed = AsyncResource(.pages { page in try await service.posts(at: page.cursor) })
/// ```
///
/// Use it on the actor of the list, and only while the operation runs.
public struct PageRequest<Item, Cursor> {
  /// The cursor of the page; nil: the first page.
  public let cursor: Cursor?
  /// Publishes a part of the list, and reports progress. In the request of a further page it does nothing.
  public let reporter: LoadReporter<Paged<Item, Cursor>>
  private let pages: () -> Paged<Item, Cursor>?

  init(
    cursor: Cursor?, reporter: LoadReporter<Paged<Item, Cursor>>, pages: @escaping () -> Paged<Item, Cursor>?
  ) {
    self.cursor = cursor
    self.reporter = reporter
    self.pages = pages
  }

  /// The request of the first page of a list that begins anew, beside this one.
  var first: PageRequest { PageRequest(cursor: nil, reporter: reporter) { nil } }

  /// A request of another page by the same operation.
  func at(_ cursor: Cursor?) -> PageRequest { PageRequest(cursor: cursor, reporter: reporter, pages: pages) }

  /// The list so far, without changes that are not confirmed. In a load of the list it has the pages that were
  /// loaded before this one; nil: this is the first page.
  ///
  /// For a server that counts rows, `list?.items.count` is the offset of the next page, also after rows were deleted: rows that
  /// were added beyond pages which are not loaded yet are not in it.
  public var list: Paged<Item, Cursor>? { pages() }
}
