// SPDX-License-Identifier: MIT
// Resources whose value is a list that is loaded in pages.

extension AsyncResource {
  /// A list of the main actor that is loaded in pages.
  ///
  /// ```swift
  /// let feed = AsyncResource(pages: { (cursor: Int?) in try await service.posts(at: cursor) })
  /// ```
  ///
  /// A load requests the first page; a refresh requests as many pages as there are, by default. ``loadNext(isolation:)``
  /// and ``loadPrevious(isolation:)`` extend the list.
  ///
  /// - Parameters:
  ///   - options: How long the list is fresh, and how pages are requested. The time limit and the retries of a refresh are
  ///     those of all its pages together.
  ///   - paging: How many pages are kept, and which of them a refresh requests.
  ///   - pages: Returns the page at a cursor; nil: the first one. It runs on the main actor.
  public convenience init<Item, Cursor>(
    options: LoadOptions = LoadOptions(), paging: PagingOptions = PagingOptions(),
    pages: @escaping @MainActor (Cursor?) async throws -> Paged<Item, Cursor>.Page
  ) where Value == Paged<Item, Cursor> {
    let source = Pages(options: paging, fetch: operationOnMainActor(pages))
    self.init(AsyncData(options: options), MainActor.shared, pages: { source })
  }

  /// A list of any actor that is loaded in pages.
  ///
  /// - Parameters:
  ///   - isolation: The actor that the resource belongs to. It is not kept alive.
  ///   - options: How long the list is fresh, and how pages are requested. The time limit and the retries of a refresh are
  ///     those of all its pages together.
  ///   - paging: How many pages are kept, and which of them a refresh requests.
  ///   - pages: Returns the page at a cursor; nil: the first one. It runs on the resource's actor.
  public convenience init<Item, Cursor>(
    isolation: isolated any Actor, options: LoadOptions = LoadOptions(), paging: PagingOptions = PagingOptions(),
    pages: @escaping (Cursor?) async throws -> Paged<Item, Cursor>.Page
  ) where Value == Paged<Item, Cursor> {
    let source = Pages(options: paging, fetch: pages)
    self.init(AsyncData(options: options), isolation, pages: { source })
  }

  /// A list of the main actor that is loaded in pages, and anew when a key changes.
  ///
  /// - Parameters:
  ///   - key: What the list depends on; see
  ///     ``init(following:delay:former:options:operation:)``.
  ///   - delay: How long a key must stand before its list is requested.
  ///   - former: What is displayed of the former key while there is nothing of the new one. Further pages are not requested
  ///     meanwhile.
  ///   - options: How long the list is fresh, and how pages are requested.
  ///   - paging: How many pages are kept, and which of them a refresh requests.
  ///   - pages: Returns the page of a key at a cursor; nil: the first one. It runs on the main actor.
  public convenience init<Key: Equatable & Sendable, Item, Cursor>(
    following key: Observed<Key?>, delay: Duration = .zero, former: FormerValue = .hidden,
    options: LoadOptions = LoadOptions(), paging: PagingOptions = PagingOptions(),
    pages: @escaping @MainActor (Key, Cursor?) async throws -> Paged<Item, Cursor>.Page
  ) where Value == Paged<Item, Cursor> {
    let followed = FollowedKey(key)
    let fetch = operationOnMainActor(pages)
    self.init(
      AsyncData(options: options), MainActor.shared,
      pages: { followed.current.map { Self.pages(fetch, of: $0, paging) } },
      following: KeyFollower(followed, delay: delay, former: former, clock: options.clock))
  }

  /// A list of any actor that is loaded in pages, and anew when a key changes.
  ///
  /// - Parameters:
  ///   - isolation: The actor that the resource and the key belong to. It is not kept alive.
  ///   - key: What the list depends on; see
  ///     ``init(isolation:following:delay:former:options:operation:)``.
  ///   - delay: How long a key must stand before its list is requested.
  ///   - former: What is displayed of the former key while there is nothing of the new one. Further pages are not requested
  ///     meanwhile.
  ///   - options: How long the list is fresh, and how pages are requested.
  ///   - paging: How many pages are kept, and which of them a refresh requests.
  ///   - pages: Returns the page of a key at a cursor; nil: the first one. It runs on the resource's actor.
  public convenience init<Key: Equatable & Sendable, Item, Cursor>(
    isolation: isolated any Actor, following key: Observed<Key?>, delay: Duration = .zero,
    former: FormerValue = .hidden,
    options: LoadOptions = LoadOptions(), paging: PagingOptions = PagingOptions(),
    pages: @escaping (Key, Cursor?) async throws -> Paged<Item, Cursor>.Page
  ) where Value == Paged<Item, Cursor> {
    let followed = FollowedKey(key)
    self.init(
      AsyncData(options: options), isolation, pages: { followed.current.map { Self.pages(pages, of: $0, paging) } },
      following: KeyFollower(followed, delay: delay, former: former, clock: options.clock))
  }

  private convenience init(
    _ data: AsyncData<Value>, _ home: any Actor, pages: @escaping () -> (any PageSource<Value>)?,
    following: KeyFollower? = nil
  ) {
    self.init(data, home, { pages()?.operation }, following: following, pages: pages)
  }

