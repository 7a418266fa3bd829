// SPDX-License-Identifier: MIT
extension AsyncData {
  /// Displays a change at once and has it confirmed: an optimistic update.
  ///
  /// ```swift
  /// let outcome = await post.mutate {
  ///   $0.likes += 1
  /// } commit: {
  ///   try await service.like()
  /// }
  /// ```
  ///
  /// The change is visible before this suspends for the first time. If `commit` fails or is cancelled, this change
  /// alone is removed, whatever other changes and loads happened meanwhile; the failure is the outcome, not the error of
  /// the data. A load that answers meanwhile puts its value under the changes that are not confirmed.
  ///
  /// What `commit` returns is ignored, whatever its type: the change is confirmed as it is displayed. For a commit that
  /// returns the new value, see ``mutate(lane:isolation:_:replacing:)``. If a load answered while the commit ran, the
  /// change stays and the data is invalidated, because it is not known whether that answer contains the change.
  ///
  /// Setting the value, or a reset, removes all such changes: what `commit` then does is not written.
  ///
  /// Complexity: To make, confirm or cancel a change takes constant time, however many others are not decided. To read
  /// the value after one was removed takes time in the number of the others.
  ///
  /// - Parameters:
  ///   - lane: Commits with an equal lane run one after another, in order. Nil: at once.
  ///   - isolation: The actor of the data.
  ///   - patch: The change. A pure function: it is applied again whenever the value below it changes.
  ///   - commit: Makes the change where it is stored. It runs in the calling task, on the data's actor.
  /// - Returns: `.success` with the value by then, `.failure`, `.cancelled`, or `.superseded` when the value was set or
  ///   reset before the change was decided. While the value of a former key is displayed, `.superseded`, and `commit`
  ///   does not run. In a task that is cancelled already nothing happens.
  @discardableResult
  public func mutate<Answer>(
    lane: LoadID? = nil, isolation: isolated any Actor = #isolation, _ patch: @escaping (inout Value) -> Void,
    commit: @escaping () async throws -> Answer
  ) async -> LoadOutcome<Value> {
    await mutate(patch, lane, isolation: isolation) {
      _ = try await commit()
      return .none
    }
  }

  // `replacing` is disfavoured, so that a trailing closure without a label has one meaning, whatever it returns.

  /// Displays a change at once and has it replaced by the value that its commit returns.
  ///
  /// ```swift
  /// let outcome = await post.mutate {
  ///   $0.likes += 1
  /// } replacing: {
  ///   try await service.like()  // The post, as the server has it now.
  /// }
  /// ```
  ///
  /// As ``mutate(lane:isolation:_:commit:)``, but the value that `commit` returns replaces this change and all that were
  /// confirmed before it; changes that are not decided stay on top of it, in order. The label must be written: a closure
  /// without one is a commit whose result is ignored.
  ///
  /// Complexity: The answer takes time in the number of changes that are not decided, which are applied to it again.
  ///
  /// - Parameters:
  ///   - lane: Commits with an equal lane run one after another, in order. Nil: at once.
  ///   - isolation: The actor of the data.
  ///   - patch: The change. A pure function: it is applied again whenever the value below it changes.
  ///   - commit: Makes the change where it is stored, and returns the new value; nil: there is no data. It runs in the
  ///     calling task, on the data's actor.
  /// - Returns: `.success` with the value by then, `.failure`, `.cancelled`, or `.superseded`, as there.
  @_disfavoredOverload
  @discardableResult
  public func mutate(
    lane: LoadID? = nil, isolation: isolated any Actor = #isolation, _ patch: @escaping (inout Value) -> Void,
    replacing commit: @escaping () async throws -> Value?
  ) async -> LoadOutcome<Value> {
    await mutate(patch, lane, isolation: isolation) { .some(try await commit()) }
  }

  /// - Parameter operation: Returns the server's value, or nil where there is none.
  private func mutate(
    _ patch: @escaping (inout Value) -> Void, _ lane: LoadID?, isolation: isolated any Actor,
    _ operation: () async throws -> Value??
  ) async -> LoadOutcome<Value> {
    guard !Task.isCancelled else { return .cancelled }
    guard !state.core.record.isOfFormerKey else { return .superseded }
    let extras = requiredExtras
    extras.changeCount += 1
    extras.commitCount += 1
    let commit = Commit(number: extras.changeCount)
    let outcome = await decide(commit, patch, lane, isolation: isolation, operation)
    extras.commitCount -= 1
    resumeIfSettled()
    return outcome
  }

