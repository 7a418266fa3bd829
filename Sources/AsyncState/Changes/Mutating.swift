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
  /// The result of `commit` is ignored, whatever its type. If something else wrote the value while the commit ran, such as an
  /// answer, a page or an ``update(_:)``, the data is stale when the commit has ended, because it is not known whether that value
  /// contains the change.
  ///
  /// Setting the value removes the displayed changes; their commits continue. A reset, ``forget()``, and another key end those
  /// that wait. A commit has the interceptors, retries, timeout and gate of the data. Commits run beside each other: for an order,
  /// and for an answer that takes the place of the change, use an ``AsyncMutation``.
  ///
  /// - Parameters:
  ///   - isolation: The actor of the data.
  ///   - patch: The change. A pure function: it is applied again whenever the value below it changes, when that is next read. Of a
  ///     value that is an object it assigns a changed copy.
  ///   - commit: Makes the change where it is stored, on the data's actor.
  /// - Returns: `.success` with the value after the commit, `.failure`, `.cancelled`, or `.superseded` when the data was reset,
  ///   or the key has changed, before the change was decided. While the value of a previous key is displayed, `.superseded`, and
  ///   `commit` does not run. In a task that is cancelled already nothing happens.
  @discardableResult
  public func mutate<Answer>(
    isolation: isolated any Actor = #isolation, _ patch: @escaping (inout Value) -> Void,
    @_inheritActorContext(always) commit: sending @escaping () async throws -> Answer
  ) async -> AsyncOutcome<Value?> {
    guard !Task.isCancelled else { return .cancelled }
    guard !state.core.record.isOfFormerKey else { return .superseded }
    let (changes, call, change) = (changes, Commit(), changes.make(patch))
    changes.begin(call)
    display(change)
    let failure = await call.run(by: policy, on: timeline, isolation: isolation, send(change, of: call, commit))
    end(change, succeeded: failure == nil)
    changes.end(call)
    resumeIfSettled()
    guard !call.isSuperseded else { return .superseded }
    guard let failure else { return .success(displayed) }
    return failure is CancellationError ? .cancelled : .failure(failure)
  }

  // A function of its own: a closure in a function with an isolated parameter does not run on its caller's actor.
  private func send<Answer>(
    _ change: Change<Value>, of call: Commit, _ commit: @escaping () async throws -> Answer
  ) -> () async throws -> Void {
    {
      self.send(change)
      _ = try await commit()
      if call.hasEnded { self.noteMade() }
    }
  }
}

// MARK: - Changes

extension AsyncData {
  /// Adds a change. While the value of a previous key is displayed, nothing of it is: the loaded value is in doubt when the change
  /// ends.
  fileprivate func display(_ change: Change<Value>) {
    changes.openCount += 1
    guard !refusesWrites, !state.core.record.isOfFormerKey else { return change.drop() }
    change.display(over: sources)
    editChanges { $0.add(change) }
    deliver(begin(.patched(number: change.number), hasValue: hasBase))
  }

  /// Notes that a change is sent, perhaps once more.
  ///
  /// - Parameter isSentBefore: True if it may have been sent before it was displayed, so that any value may contain it.
  fileprivate func send(_ change: Change<Value>, isSentBefore: Bool = false) {
    let writes = state.core.record.writes
    change.display(over: sources)
    change.send(at: isSentBefore ? writes &- 1 : writes)
  }

  /// Ends a change: the one way for those of a call, of a mutation, and of an outbox, and the one rule of doubt.
  ///
  /// A change that was sent is in doubt unless it succeeded, is displayed over a value, and nothing else wrote the value since it was
  /// sent. A page is no write for a change that its answer makes again. The other half of the rule, for the answer of a request that
  /// runs meanwhile, is in the table of events: `isOvertaken`.
  ///
  /// - Parameter isExchanged: True if it has become the change that the answer makes.
  fileprivate func end(_ change: Change<Value>, isExchanged: Bool = false, succeeded: Bool) {
    changes.openCount -= 1
    if succeeded { noteConfirmation() }
    let isInDoubt =
      change.sentAt.map {
        !succeeded || change.isDropped || !hasBase || $0 != state.core.record.writes
          || change.isBesidePage && !isExchanged
      } ?? false
    change.display(over: sources)
    defer { if succeeded || isInDoubt { doubt(change.sources) } }
    guard !change.isDropped else {
      if isInDoubt { doubt(by: .patchDoubted) }
      return
    }
    let hasOthers = changes.list.hasUndecided(besides: change)
    let event: DataEvent =
      succeeded
      ? .patchConfirmed(number: change.number, isOutdated: isInDoubt, hasOthers: hasOthers)
      : .patchRemoved(number: change.number, isOutdated: isInDoubt, hasOthers: hasOthers)
    let isRequesting = context.isRequesting
    let step = begin(event, hasValue: succeeded && !isExchanged ? nil : hasBase)
    deliver(step) { list in
      if isExchanged { list.noteExchange() }
      if succeeded { list.confirm(change, duringRequest: isRequesting) } else { list.remove(change) }
    }
    if succeeded || isInDoubt { doubtStored() }
  }

  /// Notes that a change was made after all, although it had been given up: a value that has arrived since its end may be from
  /// before.
  func noteMade() {
    noteConfirmation()
    RunningOperation.outside {
      doubt(by: .patchDoubted)
      doubt(sources)
    }
  }

  /// What the value is made of: nothing but for a value that is made of others.
  private var sources: [any DoubtedPart] { madeOf?.sources ?? [] }

