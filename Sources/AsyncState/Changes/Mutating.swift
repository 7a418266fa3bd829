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
  /// The change is visible before this suspends for the first time. If `commit` fails or is cancelled, this change alone is
  /// removed, and other changes and loads stay; the failure is the outcome, not the error of the data. A load that answers
  /// while `commit` runs puts its value under the changes that are not confirmed.
  ///
  /// The result of `commit` is ignored, whatever its type: the change is confirmed as it is displayed. For a commit that
  /// returns the new value, see ``mutate(lane:isolation:_:replacing:)``. If the value was written while the commit ran, by a
  /// load or by hand, the data is stale when the commit has ended, because it is not known whether that value contains the
  /// change.
  ///
  /// Setting the value removes the displayed changes; their commits continue, and those that wait are sent. A reset,
  /// ``forget()``, and another key end those that wait. A commit has the interceptors, retries, timeout and gate of the data.
  ///
  /// Complexity: To make, confirm or cancel a change takes constant time, however many others are not decided. To read the
  /// value after one was removed takes time in the number of the others.
  ///
  /// - Parameters:
  ///   - lane: Commits with an equal lane run one after another, in order. Nil: at once.
  ///   - isolation: The actor of the data.
  ///   - patch: The change. A pure function: it is applied again whenever the value below it changes.
  ///   - commit: Makes the change where it is stored. It runs in the calling task, on the data's actor.
  /// - Returns: `.success` with the value after the commit, `.failure`, `.cancelled`, or `.superseded` when the data was reset,
  ///   or the key has changed, before the change was decided. While the value of a former key is displayed, `.superseded`, and
  ///   `commit` does not run. In a task that is cancelled already nothing happens.
  @discardableResult
  public func mutate<Answer>(
    lane: LoadID? = nil, isolation: isolated any Actor = #isolation, _ patch: @escaping (inout Value) -> Void,
    @_inheritActorContext(always) commit: sending @escaping () async throws -> Answer
  ) async -> AsyncOutcome<Value?> {
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
  /// - Returns: `.success` with the value after the commit, `.failure`, `.cancelled`, or `.superseded`, as there.
  @_disfavoredOverload
  @discardableResult
  public func mutate(
    lane: LoadID? = nil, isolation: isolated any Actor = #isolation, _ patch: @escaping (inout Value) -> Void,
    @_inheritActorContext(always) replacing commit: sending @escaping () async throws -> Value?
  ) async -> AsyncOutcome<Value?> {
    await mutate(patch, lane, isolation: isolation) { .some(try await commit()) }
  }

  /// - Parameter operation: Returns the server's value, or nil if it returns none.
  private func mutate(
    _ patch: @escaping (inout Value) -> Void, _ lane: LoadID?, isolation: isolated any Actor,
    _ operation: @escaping () async throws -> Value??
  ) async -> AsyncOutcome<Value?> {
    guard !Task.isCancelled else { return .cancelled }
    guard !state.core.record.isOfFormerKey else { return .superseded }
    let changes = changes
    let commit = changes.makeCommit()
    changes.callCount += 1
    let outcome = await decide(commit, patch, lane, isolation: isolation, operation)
    changes.callCount -= 1
    resumeIfSettled()
    return outcome
  }

  private func decide(
    _ commit: Commit, _ patch: @escaping (inout Value) -> Void, _ lane: LoadID?, isolation: isolated any Actor,
    _ operation: @escaping () async throws -> Value??
  ) async -> AsyncOutcome<Value?> {
    let hasTurn = lane.map { changes.lanes.enter(commit, in: $0) } ?? true
    if hasTurn { commit.takeTurn() }
    for item in lane.map({ changes.lanes.upTo(commit, in: $0) }) ?? [commit] { item.pass(LetIn.gates) }
    display(patch, of: commit)
    // Not even called if it has its turn: other calls may run at each suspension point.
    if !commit.hasTurn { await waitForTurn(commit, isolation: isolation) }
    // After a log-out or a change of the key the lane is another one's.
    defer { if let lane, changes.lanes[lane] === commit { changes.lanes.leave(lane)?.takeTurn() } }
    // With other options its request waits, in the time that it has.
    let policy = state.extras?.options.policy
    let request = policy?.isPlain == false ? state.extras?.options : nil
    if request == nil, commit.ending == nil, !Task.isCancelled,
      let place = policy?.gate?.enter(passing: commit.passedGates)
    {
      commit.wait(at: place)
      await place.wait(isolation: isolation) { _ in commit.ending == nil }
    }
    defer { commit.leaveGate() }
    if Task.isCancelled { withdraw(commit) }
    if let reason = commit.ending {
      changes.forget(commit)
      return reason == .cancelled ? .cancelled : .superseded
    }
    do {
      let answer =
        if let request { try await send(commit, by: request, isolation: isolation, operation) } else {
          try await LetIn.at(commit.place, isolation: isolation, attempt(of: commit, operation))
        }
      settle(commit, answer.map(ChangeEnd.replaced) ?? .confirmed(nil))
      return commit.ending == nil ? .success(displayed) : .superseded
    } catch {
      settle(commit, .removed)
      guard commit.ending == nil else { return .superseded }
      return error is CancellationError ? .cancelled : .failure(error)
    }
  }

  /// Calls the operation of a commit with interceptors, retries and a timeout: in a load of data of its own.
  ///
  /// A task that is cancelled cancels the operation, and not the load: the result or error of the operation decides the change,
  /// and its lane continues after that.
  private func send(
    _ commit: Commit, by options: DataOptions, isolation: isolated any Actor,
    _ operation: @escaping () async throws -> Value??
  ) async throws -> Value?? {
    let request = AsyncData<Value?>(seed: nil, options)
    let load = request.start(isolation: isolation, operation: attempt(of: commit, operation)).load
    guard let load else { throw CancellationError() }
    load.requiredExtras.isCommand = true
    commit.send(by: load)
    let bound = ActorBound(load as LoadRun, to: isolation)
    await withTaskCancellationHandler {
      await load.wait(isolation: isolation)
    } onCancel: {
      bound.send { $0.state.task?.cancel() }
    }
    return try load.outcome.get()
  }

  // A function of its own: a closure in a function with an isolated parameter does not run on its caller's actor.
  /// A commit that was superseded, as at a log-out, is not sent again, and waits for no other attempt.
  private func attempt(
    of commit: Commit, _ operation: @escaping () async throws -> Value??
  ) -> () async throws -> Value?? {
    {
      guard commit.ending == nil else { throw CancellationError() }
      commit.send(at: self.mark)
      commit.isAtWork = true
      defer { commit.isAtWork = false }
      do {
        let answer = try await operation()
        if commit.isSettled { self.noteMade(commit) }
        return answer
      } catch {
        throw commit.ending == nil ? CommandInterruptedError.of(error) : CancellationError()
      }
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

  /// Removes the change of a task that was cancelled, if it was not sent. The data is no staler for it.
  private func withdraw(_ commit: Commit) {
    guard commit.sentAt == nil, commit.ending == nil else { return }
    let isDisplayed = !commit.isDropped
    commit.end(.cancelled)
    changes.forget(commit)
    if isDisplayed { remove(commit) }
  }
}

// MARK: - The patch of a commit

extension AsyncData {
  /// Ends a change: the one way for those of a call, of a mutation, and of an outbox.
  func settle(_ commit: Commit, _ end: ChangeEnd<Value>) {
    changes.forget(commit)
    commit.settle()
    if end.kind != .removed { noteConfirmation() }
    guard !commit.isDropped else { return settleDropped(commit, end.kind) }
    switch end {
    case .confirmed(nil): confirm(commit)
    case .confirmed(let patch?): exchange(commit, for: patch, confirming: true)
    case .replaced(let value): confirm(commit, replacedBy: value)
    case .removed: remove(commit)
    }
  }

  /// Adds a patch on top of the others and displays the value with it.
  func display(_ patch: @escaping (inout Value) -> Void, of commit: Commit) {
    if refusesWrites { return commit.drop() }
    var shown = displayed
    if shown != nil { computing { patch(&shown!) } }
    let step = begin(.patched(number: commit.number), hasValue: shown != nil)
    patchesToChange().patches.add(patch, commit)
    deliver(step, exchanging: shown)
  }

  /// Removes the change of a commit alone. The others are applied again when the value is read.
  private func remove(_ commit: Commit) {
    guard let stored = storedPatches else { return assertionFailure("A displayed change has a patch.") }
    let isOutdated = isInDoubt(commit, .removed)
    let base = stored.patches.base
    let event = DataEvent.patchRemoved(
      number: commit.number, isOutdated: isOutdated, hasOthers: hasUndecided(besides: commit))
    let step = begin(event, hasValue: base != nil)
    let removed = patchesToChange().patches.remove(commit)
    let isLast = stored.patches.isEmpty
    state.core.isDisplayOutdated = !isLast
    changes.dropSettled()
    if isLast { deliver(step, exchanging: base) } else { deliver(step) }
    foldPatches()
    if isOutdated { doubtStored() }
    withExtendedLifetime(removed) {}
  }

  private func confirm(_ commit: Commit) {
    let (known, mark) = (knownToLoad, mark)
    let step = begin(confirmation(of: commit))
    let stored = patchesToChange()
    stored.patches.confirm(commit, at: mark, during: known)
    deliver(step)
    foldPatches()
    doubtStored()
  }

  /// Exchanges the patch of a commit: for that of an input sent instead of it, or for the one that its answer makes of it.
  fileprivate func exchange(_ commit: Commit, for patch: @escaping (inout Value) -> Void, confirming isConfirmed: Bool)
  {
    let isLoading = state.core.order.running != nil
    let edit = editedPatches {
      $0.exchange(patch, of: commit)
      if isConfirmed { $0.confirm(commit, at: mark, isLoading: isLoading) }
      return $0.value
    }
    let event = isConfirmed ? confirmation(of: commit) : .patched(number: commit.number)
    let step = begin(event, hasValue: edit.result != nil)
    deliver(step, storing: edit.patches, displaying: edit.result)
    foldPatches()
    if isConfirmed { doubtStored() }
  }

  private func confirmation(of commit: Commit) -> DataEvent {
    .patchConfirmed(
      number: commit.number, isOutdated: isInDoubt(commit, .confirmed), hasOthers: hasUndecided(besides: commit))
  }

  private func confirm(_ commit: Commit, replacedBy answer: Value?) {
    let isLoading = state.core.order.running != nil
    let edit = editedPatches {
      $0.confirm(commit, at: mark, with: answer, isLoading: isLoading)
      return $0.value
    }
    // A confirmation that does not change the value is no reason to display it again.
    let isSame = isSame(displayed, edit.result)
    let event = DataEvent.patchReplaced(
      number: commit.number, isOutdated: isInDoubt(commit, .replaced), hasOthers: edit.patches.order.hasUndecided)
    let step = begin(event, hasValue: isSame ? nil : edit.result != nil)
    deliver(step, storing: edit.patches, displaying: isSame ? nil : .some(edit.result))
  }

  /// Notes the time of a confirmation, for an entry of a family: a value of a list may be from before.
  func noteConfirmation() {
    if keeper != nil { changes.confirmedAt = now }
  }

  private func hasUndecided(besides commit: Commit) -> Bool {
    storedPatches?.patches.order.hasUndecided(besides: commit) == true
  }

  /// The value that the running load can rely on, for a confirmation in place; nil without a load.
  private var knownToLoad: Value?? {
    guard state.core.order.running != nil else { return nil }
    return .some(editedPatches { $0.valueForLoad }.result)
  }
}

// MARK: - Changes that are decided by hand

extension AsyncData {
  /// Applies a change that has already been made elsewhere, such as an event that the server has pushed. It is no answer: age
  /// and error stay, and so does a mark of being stale; a running request continues. An answer to a request that began before
  /// has the change applied to it again, and is stale.
  ///
  /// ```swift
  /// messages.update { $0.upsert(message) }
  /// ```
  ///
  /// Before the first answer the change is kept for that, if a request runs; without one nothing is changed, and the data is
  /// stale. So it is while the value of a former key is displayed. Up to a hundred of these changes above an undecided change are
  /// kept in their order; with more, they lie under it, and the data is stale.
  ///
  /// - Parameter change: The change. A pure function, defined for every value: it may be applied to another one later.
  public func update(_ change: @escaping (inout Value) -> Void) {
    if refusesWrites { return }
    noteConfirmation()
    let isFull = storedPatches?.patches.order.isFull == true
    let commit = changes.makeCommit()
    changes.forget(commit)
    let isLoading = state.core.order.running != nil
    let edit = editedPatches {
      $0.add(change, commit)
      $0.confirm(commit, at: mark, isLoading: isLoading)
      if isFull { $0.replaceConfirmed(with: $0.confirmedValue) }
      return $0.value
    }
    // Without a value it is made of the answer.
    guard edit.result != nil || isLoading else { return doubt(by: .updated(isOutdated: true)) }
    let step = begin(.updated(isOutdated: isFull), hasValue: edit.result.map { _ in true })
    deliver(step, storing: edit.patches, displaying: edit.result.map(Optional.some))
    foldPatches()
    doubtStored()
  }

  /// Displays a change that is decided by hand. While the value of a former key is displayed, nothing of it is: the loaded
  /// value is in doubt when the change ends.
  func display(_ patch: @escaping (inout Value) -> Void) -> UndecidedChange<Value> {
    let commit = changes.makeCommit()
    commit.takeTurn()
    if state.core.record.isOfFormerKey { commit.drop() } else { display(patch, of: commit) }
    return UndecidedChange(data: self, commit: commit)
  }
}

/// An optimistic change without a commit.
struct UndecidedChange<Value> {
  let data: AsyncData<Value>
  let commit: Commit

  /// Notes that its input is sent, perhaps once more. Also after a reset of the data, which ends commits of calls but no
  /// command.
  ///
  /// - Parameter isSentBefore: True if it may have been sent before it was displayed, so that any value may contain it.
  func begin(isSentBefore: Bool = false) {
    var mark = data.mark
    if isSentBefore { mark.writes &-= 1 }
    commit.send(at: mark)
  }

  /// Puts another change in its place, which is displayed with the next event of the data.
  func exchangeQuietly(_ patch: @escaping (inout Value) -> Void) {
    guard !commit.isDropped else { return }
    let former = data.patchesToChange().patches.exchange(patch, of: commit)
    withExtendedLifetime(former) {}
  }

  /// Displays another change, whose input is sent in its place.
  func exchange(_ patch: @escaping (inout Value) -> Void) {
    if !commit.isDropped { data.exchange(commit, for: patch, confirming: false) }
  }

  func settle(_ end: ChangeEnd<Value>) { data.settle(commit, end) }
}