  private func decide(
    _ commit: Commit, _ patch: @escaping (inout Value) -> Void, _ lane: LoadID?, isolation: isolated any Actor,
    _ operation: () async throws -> Value??
  ) async -> LoadOutcome<Value> {
    let hasTurn = lane.map { requiredExtras.lanes.enter(commit, in: $0) } ?? true
    if hasTurn { commit.takeTurn() }
    display(patch, of: commit)
    // Not even a call where it has its turn: at each suspension point others may have theirs.
    if !commit.hasTurn { await waitForTurn(commit, isolation: isolation) }
    defer { if let lane, commit.hasTurn { state.extras?.lanes.leave(lane)?.takeTurn() } }
    while commit.ending == nil, !Task.isCancelled, let gate = gate(), let ticket = gate.reserve() {
      commit.wait(at: gate, ticket)
      await gate.wait(as: ticket, isolation: isolation)
      // Its task may have been cancelled before it suspended.
      gate.leave(ticket)
    }
    if Task.isCancelled { withdraw(commit) }
    if let reason = commit.ending { return reason == .cancelled ? .cancelled : .superseded }
    commit.begin(after: requiredExtras.confirmedCount)
    do {
      let answer = try await operation()
      if commit.ending == nil { confirm(commit, with: answer) }
      return commit.ending == nil ? .success(displayed) : .superseded
    } catch {
      guard commit.ending == nil else { return .superseded }
      remove(commit, isFailure: true)
      return error is CancellationError ? .cancelled : .failure(error)
    }
  }

  private func waitForTurn(_ commit: Commit, isolation: isolated any Actor) async {
    let bound = ActorBound((data: self, commit: commit), to: isolation)
    await untilResumed(isolation: isolation) {
      commit.wait($0)
    } onCancel: {
      bound.send { $0.data.withdraw($0.commit) }
    }
  }

  /// The task was cancelled. If the commit has not begun its change is removed, and the data is no staler for it.
  private func withdraw(_ commit: Commit) {
    guard !commit.hasBegun, commit.ending == nil else { return }
    commit.end(.cancelled)
    remove(commit)
  }
}

// MARK: - The patches of the changes

extension AsyncData {
  /// Adds a patch on top of the others and displays the value with it.
  func display(_ patch: @escaping (inout Value) -> Void, of commit: Commit) {
    let extras = requiredExtras
    let dropCount = extras.dropCount
    let shown = editedPatches { _ -> Value? in
      // A patch that sets the value drops every undecided change, its own included.
      guard extras.dropCount == dropCount, var value = displayed else { return nil }
      patch(&value)
      return value
    }.result
    guard extras.dropCount == dropCount else { return commit.end(.superseded) }
    let revision = revision.value
    guard let step = begin(.patched(number: commit.number), hasValue: shown != nil) else { return }
    patchesToChange().patches.add(patch, commit)
    // Observation calls its observers before the change, and they may have written another value.
    if self.revision.value == revision &+ 1 { return deliver(step, exchanging: shown) }
    state.core.isDisplayOutdated = true
    deliver(step)
  }

  /// Removes the change of a commit alone. The others are applied again when the value is read.
  func remove(_ commit: Commit, isFailure: Bool = false) {
    var event: DataEvent {
      .patchRemoved(number: commit.number, isOutdated: isFailure, hasOthers: hasUndecided(besides: commit))
    }
    let announced = announce(event, hasValue: state.extras?.patches?.patches.base != nil)
    // A reader may have written another value, which drops the change, or made further changes.
    guard let stored = state.extras?.patches, stored.patches.contains(commit) else { return withdraw(announced) }
    let base = stored.patches.base
    guard let step = take(event, for: nil, hasValue: base != nil, announced: announced) else { return }
    let removed = patchesToChange().patches.remove(commit)
    let isLast = stored.patches.isEmpty
    state.core.isDisplayOutdated = !isLast
    state.extras?.dropSettledPatches()
    if isLast { deliver(step, exchanging: base) } else { deliver(step) }
    foldPatches()
    withExtendedLifetime(removed) {}
  }

  /// The commit has returned.
  ///
  /// - Parameter answer: The server's value; nil where the change is confirmed as it is displayed.
  func confirm(_ commit: Commit, with answer: Value??) {
    if let answer {
      confirm(commit, replacedBy: answer)
    } else {
      // Without a value there was nothing to change: what is loaded, or found in a store, may be from before.
      let isUncertain = state.extras?.patches?.patches.isUncertain(commit) == true
      confirm(commit, isOutdated: isUncertain || displayed == nil)
    }
  }

  /// - Parameter isOutdated: It is not known whether what is below the change contains it.
  func confirm(_ commit: Commit, isOutdated: Bool) {
    var event: DataEvent {
      .patchConfirmed(number: commit.number, isOutdated: isOutdated, hasOthers: hasUndecided(besides: commit))
    }
    let announced = announce(event, hasValue: nil)
    let known = knownToLoad
    // A reader, or a patch, may have written another value, which drops the change.
    guard commit.ending == nil, let step = take(event, for: nil, hasValue: nil, announced: announced) else {
      return withdraw(announced)
    }
    patchesToChange().patches.confirm(commit, during: known)
    requiredExtras.confirmedCount += 1
    deliver(step)
    foldPatches()
  }

