// SPDX-License-Identifier: MIT
// Resources whose value is a list that is loaded in pages.

extension AsyncResource {
  /// A list of the main actor that is loaded in pages.
  ///
  /// ```swift
  /// let feed = AsyncResource(pages: { page in try await service.posts(at: page.cursor) })
  /// ```
  ///
  /// A load requests the first page; a refresh requests as many pages as there are, by default. ``loadNext(isolation:)``
  /// and ``loadPrevious(isolation:)`` extend the list.
  ///
  /// - Parameters:
  ///   - options: The options of requests, and the time for which the list is fresh. The time limit and the retries of a
  ///     refresh are those of all its pages together.
  ///   - paging: The number of pages to keep, and the pages that a refresh requests.
  ///   - pages: Returns the page that is requested, by its cursor; nil: the first one. It runs on the main actor.
  public convenience init<Item, Cursor>(
    options: LoadOptions = LoadOptions(), paging: PagingOptions = PagingOptions(),
    pages: @escaping @MainActor (PageRequest<Item, Cursor>) async throws -> Paged<Item, Cursor>.Page
  ) where Value == Paged<Item, Cursor> {
    let source = Pages(options: paging, fetch: operationOnMainActor(pages))
    self.init(AsyncData(options: options), MainActor.shared, pages: { source })
  }

  /// A list of any actor that is loaded in pages.
  ///
  /// - Parameters:
  ///   - isolation: The actor that the resource belongs to. It is not kept alive.
  ///   - options: The options of requests, and the time for which the list is fresh. The time limit and the retries of a
  ///     refresh are those of all its pages together.
  ///   - paging: The number of pages to keep, and the pages that a refresh requests.
  ///   - pages: Returns the page that is requested, by its cursor; nil: the first one. It runs on the resource's actor.
  public convenience init<Item, Cursor>(
    isolation: isolated any Actor, options: LoadOptions = LoadOptions(), paging: PagingOptions = PagingOptions(),
    pages: @escaping (PageRequest<Item, Cursor>) async throws -> Paged<Item, Cursor>.Page
  ) where Value == Paged<Item, Cursor> {
    let source = Pages(options: paging, fetch: pages)
    self.init(AsyncData(options: options), isolation, pages: { source })
  }

