// SPDX-License-Identifier: MIT
// A further page is a load of the data, with an operation of its own: its answer is the list that it knows, with one page more.
// It arrives as any answer does, below the changes that are not decided. What it leaves as it is: `DataRecord.extend`.

/// The result of the operation of a further page.
enum FurtherPage<Item, Cursor> {
  case page(Paged<Item, Cursor>.Page)
  /// The cursor has expired: the list begins anew.
  case list(Paged<Item, Cursor>)

  var isPage: Bool { if case .page = self { true } else { false } }
}

extension AsyncData {
  /// Joins the load of the page at an edge, or starts one.
  ///
  /// - Parameters:
  ///   - isForRows: True if displayed rows want the page: no call waits for it.
  ///   - fetch: Requests the page at a cursor. If that has expired, the list may begin anew.
  /// - Returns: The load, and the ticket of a call that waits for it.
  func requestPage<Item, Cursor>(
    at edge: PageEdge, forRows isForRows: Bool, isolation: isolated any Actor,
    _ fetch:
      @escaping (Cursor, _ mayBeginAnew: Bool, LoadReporter<Value>) async throws -> FurtherPage<Item, Cursor>
  ) -> (load: Load<Value>, ticket: Int) where Value == Paged<Item, Cursor> {
    if state.core.record.isOfFormerKey { return (Load(endedWith: .fresh), 0) }
    if let running = state.core.order.running {
      guard running.edge == edge else { return (Load(endedWith: .ended(.superseded)), 0) }
      guard let ticket = running.joinIfWanted(isPinned: isForRows) else {
        return requestPage(at: edge, forRows: isForRows, isolation: isolation, fetch)
      }
      return (typed(running), ticket)
    }
    guard let list = valueBelowChanges, let cursor = list.cursor(at: edge) else {
      return (Load(endedWith: .fresh, answer: displayed), 0)
    }
    let version = list.version
    // Not twice for displayed rows, without a page between: that would never end.
    let mayBeginAnew = !isForRows || !list.version.hasBegunAnew
    let load = Load(for: self, edge: edge, home: isolation)
    let call = LoadCall(.refresh, nil, policy)
    let ticket = begin(load, call, isPinned: isForRows)
    guard load.isCurrent else { return (load, ticket) }
    operationWillBegin()
    let reporter = LoadReporter(load, isolation)
    let attempt = load.attempt(of: version, call.policy, reporter) { try await fetch(cursor, mayBeginAnew, reporter) }
    load.run(by: call.policy, on: timeline, isolation: isolation, attempt)
    return (load, ticket)
  }

  /// Answers a load with the list that it knows and one page more. Changes that were confirmed since it began are applied to that
  /// again, as to any answer. If another list has taken the place of the one that it was requested for, it is dropped.
  ///
  /// - Parameters:
  ///   - version: The list that the page was requested for.
  ///   - isListRead: True if the page was requested by what is in the list.
  fileprivate func extend<Item, Cursor>(
    at edge: PageEdge, by answer: FurtherPage<Item, Cursor>, for load: Load<Value>, of version: Value.Version,
    isListRead: Bool
  ) where Value == Paged<Item, Cursor> {
    // Comparing identities runs the user's code.
    let arrival = computing { () -> (list: Value, growth: Int, isUncertain: Bool)? in
      guard let list = knownValue, list.version == version else { return nil }
      var extended = list
      switch answer {
      case .page(let page): extended.add(page, at: edge)
      case .list(let new): extended = new
      }
      var displayed: Value? = extended
      if hasPatches {
        let changes = changes(above: extended)
        // A change that sets a whole list would remove the page.
        guard changes.decided?.version.has(extended.version) == true else { return nil }
        displayed = changes.displayed(from: nil)
      }
      let isUncertain = isUncertain(answer, at: edge, displaying: displayed, isListRead: isListRead)
      return (extended, answer.isPage ? growth(from: list, to: displayed) : 0, isUncertain)
    }
    guard let arrival else { return apply(.dropped, for: load) }
    pageWish?.growth = arrival.growth
    load.answer = arrival.list
    answering(load) { isOutdated in
      let hasChanges = hasPatches
      knownChanges?.list.notePage()
      receive(
        arrival.list, by: .answered(at: now, isOutdated: arrival.isUncertain || isOutdated, isEqual: false), for: load)
      if hasChanges, let displayed { load.answer = displayed }
    }
  }

  /// The number of rows without identity that a list which is about to be displayed has more. The changes that are displayed may
  /// have added some, too, or removed some.
  private func growth<Item, Cursor>(
    from list: Value, to displayed: Value?
  ) -> Int where Value == Paged<Item, Cursor> {
    guard pageWish != nil, ItemIdentity<Item>.known == nil, let displayed else { return 0 }
    return displayed.items.count - (self.displayed(above: list)?.items.count ?? 0)
  }

  /// The list that would be displayed above another one, if a load answered with that.
  func displayed(above list: Value) -> Value? { computing { changes(above: list).displayed(from: nil) } }

  /// True if changes that are not decided may be wrong above an arriving page, which is no write for them.
  private func isUncertain<Item, Cursor>(
    _ answer: FurtherPage<Item, Cursor>, at edge: PageEdge, displaying displayed: Value?, isListRead: Bool
  ) -> Bool where Value == Paged<Item, Cursor> {
    // What is confirmed lies below what is not from now on: in another order than the server has made it.
    if knownChanges?.list.hasDecided == true { return true }
    guard hasOpenChanges else { return false }
    switch answer {
    // A change that is being sent may have moved the rows that the server counts, and the page may contain it.
    case .page(let page): return isListRead || displayed?.hasRows(of: page, at: edge) == false
    case .list: return true
    }
  }
}

extension Load {
  // A function of its own: a closure in a function with an isolated parameter does not run on its caller's actor.
  fileprivate func attempt<Item, Cursor>(
    of version: Value.Version, _ policy: RequestPolicy?, _ reporter: LoadReporter<Value>,
    _ get: @escaping () async throws -> FurtherPage<Item, Cursor>
  ) -> Attempt where Value == Paged<Item, Cursor> {
    let intercepted = policy?.intercepting(get) ?? get
    return {
      let page = try await intercepted()
      return {
        guard self.mayAnswer, let edge = self.edge, let data = self.data else { return }
        data.extend(at: edge, by: page, for: self, of: version, isListRead: reporter.isListRead)
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
  package var nextPage: PageState {
    state.core.noteRead(.pages)
    return state.core.record.context[page: .next]
  }

  /// The state of the request for the page before the first one, if the value is a ``Paged``.
  var previousPage: PageState {
    state.core.noteRead(.pages)
    return state.core.record.context[page: .previous]
  }
}
