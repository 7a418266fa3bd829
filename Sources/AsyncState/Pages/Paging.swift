// SPDX-License-Identifier: MIT
extension AsyncData {
  /// Joins the running request of the page at an edge, or starts one.
  ///
  /// - Parameter isForHolders: True if displayed rows want the page: it is for the holders of the data, and no call
  ///   waits for it.
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

  /// True if an undecided change has made the edge that is displayed, or the one that is displayed above confirmed
  /// changes. The page at such an edge would not extend the confirmed list (9.15).
  func isUndecided<Item, Cursor>(_ edge: PageEdge) -> Bool where Value == Paged<Item, Cursor> {
    guard state.core.record.hasUndecidedChanges, let list = valueBelowChanges else { return false }
    return [displayed, displayed(above: list)].contains { above in
      guard let cursor = above?.cursor(at: edge) else { return list.cursor(at: edge) != nil }
      return !list.ends(at: cursor, edge, isReplaced: false)
    }
  }

  /// The value that is displayed when this one has arrived.
  private func displayed(above list: Value?) -> Value? {
    guard var overlay else { return list }
    return computing {
      _ = overlay.receive(list, isNewest: false)
      return overlay.displayed(from: nil)
    }
  }

  /// Begins a page request.
  func beginPage(_ request: Load<Value>, at edge: PageEdge) {
    state.core.order.begin(request, at: edge)
    apply(.pageRequested(edge), for: request)
  }

  /// Extends the present confirmed list by a page that has arrived, and applies the undecided changes to the result.
  ///
  /// - Parameters:
  ///   - cursor: The cursor of the page. The page is dropped if the list does not end there any more.
  func extend<Item, Cursor>(
    for request: Load<Value>, at edge: PageEdge, by page: Value.Page, from cursor: Cursor, _ maxPages: Int?
  ) where Value == Paged<Item, Cursor> {
    let reach = pageDisplay?.reach
    // Displayed rows are counted with undecided changes, and pages are evicted without these. So no page is evicted
    // under displayed rows before the changes are decided (9.14).
    let most = reach != nil && state.core.record.hasUndecidedChanges ? nil : maxPages
    let isBelowChanges = isUndecided(edge)
    func addition(to list: Value) -> Value.Addition? {
      // If another list has arrived during the request, its rows are newer than those of the page.
      let isOlder = request.state.isOutdated
      guard !isBelowChanges, list.ends(at: cursor, edge, isReplaced: isOlder) else { return nil }
      return list.addition(of: page, at: edge, most, sparing: reach, canReturn: true, isOlder: isOlder)
    }
    if hasPatches {
      extendBelowChanges(for: request, at: edge, addition)
    } else {
      extendInPlace(for: request, at: edge, addition)
    }
    // A change that has ended meanwhile may concern a row of the page.
    if case .answered = request.ending, state.core.record.isOvertaken { doubt(by: .patchDoubted) }
  }

  /// Puts the list with the page below the changes, as any value.
  private func extendBelowChanges<Item, Cursor>(
    for request: Load<Value>, at edge: PageEdge, _ addition: (Value) -> Value.Addition?
  ) where Value == Paged<Item, Cursor> {
    var extended = knownValue
    guard let addition = extended.flatMap(addition) else { return dropPage(request, at: edge) }
    // The decided changes lie below the undecided ones. That may change the displayed rows, so they are counted after it.
    let count = displayed(above: extended)?.items.count ?? 0
    _ = extended?.add(addition, at: edge)
    guard let shown = displayed(above: extended) else { return dropPage(request, at: edge) }
    // Undecided changes may remove rows of a page at the beginning, or add some.
    let more = edge == .previous ? shown.items.count - count - addition.growth : 0
    let past = ItemIdentity<Item>.known == nil ? [] : displayed?.items ?? []
    let taken = take(addition, for: request, at: edge) { row in
      if past.indices.contains(row) { return shown.index(ofSameAs: past[row]) }
      // A row after the items, such as a footer, moves with the last item.
      let last = past.reversed().lazy.compactMap { shown.index(ofSameAs: $0) }.first
      return last.map { $0 + 1 + row - past.count } ?? addition.index(of: row, at: edge) + more
    }
    guard let taken else { return }
    request.answer = shown
    deliver(taken.step, puttingBelow: extended, by: taken.event)
  }

  /// Extends the list in place. No variable holds the list during the change, because it would be copied.
  private func extendInPlace<Item, Cursor>(
    for request: Load<Value>, at edge: PageEdge, _ addition: (Value) -> Value.Addition?
  ) where Value == Paged<Item, Cursor> {
    guard let addition = state.value.flatMap(addition) else { return dropPage(request, at: edge) }
    guard let taken = take(addition, for: request, at: edge, movingRowsTo: { addition.index(of: $0, at: edge) }) else {
      return
    }
    let former = state.value == nil ? nil : state.value!.add(addition, at: edge)
    request.answer = state.value
    deliver(taken.step)
    withExtendedLifetime(former) {}
  }

  /// Takes the event of a page that has arrived, and moves the displayed rows with the list.
  ///
  /// - Parameter index: Returns the new index of a row; nil: the row is removed.
  /// - Returns: The event to deliver; nil: the request has ended.
  private func take<Item, Cursor>(
    _ addition: Value.Addition, for request: Load<Value>, at edge: PageEdge, movingRowsTo index: (Int) -> Int?
  ) -> TakenPage? where Value == Paged<Item, Cursor> {
    // Moved before the event is taken, because comparing identities runs the user's code.
    let lists = pageDisplay?.lists(movedTo: index)
    let event = DataEvent.pageArrived(edge, evicts: addition.evictedPages > 0)
    guard let step = begin(event, for: request, hasValue: true) else { return nil }
    if let lists { pageDisplay?.lists = lists }
    return TakenPage(event: event, step: step)
  }

  /// Ends the request of a page as superseded, because the list does not end at its cursor any more (3.13).
  private func dropPage(_ request: Load<Value>, at edge: PageEdge) {
    apply(.pageEnded(edge, .superseded), for: request)
  }
}

/// The event of a page that has arrived, to be delivered.
private struct TakenPage: ~Copyable {
  let event: DataEvent
  let step: DataStep
}

/// A request of a further page, or the reason for which none was made.
enum PageCall<Value> {
  case made(Load<Value>, ticket: Int)
  case refused(AsyncOutcome<Value?>)

  /// Suspends until the request ends, or the calling task gives up its interest.
  func outcome(isolation: isolated any Actor) async -> AsyncOutcome<Value?> {
    switch self {
    case .refused(let outcome): return outcome
    case .made(let load, let ticket):
      if let nested = load.nestedWait { return await load.outcome(as: ticket, nested, isolation: isolation) }
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
        data.extend(for: self, at: edge, by: page, from: cursor, maxPages)
      }
    }
  }
}

extension AsyncSnapshot {
  /// The state of the request for the page after the last one, if the value is a ``Paged``.
  public var nextPage: PageState { context[page: .next] }

  /// The state of the request for the page before the first one, if the value is a ``Paged``.
  public var previousPage: PageState { context[page: .previous] }
}

extension AsyncData {
  /// The state of the request for the page after the last one, if the value is a ``Paged``.
  public var nextPage: PageState {
    state.core.noteRead(.pages)
    return state.core.record.context[page: .next]
  }

  /// The state of the request for the page before the first one, if the value is a ``Paged``.
  public var previousPage: PageState {
    state.core.noteRead(.pages)
    return state.core.record.context[page: .previous]
  }
}