  /// A list of the main actor that is loaded in pages, and anew when a key changes.
  ///
  /// - Parameters:
  ///   - key: The key that the list depends on. An equal key is no change.
  ///   - delay: The time for which a key must stay the same before its list is requested.
  ///   - former: The display of the former key's value while the new key has none. Further pages are not requested while it is
  ///     displayed.
  ///   - options: The options of requests, and the time for which the list is fresh.
  ///   - paging: The number of pages to keep, and the pages that a refresh requests.
  ///   - pages: Returns the requested page of a key, by its cursor; nil: the first one. It runs on the main actor.
  public convenience init<Key: Equatable & Sendable, Item, Cursor>(
    following key: Observed<Key?>, delay: Duration = .zero, former: FormerValue = .hidden,
    options: LoadOptions = LoadOptions(), paging: PagingOptions = PagingOptions(),
    pages: @escaping @MainActor (Key, PageRequest<Item, Cursor>) async throws -> Paged<Item, Cursor>.Page
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
  ///   - key: The key that the list depends on. An equal key is no change.
  ///   - delay: The time for which a key must stay the same before its list is requested.
  ///   - former: The display of the former key's value while the new key has none. Further pages are not requested while it is
  ///     displayed.
  ///   - options: The options of requests, and the time for which the list is fresh.
  ///   - paging: The number of pages to keep, and the pages that a refresh requests.
  ///   - pages: Returns the requested page of a key, by its cursor; nil: the first one. It runs on the resource's actor.
  public convenience init<Key: Equatable & Sendable, Item, Cursor>(
    isolation: isolated any Actor, following key: Observed<Key?>, delay: Duration = .zero,
    former: FormerValue = .hidden,
    options: LoadOptions = LoadOptions(), paging: PagingOptions = PagingOptions(),
    pages: @escaping (Key, PageRequest<Item, Cursor>) async throws -> Paged<Item, Cursor>.Page
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
    _ fetch: @escaping (Key, PageRequest<Item, Cursor>) async throws -> Paged<Item, Cursor>.Page, of key: Key,
    _ options: PagingOptions
  ) -> any PageSource<Value> where Value == Paged<Item, Cursor> {
    Pages(options: options) { page in try await fetch(key, page) }
  }

  // MARK: Requesting

  /// Starts a load that keeps the content visible, like ``refresh(superseding:isolation:)``, for the pages that this call
  /// chooses: for a list that should start over, such as when its tab is tapped again.
  ///
  /// - Parameters:
  ///   - pages: The pages to request, in the place of ``PagingOptions/refresh``. The first page alone replaces the list when it
  ///     has arrived. A load that is joined keeps its own choice.
  ///   - superseding: True to supersede a running load instead of joining it.
  ///   - isolation: The actor that the resource belongs to.
  /// - Returns: A handle to wait for the end, or to cancel the load.
  @discardableResult
  public func refresh<Item, Cursor>(
    _ pages: PageRefresh, superseding: Bool = false, isolation: isolated any Actor = #isolation
  ) -> LoadTask<Value> where Value == Paged<Item, Cursor> {
    start(.refresh, pages, anew: superseding, isolation: isolation)
  }

  // MARK: Extending

  /// Loads the page after the last one.
  ///
  /// This is not a load: the activity and the error stay as they are, and ``nextPage`` has the running request and the error of
  /// the last one. A call while another one runs joins it. During a refresh of the list the call waits for its end, and then
  /// loads the page behind the refreshed list. Cancelling the task that waits gives up its interest, and the last one that
  /// leaves ends the request.
  ///
  /// - Parameter isolation: The actor that the resource belongs to.
  /// - Returns: The outcome of the request, or the reason for which none was made.
  @discardableResult
  public func loadNext<Item, Cursor>(
    isolation: isolated any Actor = #isolation
  ) async -> AsyncOutcome<Value?> where Value == Paged<Item, Cursor> {
    await loadPage(at: .next, isolation: isolation)
  }

  /// Loads the page before the first one, as ``loadNext(isolation:)`` loads the one after the last.
  ///
  /// - Parameter isolation: The actor that the resource belongs to.
  /// - Returns: The outcome of the request, or the reason for which none was made.
  @discardableResult
  public func loadPrevious<Item, Cursor>(
    isolation: isolated any Actor = #isolation
  ) async -> AsyncOutcome<Value?> where Value == Paged<Item, Cursor> {
    await loadPage(at: .previous, isolation: isolation)
  }

  private func loadPage<Item, Cursor>(
    at edge: PageEdge, isolation: isolated any Actor
  ) async -> AsyncOutcome<Value?> where Value == Paged<Item, Cursor> {
    let key = data.revision.key
    // A list is being refreshed: the wanted page is the one behind the refreshed list.
    while !Task.isCancelled, let load = data.state.core.order.running, hasPage(behind: edge) {
      await load.waitWithoutInterest(isolation: isolation)
      // A request that is cancelled during the refresh never begins.
      if load.wasCancelled { return .cancelled }
    }
    guard !Task.isCancelled else { return .cancelled }
    guard data.revision.key == key else { return .superseded }
    return await requestPage(at: edge, forHolders: false, isolation: isolation).outcome(isolation: isolation)
  }

  private func hasPage<Item, Cursor>(behind edge: PageEdge) -> Bool where Value == Paged<Item, Cursor> {
    !data.state.core.record.isOfFormerKey && data.displayed?.cursor(at: edge) != nil
  }

  private func requestPage(at edge: PageEdge, forHolders isForHolders: Bool, isolation: isolated any Actor) -> PageCall<
    Value
  > {
    require(isolation)
    catchUp()
    guard let makePages else {
      assertionFailure(
        """
        AsyncState: a further page of \(Self.self) was requested, whose operation returns the whole list. It is not known \
        how to load a page. Create the resource with `AsyncResource(pages: { page in … })`.
        """)
      return .refused(.notRequested(data.displayed))
    }
    guard let pages = makePages(), let list = listRequest() else { return .refused(.notRequested(nil)) }
    return pages.requestPage(at: edge, of: data, forHolders: isForHolders, of: list, isolation: isolation)
  }

  /// The request for the page after the last one, if the value is a ``Paged``.
  public var nextPage: PageState { current.nextPage }

  /// The request for the page before the first one, if the value is a ``Paged``.
  public var previousPage: PageState { current.previousPage }
}

// MARK: - Displaying

extension AsyncResource {
  /// Reports the rows that a list displays, whenever they change. The resource requests the pages that they want.
  ///
  /// ```swift
  /// func scrollViewDidScroll(_ scrollView: UIScrollView) {
  ///   feed.displaying(visibleRows, in: self)
  /// }
  /// ```
  ///
  /// The page after the last one is wanted while one of the last rows is displayed, and the page before the first one while one
  /// of the first rows is; see ``Paged/wantsNextPage(displaying:threshold:)``. It is requested as soon as nothing stands in the
  /// way, such as a refresh, and again when its request has ended without an answer. A page that has failed, or was cancelled,
  /// is requested again when its rows were scrolled away and return, and after a refresh that was answered;
  /// ``loadNext(isolation:)`` is the retry of a person. A request runs until it settles.
  ///
  /// - Parameters:
  ///   - rows: The rows, as indices of the items. A row behind the items, such as a footer, counts as one of the last. An
  ///     empty range: the list is displayed and has no rows, which wants a page if there is one.
  ///   - list: The object that displays them. It is held weakly, and its report ends with it. Several lists may display one
  ///     resource.
  ///   - threshold: The number of rows from an end within which its page is wanted. Zero: only rows behind the items want
  ///     the next page, and none wants the previous one.
  ///   - isolation: The actor that the resource belongs to.
  public func displaying<Item, Cursor>(
    _ rows: Range<Int>, in list: AnyObject, threshold: Int = 3, isolation: isolated any Actor = #isolation
  ) where Value == Paged<Item, Cursor> {
    report(in: list, threshold, isolation: isolation) { $0.replace(by: rows) }
  }

