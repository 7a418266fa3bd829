extension AsyncData {
  /// Loads the first page, which replaces all pages when it arrives. Until then they stay as they are.
  ///
  /// - Parameters:
  ///   - mode: Whether what is shown is hidden meanwhile.
  ///   - isolation: The actor that the data live on.
  ///   - fetch: Gets a page. The cursor is nil: the first.
  /// - Returns: How the load ended.
  @discardableResult
  public func loadFirst<Item, Cursor>(
    _ mode: LoadMode = .refresh, isolation: isolated any Actor = #isolation,
    fetch: @escaping (Cursor?) async throws -> Paged<Item, Cursor>.Page
  ) async -> LoadOutcome<Value> where Value == Paged<Item, Cursor> {
    await load(mode, isolation: isolation) { Paged(first: try await fetch(nil)) }
  }

  /// Loads the page after the last one. What is shown stays meanwhile, and a failure keeps pages and cursor, so that
  /// the same page can be asked for again.
  ///
  /// A call while another `loadNext` runs joins that one.
  ///
  /// - Parameters:
  ///   - maxPages: How many pages to keep at most; the first ones are let go. Nil: all.
  ///   - isolation: The actor that the data live on.
  ///   - fetch: Gets the page that begins at a cursor.
  /// - Returns: How the load ended. Nil if there was nothing to ask for: there is no first page, or no next cursor, or
  ///   another load is about to replace the pages.
  @discardableResult
  public func loadNext<Item, Cursor>(
    maxPages: Int? = nil, isolation: isolated any Actor = #isolation,
    fetch: @escaping (Cursor) async throws -> Paged<Item, Cursor>.Page
  ) async -> LoadOutcome<Value>? where Value == Paged<Item, Cursor> {
    if let activity = facts.activity, activity.id != .nextPage { return nil }
    guard let cursor = facts.value?.next else { return nil }
    return await load(.refresh, id: .nextPage, isolation: isolation) { reporter in
      let page = try await fetch(cursor)
      return reporter.current?.appending(page, maxPages: maxPages)
    }
  }
}

extension LoadID {
  fileprivate static var nextPage: LoadID { LoadID(PageRequest.next) }
}

/// Of a type of its own, so that no name of a user's is equal to it.
private enum PageRequest: Hashable, Sendable {
  case next
}
