// SPDX-License-Identifier: MIT
extension AsyncData {
  /// Joins the request of a page, or starts one.
  ///
  /// - Parameter isPinned: It runs until it settles, whether or not anyone waits.
  func requestPage<Item, Cursor>(
    at edge: PageEdge, _ maxPages: Int?, isPinned: Bool = false, of list: ListRequest<Value>? = nil,
    isolation: isolated any Actor, _ fetch: @escaping (Cursor, LoadReporter<Value>) async throws -> Value.Page
  ) -> PageCall<Value> where Value == Paged<Item, Cursor> {
    guard !state.core.record.isOfFormerKey else { return .refused(.notRequested(nil)) }
    guard state.core.order.running == nil, state.core.record.context.activity == nil else {
      return .refused(.superseded)
    }
    if let running = state.core.order[edge] {
      guard let ticket = running.joinIfWanted(isPinned: isPinned) else {
        return requestPage(at: edge, maxPages, isPinned: isPinned, of: list, isolation: isolation, fetch)
      }
      return .made(typed(running), ticket: ticket)
    }
    guard let pages = displayed else { return .refused(.notRequested(nil)) }
    guard let cursor = pages.cursor(at: edge) else { return .refused(.notRequested(pages)) }
    let request = Load(for: self, edge: edge, home: isolation)
    let ticket = request.join(isPinned: isPinned)
    beginPage(request, at: edge)
    if request.isCurrent {
      operationWillBegin()
      let policy = policy()
      let reporter = LoadReporter(request, isolation)
      (reporter.body, reporter.listID) = (list?.operation, list?.id)
      let attempt = request.attempt({ try await fetch($0, reporter) }, at: cursor, edge, maxPages, policy)
      request.run(by: policy, on: timeline, isolation: isolation, attempt)
    }
    return .made(request, ticket: ticket)
  }

  /// A page request begins. It is one of the requests before readers are notified, so what they do ends it as usual.
  func beginPage(_ request: Load<Value>, at edge: PageEdge) {
    forgetConfirmed()
    state.core.order.begin(request, at: edge)
    apply(.pageRequested(edge), for: request)
  }

  /// A page arrived: it extends the confirmed value as it is now, and undecided changes are applied to that.
  ///
  /// - Parameter extending: What the page does to a list; nil: it belongs to the edge of another one.
  func extend(for request: Load<Value>, at edge: PageEdge, with extending: (Value) -> PageExtension<Value>?) {
    let announced = announce(.pageArrived(edge, evicts: true), hasValue: true)
    let page =
      hasPatches
      ? extendPatches(for: request, at: edge, announced, with: extending)
      : extendInPlace(for: request, at: edge, announced, with: extending)
    if let page { doubt(page) }
    forgetConfirmed()
  }

  /// - Returns: The page; nil if it was not added.
  private func extendPatches(
    for request: Load<Value>, at edge: PageEdge, _ announced: Announcement,
    with extending: (Value) -> PageExtension<Value>?
  ) -> Value? {
    let edit = editedPatches { patches in
      let confirmed = patches.confirmedValue
      let page = confirmed.flatMap(extending)
      let others = page.map { commits(leaving: $0.alone, in: patches) } ?? []
      if let page, let confirmed { patches.replaceConfirmed(with: page.extended(confirmed)) }
      return (shown: page == nil ? nil : patches.value, page: page, others: others)
    }
    guard let page = edit.result.page, let shown = edit.result.shown else {
      withdrawPage(request, at: edge, announced)
      return nil
    }
    let event = DataEvent.pageArrived(edge, evicts: page.evicts)
    guard let step = take(event, for: request, hasValue: true, announced: announced) else { return nil }
    for commit in edit.result.others { commit.ignoreOneWrite() }
    request.answer = shown
    deliver(step, storing: edit.patches, displaying: shown)
    return page.alone
  }

  /// Without a copy, where no one else holds the list: not even a variable in here.
  ///
  /// - Returns: The page; nil if it was not added.
  private func extendInPlace(
    for request: Load<Value>, at edge: PageEdge, _ announced: Announcement,
    with extending: (Value) -> PageExtension<Value>?
  ) -> Value? {
    guard let page = state.value.flatMap(extending) else {
      withdrawPage(request, at: edge, announced)
      return nil
    }
    let event = DataEvent.pageArrived(edge, evicts: page.evicts)
    guard let step = take(event, for: request, hasValue: true, announced: announced) else { return nil }
    let former = state.value == nil ? nil : page.extend(&state.value!)
    request.answer = state.value
    deliver(step)
    withExtendedLifetime(former) {}
    return page.alone
  }

  /// The list that the page could extend is there no more.
  private func withdrawPage(_ request: Load<Value>, at edge: PageEdge, _ announced: Announcement) {
    withdraw(announced)
    apply(.pageEnded(edge, .superseded), for: request)
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

/// The effect of a page on a list.
struct PageExtension<Value> {
  /// Pages are removed at the other edge.
  let evicts: Bool
  /// The page, as a list of its own.
  let alone: Value
  /// Extends the list in place, and calls no code of the user's. Returns what is to be released afterwards.
  let extend: (inout Value) -> Any

  func extended(_ value: Value) -> Value {
    var longer = value
    _ = extend(&longer)
    return longer
  }
}

extension Load {
  /// A page arrived. It is added if the request is still current.
  func extend(_ extending: (Value) -> PageExtension<Value>?) {
    guard mayAnswer, let edge, let data else { return }
    data.extend(for: self, at: edge, with: extending)
  }

  func attempt<Item, Cursor>(
    _ fetch: @escaping (Cursor) async throws -> Value.Page, at cursor: Cursor, _ edge: PageEdge, _ maxPages: Int?,
    _ policy: RequestPolicy?
  ) -> Attempt where Value == Paged<Item, Cursor> {
    let get: () async throws -> Value.Page = { try await fetch(cursor) }
    let intercepted = policy?.intercepting(get) ?? get
    return {
      let page = try await intercepted().ending(whereRequestedAt: cursor, at: edge)
      return {
        let reach = self.data?.pageDisplay?.reach
        self.extend { list in
          guard list.ends(at: cursor, edge, isReplaced: self.state.isOutdated) else { return nil }
          return list.extending(by: page, at: edge, maxPages: maxPages, sparing: reach)
        }
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