  /// Reports that a list is about to display a row, for lists that report row by row: see
  /// ``displaying(_:in:threshold:isolation:)``.
  ///
  /// ```swift
  /// func willDisplay(row: Int) { feed.willDisplay(row: row, in: self) }
  /// func didEndDisplaying(row: Int) { feed.didEndDisplaying(row: row, in: self) }
  /// ```
  ///
  /// A row that is inserted or removed by hand moves the others without a call: report the rows with `displaying` then.
  ///
  /// - Parameters:
  ///   - row: The row that is about to be displayed.
  ///   - list: The object that displays it, held weakly.
  ///   - threshold: The number of rows from an end within which its page is wanted.
  ///   - isolation: The actor that the resource belongs to.
  public func willDisplay<Item, Cursor>(
    row: Int, in list: AnyObject, threshold: Int = 3, isolation: isolated any Actor = #isolation
  ) where Value == Paged<Item, Cursor> {
    report(in: list, threshold, isolation: isolation) { $0.insert(row) }
  }

  /// Reports that a list does not display a row any more: see ``willDisplay(row:in:threshold:isolation:)``.
  ///
  /// - Parameters:
  ///   - row: The row that was displayed.
  ///   - list: The object that displayed it.
  ///   - threshold: The number of rows from an end within which its page is wanted.
  ///   - isolation: The actor that the resource belongs to.
  public func didEndDisplaying<Item, Cursor>(
    row: Int, in list: AnyObject, threshold: Int = 3, isolation: isolated any Actor = #isolation
  ) where Value == Paged<Item, Cursor> {
    report(in: list, threshold, isolation: isolation) { $0.remove(row) }
  }