  /// Another patch takes the place of the one of a commit: what is sent instead of it, or what its answer makes of it.
  func exchange(_ commit: Commit, for patch: @escaping (inout Value) -> Void, confirming isConfirmed: Bool) {
    let isOutdated = state.extras?.patches?.patches.isUncertain(commit) == true || displayed == nil
    var event: DataEvent {
      isConfirmed
        ? .patchConfirmed(number: commit.number, isOutdated: isOutdated, hasOthers: hasUndecided(besides: commit))
        : .patched(number: commit.number)
    }
    let announced = announce(event, hasValue: displayed != nil)
    let isLoading = state.core.order.running != nil
    let edit = editedPatches {
      let known: Value?? = isLoading ? .some($0.remembersLoad ? nil : $0.confirmedValue) : nil
      $0.exchange(patch, of: commit)
      if isConfirmed { $0.confirm(commit, during: known) }
      return $0.value
    }
    // A reader, or a patch, may have written another value, which drops the change.
    guard commit.ending == nil, let step = take(event, for: nil, hasValue: edit.result != nil, announced: announced)
    else { return withdraw(announced) }
    if isConfirmed { requiredExtras.confirmedCount += 1 }
    deliver(step, storing: edit.patches, displaying: edit.result)
    foldPatches()
  }

  private func confirm(_ commit: Commit, replacedBy answer: Value?) {
    var edit = patches(confirming: commit, with: answer)
    // A confirmation that leaves the value alone is no reason to display it again.
    var isSame = isSame(displayed, edit.shown)
    guard commit.ending == nil else { return }
    // Another one was confirmed while this one ran: it is not known whether the server's value contains that.
    var event: DataEvent {
      .patchReplaced(
        number: commit.number, isOutdated: requiredExtras.confirmedCount != commit.confirmedBefore,
        hasOthers: edit.patches.hasUndecided)
    }
    let version = (state.extras?.patchesVersion, revision)
    let announced = announce(event, hasValue: isSame ? nil : edit.shown != nil)
    if version != (state.extras?.patchesVersion, revision) {
      // A reader has written.
      edit = patches(confirming: commit, with: answer)
      isSame = false
    }
    let hasValue = isSame ? nil : edit.shown != nil
    guard commit.ending == nil, let step = take(event, for: nil, hasValue: hasValue, announced: announced) else {
      return withdraw(announced)
    }
    requiredExtras.confirmedCount += 1
    deliver(step, storing: edit.patches, displaying: isSame ? nil : .some(edit.shown))
  }

  private func patches(confirming commit: Commit, with answer: Value?) -> (patches: Patches<Value>, shown: Value?) {
    let isLoading = state.core.order.running != nil
    let edit = editedPatches {
      $0.confirm(commit, with: answer, isLoading: isLoading)
      return $0.value
    }
    return (edit.patches, edit.result)
  }

  private func hasUndecided(besides commit: Commit) -> Bool {
    state.extras?.patches?.patches.hasUndecided(besides: commit) == true
  }

  /// The value that the running load may return as "not modified", where the patches have to remember it; nil without a
  /// load.
  private var knownToLoad: Value?? {
    guard state.core.order.running != nil else { return nil }
    return .some(editedPatches { $0.remembersLoad ? nil : $0.confirmedValue }.result)
  }
}

// MARK: - Changes that are decided by hand

extension AsyncData {
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

  /// Its input is sent.
  func begin() {
    if isUndecided, !commit.hasBegun { commit.begin(after: data.requiredExtras.confirmedCount) }
  }

  /// Something else is sent in its place.
  func exchange(_ patch: @escaping (inout Value) -> Void) {
    if isUndecided { data.exchange(commit, for: patch, confirming: false) }
  }

  /// It has succeeded, and is what the answer makes of it.
  func confirm(as patch: @escaping (inout Value) -> Void) {
    if isUndecided { data.exchange(commit, for: patch, confirming: true) }
  }

  /// It has succeeded. If an answer came meanwhile, it is not known whether that contains it.
  func confirm() {
    if isUndecided { data.confirm(commit, with: nil) }
  }

  /// - Parameter isOutdated: An answer came meanwhile, so the data is out of date now.
  package func confirm(isOutdated: Bool) {
    if isUndecided { data.confirm(commit, isOutdated: isOutdated) }
  }

  /// - Parameter isFailure: The commit had begun, so the data is out of date now.
  package func remove(isFailure: Bool) {
    if isUndecided { data.remove(commit, isFailure: isFailure) }
  }
}