  /// Marks what the value is made of, after all changes of a step: only a server knows which of it a change has changed.
  private func doubt(_ sources: [any DoubtedPart]) {
    if sources.isEmpty { return }
    EarlyRound.within(state.extras?.earlyRound) { round in
      round.deliver { for source in sources { source.doubt(in: round) } }
    }
  }

  /// Marks a value that perhaps does not contain a change.
  func doubt(by event: DataEvent) {
    if context.isSettled || context.isRunning { apply(event) }
    doubtStored()
  }

  /// Marks the stored value if no confirmed value would be stored in its place: the data has no value, a seed, or a part.
  private func doubtStored() {
    if !state.core.record.isConfirmed { features.source?.doubtStored() }
  }

  /// Notes the time of a confirmation, for an entry of a family: a value of a list may be from before.
  private func noteConfirmation() {
    if keeper != nil { changes.confirmedAt = now }
  }
}

// MARK: - What arrives unasked

extension AsyncData {
  /// Applies a change that has already been made elsewhere, such as an event that the server has pushed. It is no answer: age
  /// and error stay, and so does a mark of being stale; a running request continues. An answer to a request that began before
  /// has the change applied to it again, and is stale.
  ///
  /// ```swift
  /// messages.update { $0.upsert(message) }
  /// ```
  ///
  /// It lies below the changes that are displayed and not sent yet, which will be made after it. Before the first answer it is kept
  /// for that, if a request runs; without one nothing is changed, and the data is stale. So it is while the value of a previous key is
  /// displayed.
  ///
  /// - Parameter change: The change. A pure function, defined for every value: it may be applied to another one later.
  public func update(_ change: @escaping (inout Value) -> Void) {
    if refusesWrites { return }
    noteConfirmation()
    let (hasBase, isRequesting) = (hasBase, context.isRequesting)
    // Without a value it is made of the answer.
    guard hasBase || isRequesting else { return doubt(by: .updated(isOutdated: true)) }
    let step = begin(.updated(isOutdated: false), hasValue: hasBase ? true : nil)
    let made = changes.make(change)
    deliver(step) { $0.update(made, duringRequest: isRequesting) }
    doubtStored()
  }

  /// Takes a whole value that was not requested, such as one that the server has pushed: it is fresh, and an error is removed.
  /// Changes that are not confirmed stay displayed, applied to it. A running request continues, and its answer replaces this,
  /// and is stale, as it may be older. As an element of a live value it clears no ``invalidate()``.
  ///
  /// ```swift
  /// messages.receive(all)
  /// ```
  ///
  /// Setting ``value`` is an answer by hand: it supersedes the running request, and removes the displayed changes.
  ///
  /// - Parameter value: The value; nil: there is no data.
  public func receive(_ value: Value?) {
    if !refusesWrites { receive(value, by: .elementArrived(at: now)) }
  }

  /// A value arrives from a load, a store or a stream. It lies under the changes that are not decided.
  func receive(_ value: Value?, by event: DataEvent, for request: LoadRun? = nil) {
    guard let step = begin(event, for: request, hasValue: value != nil) else { return }
    deliver(step, puttingBelow: value, by: event)
  }
}

// MARK: - Changes that are decided by hand

/// An optimistic change without a commit.
struct UndecidedChange<Value> {
  let data: AsyncData<Value>
  fileprivate let change: Change<Value>

  /// Notes that its input is sent, perhaps once more. Also after a reset of the data, which ends commits of calls but no
  /// command.
  ///
  /// - Parameter isSentBefore: True if it may have been sent before it was displayed, so that any value may contain it.
  func begin(isSentBefore: Bool = false) { data.send(change, isSentBefore: isSentBefore) }

  /// Notes that its input waits to be sent once more: those that are sent before it lie below it.
  func wait() {
    guard !change.isDropped, let places = data.knownChanges?.list.reordered(like: change) else { return }
    data.deliver(data.begin(.patched(number: change.number), hasValue: data.hasBase)) { $0.reorder(places) }
  }

  /// Puts another change in its place, which is displayed with the next event of the data.
  func exchangeQuietly(_ patch: @escaping (inout Value) -> Void) {
    guard !change.isDropped else { return }
    let former = change.exchange(patch)
    data.editChanges { $0.noteExchange() }
    withExtendedLifetime(former) {}
  }

  /// Displays another change, whose input is sent in its place.
  func exchange(_ patch: @escaping (inout Value) -> Void) {
    guard !change.isDropped else { return }
    let step = data.begin(.patched(number: change.number), hasValue: data.hasBase)
    let former = change.exchange(patch)
    data.deliver(step) { $0.noteExchange() }
    withExtendedLifetime(former) {}
  }

  /// - Parameter confirmed: The change that the answer makes; nil: the displayed one.
  func end(as confirmed: ((inout Value) -> Void)? = nil, succeeded: Bool) {
    let former = confirmed.map { change.exchange($0) }
    data.end(change, isExchanged: confirmed != nil, succeeded: succeeded)
    withExtendedLifetime(former) {}
  }
}

extension AsyncData {
  /// Displays a change that is decided by hand.
  ///
  /// - Parameter input: That of the command that makes it.
  func display(_ patch: @escaping (inout Value) -> Void, of input: (any RankedInput)? = nil) -> UndecidedChange<Value> {
    let change = changes.make(patch)
    change.belong(to: input)
    display(change)
    return UndecidedChange(data: self, change: change)
  }
}