  /// Reports that a list is not displayed any more, such as when its screen has disappeared. It wants no page until it displays
  /// rows again; a running request continues.
  ///
  /// - Parameters:
  ///   - list: The object that displayed rows.
  ///   - isolation: The actor that the resource belongs to.
  public func endDisplaying<Item, Cursor>(
    in list: AnyObject, isolation: isolated any Actor = #isolation
  ) where Value == Paged<Item, Cursor> {
    require(isolation)
    catchUp()
    data.pageDisplay?.remove(list)
    didReport(isolation: isolation)
  }

  private func report<Item, Cursor>(
    in list: AnyObject, _ threshold: Int, isolation: isolated any Actor, _ change: (inout DisplayedRows) -> Void
  ) where Value == Paged<Item, Cursor> {
    require(isolation)
    catchUp()
    // A preview requests nothing.
    guard actor != nil else { return }
    let display = data.requiredPageDisplay
    display.look = { [weak self, weak data] in
      // What nothing holds wants no page. Looked at before the resource is held here.
      guard data?.isHeld == true, let self, let home = actor else { return }
      ActorBound(self, to: home).callHere { home, resource in resource.requestPages(isolation: home) }
    }
    display.report(in: list, threshold, change)
    didReport(isolation: isolation)
  }

  private func didReport<Item, Cursor>(isolation: isolated any Actor) where Value == Paged<Item, Cursor> {
    for edge in PageEdge.allCases where !data.isDisplayed(edge) { data.pageDisplay?.endStreak(at: edge) }
    requestPages(isolation: isolation)
  }

  /// True if further pages can be requested: not in a preview, without a key, or while the list of a former key is displayed.
  package var canRequestPages: Bool {
    _ = current.nextPage
    return canRequest && !data.state.core.record.isOfFormerKey
  }

  /// The number of times that the value was written. Observation does not track it: it changes with the value.
  package var writeCount: UInt32 { data.revision.display }

  /// True if the next page has failed or was cancelled, and is not requested by itself, although rows that want it are
  /// displayed.
  package var isPageResting: Bool {
    _ = current.nextPage
    _ = data.isRunning
    return data.pageDisplay?.isResting(at: .next) == true
  }

  /// Requests the pages that are due: after each report of a list, and after each event.
  private func requestPages<Item, Cursor>(isolation: isolated any Actor) where Value == Paged<Item, Cursor> {
    for edge in PageEdge.allCases {
      switch data.needForPage(at: edge) {
      case .due:
        if data.pageDisplay?.takeLongStreak(at: edge) == true { warnOfEndlessRequests() }
        _ = requestPage(at: edge, forHolders: true, isolation: isolation)
      case .onItsWay:
        // The rows want it.
        if data.isDisplayed(edge) { _ = data.state.core.order[edge]?.joinIfWanted(isPinned: true, forHolders: true) }
      case .atEnd, .notDisplayed, .resting, .blocked: break
      }
    }
    noteRowsThatLeft(isolation: isolation)
  }

  /// Lets an edge leave its rest at the end of this turn, if no row near it is displayed after a list has reported or a page
  /// has failed. Not before, because a list that draws rows again, or replaces them, has displayed them when the turn ends.
  private func noteRowsThatLeft<Item, Cursor>(isolation: isolated any Actor) where Value == Paged<Item, Cursor> {
    guard let display = data.pageDisplay, display.takeLeaving(), !edgesThatWereLeft(display).isEmpty else { return }
    data.operationWillBegin()
    Task { [self] in
      _ = isolation
      for edge in edgesThatWereLeft(display) { display.leave(edge) }
      data.operationDidReturn()
    }
  }

  private func edgesThatWereLeft<Item, Cursor>(
    _ display: PageDisplay
  ) -> [PageEdge] where Value == Paged<Item, Cursor> {
    PageEdge.allCases.filter { display.isResting(at: $0) && !data.isDisplayed($0) }
  }

  private func warnOfEndlessRequests() {
    AsyncStateWarnings.warn(
      """
      AsyncState: more than ten pages of \(Self.self) were requested one after another, because a row at the end of the list \
      was displayed all the time. A list that displays all of its rows loads all pages. Put the rows and the footer into \
      a lazy container, such as List or LazyVStack, or report only the rows that are visible.
      """)
  }
}
