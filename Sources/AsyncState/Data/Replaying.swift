// What a replay of a journal does to data: it answers requests, though it has not made them. For AsyncStateTesting.

extension AsyncData {
  /// The load that runs, also if another caller has started it.
  package var runningLoad: LoadTask<Value>? {
    (state.core.order.running as? Load<Value>).map { LoadTask($0) }
  }

  /// The page request that runs, also if another caller has made it.
  package func pageRequest(at edge: StateJournal.Edge) -> LoadTask<Value>? {
    (state.core.order[PageEdge(edge)] as? Load<Value>).map { LoadTask($0) }
  }

  /// Begins a page request that is answered by hand.
  package func beginPage(at edge: StateJournal.Edge, isolation: isolated any Actor) {
    let edge = PageEdge(edge)
    let request = Load(for: self, home: isolation, edge: edge)
    // As in a load that is begun by hand: the data may be a property of the actor.
    request.home = nil
    request.begun = WeakActor(isolation)
    request.pin()
    change(alongside: { state.core.order.begin(request, at: edge) }) { $0.context.beginPage(at: edge) }
  }

  /// The data belongs to another key from now on, or to none.
  package func changeKey(hasKey: Bool) {
    reset(keepsFormer: false, ending: .superseded, hasKey: hasKey) {}
  }

  /// What the data had is forgotten, as by its family.
  package func forget() {
    write(seed, ending: .everything, as: .ended(.cancelled)) { $0.forget() }
  }

  /// Displays a change that is decided by hand.
  package func display(_ patch: @escaping (inout Value) -> Void) -> UndecidedChange<Value> {
    let extras = requiredExtras
    extras.changeCount += 1
    let commit = Commit(number: extras.changeCount)
    commit.takeTurn()
    display(patch, of: commit)
    return UndecidedChange(data: self, commit: commit)
  }
}

/// An optimistic change without a commit.
package struct UndecidedChange<Value> {
  let data: AsyncData<Value>
  let commit: Commit

  /// It was not removed because the value was set otherwise.
  package var isUndecided: Bool { commit.ending == nil }

  /// It has succeeded. If an answer came meanwhile, it is not known whether that contains it.
  func confirm() {
    if isUndecided { data.confirm(commit, with: nil) }
  }

  /// - Parameter isOutdated: An answer came meanwhile, so the data are out of date now.
  package func confirm(isOutdated: Bool) {
    if isUndecided { data.confirm(commit, isOutdated: isOutdated) }
  }

  /// - Parameter isFailure: The commit had begun, so the data are out of date now.
  package func remove(isFailure: Bool) {
    if isUndecided { data.remove(commit, isFailure: isFailure) }
  }
}

extension LoadTask {
  /// An attempt failed, and another one follows.
  package func noteFailure(_ error: any Error, failures: Int) {
    load?.noteFailure(error, failures: failures)
  }

  /// What was stored is fresh enough.
  package func endFresh() {
    guard let load else { return }
    load.writableOwner?.endFresh(load)
    load.state.task?.cancel()
  }

  /// The list has another edge than the one that a page was requested for.
  package func supersede() {
    if let load { load.writableOwner?.end(load, .superseded) }
    load?.state.task?.cancel()
  }

  /// A page arrived, and with it the list is `value`.
  package func extend(to value: Value) {
    load?.extend { former in
      let count = AsyncData.pageCount(of: value)
      let evicts = count.map { $0 <= AsyncData.pageCount(of: former) ?? 0 } ?? false
      return PageExtension(evicts: evicts) { list in
        var former = value
        swap(&former, &list)
        return former
      }
    }
    load?.state.task?.cancel()
  }
}

extension PageEdge {
  fileprivate init(_ edge: StateJournal.Edge) {
    switch edge {
    case .next: self = .next
    case .previous: self = .previous
    }
  }
}
