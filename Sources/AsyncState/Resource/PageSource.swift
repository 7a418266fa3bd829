// SPDX-License-Identifier: MIT
// The pages of a resource's list. Generic code does not know that the value of a resource is a list, so the source is behind a
// protocol.

/// The options of a list that is loaded in pages.
public struct PagingOptions: Hashable, Sendable {
  /// The largest number of pages to keep: those at the other edge are removed, if a cursor of the page beside them leads back. Less
  /// than one is one; nil: all are kept.
  public var maxPages: Int?
  /// The pages that a refresh requests.
  public var refresh: PageRefresh

  /// Options; each has a default.
  public init(maxPages: Int? = nil, refresh: PageRefresh = .allPages) {
    self.maxPages = maxPages
    self.refresh = refresh
  }
}

/// Loads the pages of lists of one type.
protocol PageSource<Value> {
  associatedtype Value

  /// Loads the list.
  func load(_ reporter: LoadReporter<Value>, isolation: isolated (any Actor)?) async throws -> Value?

  /// Requests a further page.
  ///
  /// - Parameters:
  ///   - isForHolders: True if displayed rows want it: it is for the holders of the data, and no call waits for it.
  ///   - list: The request of the whole list, for when an input of the page changes.
  func requestPage(
    at edge: PageEdge, of data: AsyncData<Value>, forHolders isForHolders: Bool, of list: ListRequest<Value>,
    isolation: isolated any Actor
  ) -> PageCall<Value>
}

extension PageSource {
  /// The operation of a load of the list.
  var operation: (LoadReporter<Value>) async throws -> Value? {
    { reporter in try await load(reporter, isolation: #isolation) }
  }
}

/// Thrown by a refresh when there is no page at a cursor that another page has returned.
struct MissingPage: Error {}

struct Pages<Item, Cursor>: PageSource {
  let options: PagingOptions
  let fetch: (PageRequest<Item, Cursor>) async throws -> Paged<Item, Cursor>.Page

  func load(
    _ reporter: LoadReporter<Paged<Item, Cursor>>, isolation: isolated (any Actor)?
  ) async throws -> Paged<Item, Cursor>? {
    let refresh = reporter.load.state.extras?.pages ?? options.refresh
    let former = refresh == .allPages ? reporter.refreshed : nil
    let edge = former?.refreshedEdge ?? .next
    let pages = reporter.takeUp { RefreshedPages<Item, Cursor>() }
    let request = PageRequest(cursor: former?.own(at: edge.opposite), reporter: reporter) { pages.list }
    if pages.list == nil {
      do {
        pages.list = Paged(first: try await page(request, edge, isolation: isolation), at: request.cursor)
      } catch let error as NoDataError {
        // If the page with which the refreshed list begins is not there any more, the list begins anew.
        guard request.cursor != nil else { throw error }
        try Task.checkCancellation()
        pages.list = Paged(first: try await page(request.at(nil), edge, isolation: isolation), at: nil)
      }
    }
    // The list is kept for another attempt of this load.
    let pageCount = former?.pageCount ?? 1
    while let cursor = pages.cursor(at: edge, below: pageCount) {
      // The load was superseded: the other pages are not wanted any more.
      try Task.checkCancellation()
      let page = try await further(request.at(cursor), edge, isolation: isolation)
      pages.list?.add(page, at: edge)
    }
    return pages.list.take()
  }

  /// A further page of a refresh. A `NoDataError` here is a failure, because the page beside it has returned a cursor, and not the
  /// answer that there is no list.
  private func further(
    _ request: PageRequest<Item, Cursor>, _ edge: PageEdge, isolation: isolated (any Actor)?
  ) async throws -> Paged<Item, Cursor>.Page {
    do {
      return try await page(request, edge, isolation: isolation)
    } catch is NoDataError {
      throw MissingPage()
    }
  }

  func requestPage(
    at edge: PageEdge, of data: AsyncData<Paged<Item, Cursor>>, forHolders isForHolders: Bool,
    of list: ListRequest<Paged<Item, Cursor>>, isolation: isolated any Actor
  ) -> PageCall<Paged<Item, Cursor>> {
    data.requestPage(at: edge, options.maxPages, forHolders: isForHolders, of: list, isolation: isolation) {
      cursor, reporter in
      let request = PageRequest(cursor: cursor, reporter: reporter) { reporter.current }
      return try await page(request, edge, isolation: #isolation)
    }
  }

  /// The requested page; if it has no items, the one behind it: otherwise no row would be displayed that wants that one. At
  /// most ten empty pages are requested.
  private func page(
    _ request: PageRequest<Item, Cursor>, _ edge: PageEdge, isolation: isolated (any Actor)?
  ) async throws -> Paged<Item, Cursor>.Page {
    var request = request
    var emptyCount = 0
    while true {
      let page = try await fetch(request).ending(whereRequestedAt: request.cursor, at: edge)
      guard page.items.isEmpty, let further = page[edge] else { return page }
      emptyCount += 1
      if emptyCount > 10 { return page.endingAfterEmptyPages(at: edge) }
      try Task.checkCancellation()
      request = request.at(further)
    }
  }
}

/// The pages that a load has received, which stay if another one fails.
private final class RefreshedPages<Item, Cursor> {
  var list: Paged<Item, Cursor>?

  /// The cursor of the page at an edge, while there are fewer pages than this. The list is not copied for that.
  func cursor(at edge: PageEdge, below pageCount: Int) -> Cursor? {
    guard let count = list?.pageCount, count < pageCount else { return nil }
    return list?.cursor(at: edge)
  }
}

extension LoadReporter {
  /// The value that a refresh replaces; nil in a reload, and beside the value of a former key.
  fileprivate var refreshed: Value? {
    guard let data = load.writableData, data.context.activity?.mode == .refresh else { return nil }
    return data.knownValue
  }
}
