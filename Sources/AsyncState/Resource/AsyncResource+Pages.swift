// SPDX-License-Identifier: MIT
// Resources whose value is a list that is loaded in pages.

extension AsyncResource {
  // MARK: Requesting

  /// Starts a load that keeps the content visible, and supersedes a running one, like ``refresh(isolation:)``, for the pages that
  /// this call chooses: for a list that should start over, such as when its tab is tapped again.
  ///
  /// - Parameters:
  ///   - pages: The pages to request. The first page alone replaces the list when it has arrived.
  ///   - isolation: The actor that the resource belongs to.
  /// - Returns: A handle to wait for the end, or to cancel the load.
  @discardableResult
  public func refresh<Item, Cursor>(
    _ pages: PageRefresh, isolation: isolated any Actor = #isolation
  ) -> LoadTask<Value> where Value == Paged<Item, Cursor> {
    startAnew(.refresh, pages, isolation: isolation)
  }

  // MARK: Extending

  /// Loads the page after the last one.
  ///
  /// The activity and the error are those of loads of the whole list, and stay as they are: ``nextPage`` has the running request and
  /// the error of the last one. A call while the page is being loaded joins it. While the list, or the page at the other end, is being
  /// loaded, the call waits, and then loads the page behind what has arrived. Cancelling the task that waits gives up its interest, and
  /// the last one that leaves ends the request.
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
    require(isolation)
    catchUp()
    let key = data.revision.key
    // The wanted page is the one behind what a running load brings.
    while !Task.isCancelled, let load = data.loadBeforePage(at: edge) {
      await load.waitWithoutInterest(isolation: isolation)
      // What was cancelled while this call waited includes its page. A load that no caller wants any more was not.
      if load.wasCancelled, !load.interest.isLost { return .cancelled }
    }
    guard !Task.isCancelled else { return .cancelled }
    guard data.revision.key == key else { return .superseded }
    let (load, ticket) = requestPage(at: edge, forRows: false, isolation: isolation)
    await load.wait(as: ticket, isolation: isolation)
    return load.outcome
  }

  private func requestPage(
    at edge: PageEdge, forRows isForRows: Bool, isolation: isolated any Actor
  ) -> (load: Load<Value>, ticket: Int) {
    require(isolation)
    catchUp()
    guard let makePages else {
      assertionFailure(
        """
        AsyncState: a further page of \(Self.self) was requested, whose operation returns the whole list. It is not known \
        how to load a page. Create the resource with `AsyncResource(.pages { page in … })`.
        """)
      return (Load(endedWith: .fresh, answer: data.displayed), 0)
    }
    guard let pages = makePages() else { return (Load(endedWith: .fresh), 0) }
    return pages.requestPage(at: edge, of: data, forRows: isForRows, isolation: isolation)
  }

  /// The request for the page after the last one, if the value is a ``Paged``.
  public var nextPage: PageState { current.nextPage }

  /// The request for the page before the first one, if the value is a ``Paged``.
  public var previousPage: PageState { current.previousPage }
}

// MARK: - Displaying

extension AsyncResource {
  /// Reports the rows that are displayed, whenever they change. The resource requests the pages that they want.
  ///
  /// ```swift
  /// func scrollViewDidScroll(_ scrollView: UIScrollView) {
  ///   feed.displaying(visibleRows)
  /// }
  /// ```
  ///
  /// The page after the last one is wanted while one of the last rows is displayed, and the page before the first one while one
  /// of the first rows is. It is requested as soon as nothing stands in the way, such as a refresh, and again when its request has
  /// ended without an answer. A page that has failed, or was cancelled, is requested again when its rows were scrolled away and
  /// return, and after a refresh that was answered; ``loadNext(isolation:)`` is the retry of a person. A request runs until it
  /// settles.
  ///
  /// Each report takes the place of the last one. Where several lists display the resource, it has the rows of the list that was
  /// scrolled last.
  ///
  /// - Parameters:
  ///   - rows: The rows, as indices of the items. A row behind the items, such as a footer, counts as one of the last. An
  ///     empty range: none, as when the screen has disappeared, or the list has no items, which wants a page if there is one.
  ///   - threshold: The number of rows from an end within which its page is wanted. Zero: only rows behind the items want
  ///     the next page, and none wants the previous one.
  ///   - isolation: The actor that the resource belongs to.
  public func displaying<Item, Cursor>(
    _ rows: Range<Int>, threshold: Int = 3, isolation: isolated any Actor = #isolation
  ) where Value == Paged<Item, Cursor> {
    report(threshold, isolation: isolation) { _ in DisplayedRows(rows) }
  }

