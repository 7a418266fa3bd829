// SPDX-License-Identifier: MIT
extension AsyncData {
  /// Joins the request of a page, or starts one.
  ///
  /// - Parameter isForHolders: Displayed rows want it: it is for what holds the data, and no call waits for it.
  func requestPage<Item, Cursor>(
    at edge: PageEdge, _ maxPages: Int?, forHolders isForHolders: Bool = false, of list: ListRequest<Value>? = nil,
    isolation: isolated any Actor, _ fetch: @escaping (Cursor, LoadReporter<Value>) async throws -> Value.Page
  ) -> PageCall<Value> where Value == Paged<Item, Cursor> {
    guard !state.core.record.isOfFormerKey else { return .refused(.notRequested(nil)) }
    guard state.core.order.running == nil, state.core.record.context.activity == nil else {
      return .refused(.superseded)
    }
    if let running = state.core.order[edge] {
      guard let ticket = running.joinIfWanted(isPinned: isForHolders, forHolders: isForHolders) else {
        return requestPage(at: edge, maxPages, forHolders: isForHolders, of: list, isolation: isolation, fetch)
      }
      return .made(typed(running), ticket: ticket)
    }
    guard let pages = displayed else { return .refused(.notRequested(nil)) }
    guard let cursor = pages.cursor(at: edge), !isUndecided(edge) else { return .refused(.notRequested(pages)) }
    let request = Load(for: self, edge: edge, home: isolation)
    let ticket = request.join(isPinned: isForHolders, forHolders: isForHolders)
    beginPage(request, at: edge)
    if request.isCurrent {
      operationWillBegin()
      let policy = policy()
      let reporter = LoadReporter(request, isolation)
      (reporter.body, reporter.listID) = (list?.operation, list?.id)
      let attempt = request.attempt(fetch, reporter, at: cursor, edge, maxPages, policy)
      request.run(by: policy, on: timeline, isolation: isolation, attempt)
    }
    return .made(request, ticket: ticket)
  }

  /// A change that is not decided has made the edge that is displayed, or the one that is displayed when a page has put what
  /// is confirmed below it: the page would not be one of the list below.
  func isUndecided<Item, Cursor>(_ edge: PageEdge) -> Bool where Value == Paged<Item, Cursor> {
    guard state.core.record.hasUndecidedChanges else { return false }
    let displayed = displayed
    let (list, reordered) = editedPatches { patches in
      let list = patches.confirmedValue
      guard patches.order.hasConfirmed else { return (list, displayed) }
      patches.replaceConfirmed(with: list)
      return (list, patches.value)
    }.result
    guard let list else { return false }
    return [displayed, reordered].contains { above in
      guard let cursor = above?.cursor(at: edge) else { return list.cursor(at: edge) != nil }
      return !list.ends(at: cursor, edge, isReplaced: false)
    }
  }

  /// A page request begins. It is one of the requests before readers are notified, so what they do ends it as usual.
  func beginPage(_ request: Load<Value>, at edge: PageEdge) {
    forgetEnded()
    state.core.order.begin(request, at: edge)
    apply(.pageRequested(edge), for: request)
  }

  /// A page arrived: it extends the confirmed list as it is now, and undecided changes are applied to that.
  ///
  /// - Parameters:
  ///   - cursor: Where the page begins: it belongs to a list that ends there.
  ///   - isOfAll: It is made of the list so far, so each change of that concerns it.
  func extend<Item, Cursor>(
    for request: Load<Value>, at edge: PageEdge, by page: Value.Page, from cursor: Cursor, _ maxPages: Int?,
    isOfAll: Bool
  ) where Value == Paged<Item, Cursor> {
    let announced = announce(.pageArrived(edge, evicts: true), hasValue: true)
    let reach = pageDisplay?.reach
    // Rows are displayed with changes, and pages are removed below them: what is too much is removed with a later page.
    let most = reach != nil && state.core.record.hasUndecidedChanges ? nil : maxPages
    let isBelowChanges = isUndecided(edge)
    func addition(to list: Value) -> Value.Addition? {
      // Where the list has come while the page was on its way, its rows are newer.
      let isOlder = request.state.isOutdated
      guard !isBelowChanges, list.ends(at: cursor, edge, isReplaced: isOlder) else { return nil }
      return list.addition(of: page, at: edge, most, sparing: reach, isOlder: isOlder)
    }
    let isAdded =
      hasPatches
      ? extendPatches(for: request, at: edge, announced, isOfAll: isOfAll, addition)
      : extendInPlace(for: request, at: edge, announced, addition)
    if isAdded, knownChanges != nil { doubt(Paged(first: page), isOfAll: isOfAll) }
    forgetEnded()
  }

