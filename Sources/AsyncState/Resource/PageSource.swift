// SPDX-License-Identifier: MIT
// The pages of a resource's list. Generic code does not know that the value of a resource is a list, so the source is behind a
// protocol.

/// Loads the pages of lists of one type.
protocol PageSource<Value> {
  associatedtype Value

  /// Loads the list.
  func load(_ reporter: LoadReporter<Value>, isolation: isolated (any Actor)?) async throws -> Value?

  /// Requests a further page.
  ///
  /// - Parameter isForRows: True if displayed rows want it: it is for the holders of the data, and no call waits for it.
  func requestPage(
    at edge: PageEdge, of data: AsyncData<Value>, forRows isForRows: Bool, isolation: isolated any Actor
  ) -> (load: Load<Value>, ticket: Int)
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
  let fetch: (PageRequest<Item, Cursor>) async throws -> Paged<Item, Cursor>.Page

  func load(
    _ reporter: LoadReporter<Paged<Item, Cursor>>, isolation: isolated (any Actor)?
  ) async throws -> Paged<Item, Cursor>? {
    let former = reporter.load.state.extras?.pages == .firstPage ? nil : reporter.refreshed
    // The list is kept for another attempt of this load.
    let pages = reporter.takeUp { RefreshedPages<Item, Cursor>() }
    // While the gate was closed, the pages that an attempt has received have become old.
    let changes = reporter.load.data?.gate?.changeCount
    if pages.gateChanges != changes { (pages.list, pages.gateChanges) = (nil, changes) }
    let request = PageRequest(cursor: former?.firstCursor, reporter: reporter) { pages.list }
    do {
      return try await list(request, former, in: pages, isolation: isolation)
    } catch let error where error is ExpiredCursorError || error is NoDataError {
      // Its cursors have expired, or the page with which it begins is not there any more: the list begins anew, once.
      guard request.cursor != nil || pages.list != nil else { throw error }
      try Task.checkCancellation()
      pages.list = nil
      return try await list(request.at(nil), former, in: pages, isolation: isolation)
    }
  }

  /// The list with as many pages as the previous one, from a cursor on.
  private func list(
    _ request: PageRequest<Item, Cursor>, _ former: Paged<Item, Cursor>?, in pages: RefreshedPages<Item, Cursor>,
    isolation: isolated (any Actor)?
  ) async throws -> Paged<Item, Cursor>? {
    let edge = former?.refreshedEdge ?? .next
    if pages.list == nil {
      pages.list = Paged(first: try await page(request, edge, isolation: isolation), at: request.cursor)
    }
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
    at edge: PageEdge, of data: AsyncData<Paged<Item, Cursor>>, forRows isForRows: Bool,
    isolation: isolated any Actor
  ) -> (load: Load<Paged<Item, Cursor>>, ticket: Int) {
    data.requestPage(at: edge, forRows: isForRows, isolation: isolation) { cursor, mayBeginAnew, reporter in
      let request = PageRequest(cursor: cursor, reporter: reporter) {
        reporter.isListRead = true
        return reporter.current?.loaded
      }
      do {
        let page = try await page(request, edge, isolation: #isolation)
        return .page(page.ending(whereRequestedAt: cursor, at: edge))
      } catch is ExpiredCursorError where mayBeginAnew {
        try Task.checkCancellation()
        let first = try await page(request.first, .next, isolation: #isolation)
        return .list(Paged(first: first, at: nil, isAfterExpiry: true))
      }
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
  /// The number of times that the gate had opened or closed when the first of them was requested.
  var gateChanges: Int?
  var list: Paged<Item, Cursor>?

  /// The cursor of the page at an edge, while there are fewer pages than this. The list is not copied for that.
  func cursor(at edge: PageEdge, below pageCount: Int) -> Cursor? {
    guard let count = list?.pageCount, count < pageCount else { return nil }
    return list?.cursor(at: edge)
  }
}

extension LoadReporter {
  /// The value that a refresh replaces; nil in a reload, and beside the value of a previous key.
  fileprivate var refreshed: Value? {
    guard let data = load.writableData, data.context.activity?.mode == .refresh else { return nil }
    return data.knownValue
  }
}