  /// Reports that a row is about to be displayed, for lists that report row by row: see ``displaying(_:threshold:isolation:)``.
  ///
  /// ```swift
  /// func willDisplay(row: Int) { feed.willDisplay(row: row) }
  /// func didEndDisplaying(row: Int) { feed.didEndDisplaying(row: row) }
  /// ```
  ///
  /// When the list changes, a row follows its item, if the items are `Identifiable`. Otherwise report the rows with `displaying`
  /// then.
  ///
  /// - Parameters:
  ///   - row: The row that is about to be displayed.
  ///   - threshold: The number of rows from an end within which its page is wanted.
  ///   - isolation: The actor that the resource belongs to.
  public func willDisplay<Item, Cursor>(
    row: Int, threshold: Int = 3, isolation: isolated any Actor = #isolation
  ) where Value == Paged<Item, Cursor> {
    report(threshold, isolation: isolation) { $0.inserting(row) }
  }

  /// Reports that a row is not displayed any more: see ``willDisplay(row:threshold:isolation:)``.
  ///
  /// - Parameters:
  ///   - row: The row that was displayed.
  ///   - threshold: The number of rows from an end within which its page is wanted.
  ///   - isolation: The actor that the resource belongs to.
  public func didEndDisplaying<Item, Cursor>(
    row: Int, threshold: Int = 3, isolation: isolated any Actor = #isolation
  ) where Value == Paged<Item, Cursor> {
    report(threshold, isolation: isolation) { $0.removing(row) }
  }

  /// Reports the rows of one of several lists, which reports its end, too.
  ///
  /// - Parameter list: The object that displays the rows, held weakly.
  package func displaying<Item, Cursor>(
    _ rows: Range<Int>, in list: AnyObject, threshold: Int, isolation: isolated any Actor = #isolation
  ) where Value == Paged<Item, Cursor> {
    report(threshold, by: list, isolation: isolation) { _ in DisplayedRows(rows) }
  }

  /// Reports that a list is not displayed any more. Without effect if another one has reported since.
  package func endDisplaying<Item, Cursor>(
    in list: AnyObject, isolation: isolated any Actor = #isolation
  ) where Value == Paged<Item, Cursor> {
    require(isolation)
    data.pageWish?.end(list)
    noteRowsThatLeft(isolation: isolation)
  }

  private func report<Item, Cursor>(
    _ threshold: Int, by reporter: AnyObject? = nil, isolation: isolated any Actor,
    _ change: (DisplayedRows) -> DisplayedRows
  ) where Value == Paged<Item, Cursor> {
    require(isolation)
    catchUp()
    // A preview requests nothing.
    guard actor != nil else { return }
    let wish = data.requiredPageWish
    wish.look = { [weak self, weak data] in
      // What nothing holds wants no page. Looked at before the resource is held here.
      guard data?.isHeld == true, let self, let home = actor else { return }
      ActorBound(self, to: home).callHere { home, resource in resource.requestWantedPages(isolation: home) }
    }
    wish.report(threshold, by: reporter, change)
    data.markRows()
    requestWantedPages(isolation: isolation)
  }

  /// Requests the pages that are wanted: after each report, and after each event.
  private func requestWantedPages<Item, Cursor>(isolation: isolated any Actor) where Value == Paged<Item, Cursor> {
    for edge in PageEdge.allCases where data.wantsPage(at: edge) {
      _ = requestPage(at: edge, forRows: true, isolation: isolation)
    }
    noteRowsThatLeft(isolation: isolation)
  }

  /// Ends the rest of an edge at the end of this turn, if no row near it is displayed. Not before, because a list that draws rows
  /// again, or replaces them, has displayed them when the turn ends.
  private func noteRowsThatLeft<Item, Cursor>(isolation: isolated any Actor) where Value == Paged<Item, Cursor> {
    guard let wish = data.pageWish, wish.takeLeaving(), wish.resting.contains(where: { !data.isDisplayed($0) }) else {
      return
    }
    data.operationWillBegin()
    Task { [self] in
      _ = isolation
      for edge in wish.resting where !data.isDisplayed(edge) { wish.leave(edge) }
      data.operationDidReturn()
    }
  }

  /// True if further pages can be requested: not in a preview, without a key, or while the list of a previous key is displayed.
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
    return data.pageWish?.resting.contains(.next) == true
  }
}

extension AsyncData {
  /// The load that must end before the page at an edge can be loaded: one of the whole list, or of the page at the other edge.
  fileprivate func loadBeforePage(at edge: PageEdge) -> Load<Value>? {
    guard !state.core.record.isOfFormerKey, let load = state.core.order.running ?? state.core.order.waiting else {
      return nil
    }
    return load.edge == edge ? nil : typed(load)
  }
}