  /// The pages of a key.
  static func pages<Key, Item, Cursor>(
    _ fetch: @escaping (Key, Cursor?) async throws -> Paged<Item, Cursor>.Page, of key: Key, _ options: PagingOptions
  ) -> any PageSource<Value> where Value == Paged<Item, Cursor> {
    Pages(options: options) { cursor in try await fetch(key, cursor) }
  }

  // MARK: Extending

  /// Loads the page after the last one.
  ///
  /// This is not a load: the activity and the error stay as they are, and ``nextPage`` says whether a request runs and
  /// whether the last one failed. A call while another one runs joins it. During a refresh of the list it waits for the end
  /// of that, and then loads the page behind the list as it is by then. Cancelling the task that waits gives up its
  /// interest, and the last one that leaves ends the request.
  ///
  /// - Parameter isolation: The actor that the resource belongs to.
  /// - Returns: How the request ended, or why none was made.
  @discardableResult
  public func loadNext<Item, Cursor>(
    isolation: isolated any Actor = #isolation
  ) async -> PageOutcome<Value> where Value == Paged<Item, Cursor> {
    await loadPage(at: .next, isolation: isolation)
  }

  /// Loads the page before the first one, as ``loadNext(isolation:)`` loads the one after the last.
  ///
  /// - Parameter isolation: The actor that the resource belongs to.
  /// - Returns: How the request ended, or why none was made.
  @discardableResult
  public func loadPrevious<Item, Cursor>(
    isolation: isolated any Actor = #isolation
  ) async -> PageOutcome<Value> where Value == Paged<Item, Cursor> {
    await loadPage(at: .previous, isolation: isolation)
  }

  /// Starts the requests for the pages that a list wants when it displays a row: call it for each row.
  ///
  /// ```swift
  /// func willDisplay(row: Int) {
  ///   feed.startPages(displaying: row)
  /// }
  /// ```
  ///
  /// The page after the last one is requested by the last rows, and the page before the first one by the first rows; see
  /// ``Paged/wantsNextPage(displaying:threshold:)``. A request that runs is joined. Of a row that is displayed while a load
  /// runs, the pages are requested when that has ended, if the row is still there. A request runs until it settles.
  ///
  /// - Parameters:
  ///   - index: The row that is about to be displayed.
  ///   - threshold: The number of rows before an end from which on its page is requested.
  ///   - isolation: The actor that the resource belongs to.
  public func startPages<Item, Cursor>(
    displaying index: Int, threshold: Int = 3, isolation: isolated any Actor = #isolation
  ) where Value == Paged<Item, Cursor> {
    require(isolation)
    catchUp()
    for edge in [PageEdge.next, .previous] where data.displayed?.wants(edge, index, threshold) == true {
      if let load = data.state.core.order.running {
        return startPages(displaying: index, threshold, after: load, isolation: isolation)
      }
      _ = requestPage(at: edge, isPinned: true, isolation: isolation)
    }
  }

  /// The row may not be displayed anew when the load has brought the same rows, so it is looked at again.
  private func startPages<Item, Cursor>(
    displaying index: Int, _ threshold: Int, after load: LoadRun, isolation: isolated any Actor
  ) where Value == Paged<Item, Cursor> {
    let key = data.revision.key
    data.operationWillBegin()
    Task { [weak self] in
      _ = isolation
      await load.wait(isolation: isolation)
      guard let self else { return }
      if data.revision.key == key, !load.wasCancelled, let pages = data.displayed, pages.items.indices.contains(index) {
        startPages(displaying: index, threshold: threshold, isolation: isolation)
      }
      data.operationDidReturn()
    }
  }

  private func loadPage<Item, Cursor>(
    at edge: PageEdge, isolation: isolated any Actor
  ) async -> PageOutcome<Value> where Value == Paged<Item, Cursor> {
    let key = data.revision.key
    // A list is being refreshed: the page that is wanted is the one behind what that brings.
    while !Task.isCancelled, let load = data.state.core.order.running, hasPage(behind: edge) {
      await load.waitWithoutInterest(isolation: isolation)
      // What is cancelled meanwhile never begins.
      if load.wasCancelled { return .cancelled }
    }
    guard !Task.isCancelled else { return .cancelled }
    guard data.revision.key == key else { return .superseded }
    return await requestPage(at: edge, isPinned: false, isolation: isolation).outcome(isolation: isolation)
  }

  private func hasPage<Item, Cursor>(behind edge: PageEdge) -> Bool where Value == Paged<Item, Cursor> {
    !data.state.core.record.isOfFormerKey && data.displayed?.cursor(at: edge) != nil
  }

  private func requestPage(at edge: PageEdge, isPinned: Bool, isolation: isolated any Actor) -> PageRequest<Value> {
    require(isolation)
    catchUp()
    guard let makePages else {
      assertionFailure(
        """
        AsyncState: a further page of \(Self.self) was requested, whose operation returns the whole list. It is not known \
        how to load a page. Create the resource with `AsyncResource(pages: { cursor in … })`.
        """)
      return .refused(.noFurtherPage)
    }
    guard let pages = makePages() else { return .refused(.noFirstPage) }
    return pages.requestPage(at: edge, of: data, isPinned: isPinned, isolation: isolation)
  }

  /// The request for the page after the last one, where the value is a ``Paged``.
  public var nextPage: PageState { current.nextPage }

  /// The request for the page before the first one, where the value is a ``Paged``.
  public var previousPage: PageState { current.previousPage }
}