  /// - Returns: Whether the page was added.
  private func extendPatches<Item, Cursor>(
    for request: Load<Value>, at edge: PageEdge, _ announced: Announcement, isOfAll: Bool,
    _ addition: (Value) -> Value.Addition?
  ) -> Bool where Value == Paged<Item, Cursor> {
    let edit = editedPatches { patches in
      let confirmed = patches.confirmedValue
      let added = confirmed.flatMap(addition)
      let others = added.map { isOfAll ? [] : commits(leaving: Paged(first: $0.page), in: patches) } ?? []
      // What is confirmed is below the others from now on, which may display other rows, wherever these are.
      patches.replaceConfirmed(with: confirmed)
      let count = patches.value?.items.count ?? 0
      if var list = confirmed, let added {
        _ = list.add(added, at: edge)
        patches.replaceConfirmed(with: list)
      }
      return (shown: added == nil ? nil : patches.value, added: added, others: others, count: count)
    }
    guard let addition = edit.result.added, let shown = edit.result.shown else {
      return withdrawPage(request, at: edge, announced)
    }
    // At the beginning, changes may remove rows of the page, or add some.
    let more = edge == .previous ? shown.items.count - edit.result.count - addition.growth : 0
    let past = ItemIdentity<Item>.known == nil ? [] : displayed?.items ?? []
    let step = take(addition, for: request, at: edge, announced) { row in
      if past.indices.contains(row) { return shown.index(ofSameAs: past[row]) }
      // What is behind the rows moves with the last one.
      let last = past.reversed().lazy.compactMap { shown.index(ofSameAs: $0) }.first
      return last.map { $0 + 1 + row - past.count } ?? addition.index(of: row, at: edge) + more
    }
    guard let step else { return false }
    for commit in edit.result.others { commit.ignoreOneWrite() }
    request.answer = shown
    deliver(step, storing: edit.patches, displaying: shown)
    return true
  }

  /// Without a copy, where no one else holds the list: not even a variable in here.
  ///
  /// - Returns: Whether the page was added.
  private func extendInPlace<Item, Cursor>(
    for request: Load<Value>, at edge: PageEdge, _ announced: Announcement,
    _ addition: (Value) -> Value.Addition?
  ) -> Bool where Value == Paged<Item, Cursor> {
    guard let addition = state.value.flatMap(addition) else { return withdrawPage(request, at: edge, announced) }
    let step = take(addition, for: request, at: edge, announced) { addition.index(of: $0, at: edge) }
    guard let step else { return false }
    let former = state.value == nil ? nil : state.value!.add(addition, at: edge)
    request.answer = state.value
    deliver(step)
    withExtendedLifetime(former) {}
    return true
  }

  /// The page has arrived, and what is displayed moves with the list.
  ///
  /// - Parameter index: Where a row will be; nil: it is removed.
  private func take<Item, Cursor>(
    _ addition: Value.Addition, for request: Load<Value>, at edge: PageEdge, _ announced: Announcement,
    movingRowsTo index: (Int) -> Int?
  ) -> DataStep? where Value == Paged<Item, Cursor> {
    // Identities are code of the items.
    let lists = pageDisplay?.lists(movedTo: index)
    let event = DataEvent.pageArrived(edge, evicts: addition.evictedPages > 0)
    guard let step = take(event, for: request, hasValue: true, announced: announced) else { return nil }
    if let lists { pageDisplay?.lists = lists }
    return step
  }

  /// The list that the page could extend is there no more.
  ///
  /// - Returns: False: the page is not added.
  private func withdrawPage(_ request: Load<Value>, at edge: PageEdge, _ announced: Announcement) -> Bool {
    withdraw(announced)
    apply(.pageEnded(edge, .superseded), for: request)
    return false
  }
}

/// The request of a further page, to be awaited.
enum PageCall<Value> {
  case made(Load<Value>, ticket: Int)
  case refused(AsyncOutcome<Value?>)

  /// Suspends until the request ends, or the calling task gives up its interest.
  func outcome(isolation: isolated any Actor) async -> AsyncOutcome<Value?> {
    switch self {
    case .refused(let outcome): return outcome
    case .made(let load, let ticket):
      await load.wait(as: ticket, isolation: isolation)
      return load.outcome
    }
  }
}

extension Load {
  func attempt<Item, Cursor>(
    _ fetch: @escaping (Cursor, LoadReporter<Value>) async throws -> Value.Page, _ reporter: LoadReporter<Value>,
    at cursor: Cursor, _ edge: PageEdge, _ maxPages: Int?, _ policy: RequestPolicy?
  ) -> Attempt where Value == Paged<Item, Cursor> {
    let get: () async throws -> Value.Page = { try await fetch(cursor, reporter) }
    let intercepted = policy?.intercepting(get) ?? get
    return {
      let page = try await intercepted().ending(whereRequestedAt: cursor, at: edge)
      return {
        guard self.mayAnswer, let data = self.data else { return }
        data.extend(for: self, at: edge, by: page, from: cursor, maxPages, isOfAll: reporter.isListRead)
      }
    }
  }
}

extension AsyncSnapshot {
  /// The request for the page after the last one, where the value is a ``Paged``.
  public var nextPage: PageState { context[page: .next] }

  /// The request for the page before the first one, where the value is a ``Paged``.
  public var previousPage: PageState { context[page: .previous] }
}

extension AsyncData {
  /// The request for the page after the last one, where the value is a ``Paged``.
  public var nextPage: PageState {
    state.core.noteRead(.pages)
    return state.core.record.context[page: .next]
  }

  /// The request for the page before the first one, where the value is a ``Paged``.
  public var previousPage: PageState {
    state.core.noteRead(.pages)
    return state.core.record.context[page: .previous]
  }
}
