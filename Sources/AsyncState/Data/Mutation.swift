extension AsyncData {
  /// Displays a change at once and has it confirmed: an optimistic update.
  ///
  /// The change is visible before this suspends for the first time. If `commit` fails or is cancelled, this change
  /// alone is removed, whatever other changes and loads happened meanwhile; the failure is the outcome, not the error of
  /// the data. A load that answers meanwhile puts its value under the changes that are not confirmed.
  ///
  /// A `commit` that returns nothing confirms the change as it is displayed. One that returns a `Value`, or a `Value?`,
  /// returns the value of the server: that replaces this change and all that were confirmed before it, and nil means
  /// that there is no data. A result of any other type is ignored.
  ///
  /// Setting the value, or a reset, removes all such changes: what `commit` then does is not written.
  ///
  /// - Parameters:
  ///   - lane: Commits with an equal lane run one after another, in order. Nil: at once.
  ///   - isolation: The actor of the data.
  ///   - patch: The change. A pure function: it is applied again whenever the value below it changes.
  ///   - commit: Makes the change where it is stored. It runs in the calling task.
  /// - Returns: `.value` with the value by then, `.failure`, `.cancelled`, or `.superseded` when the value was set or
  ///   reset before the change was decided. In a task that is cancelled already nothing happens.
  @discardableResult
  public func mutate<Answer>(
    lane: LoadID? = nil, isolation: isolated any Actor = #isolation, _ patch: @escaping (inout Value) -> Void,
    commit: @escaping () async throws -> Answer
  ) async -> LoadOutcome<Value> {
    // Generic, and not two overloads: between those the compiler cannot choose for a closure that only throws, or that
    // has several statements and returns nothing.
    await mutate(patch, lane, isolation: isolation) { Self.serverValue(try await commit()) }
  }

  /// - Returns: The server's value; nil where the commit returned none.
  private static func serverValue<Answer>(_ answer: Answer) -> Value?? {
    if Answer.self == Value.self { return .some(answer as? Value) }
    if Answer.self == Value?.self { return answer as? Value? }
    if Answer.self == Void.self { return .none }
    return (answer as? Value).map { .some($0) }
  }

  /// - Parameter operation: Returns the server's value, or nil where there is none.
  private func mutate(
    _ patch: @escaping (inout Value) -> Void, _ lane: LoadID?, isolation: isolated any Actor,
    _ operation: () async throws -> Value??
  ) async -> LoadOutcome<Value> {
    guard !Task.isCancelled else { return .cancelled }
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
    let hasTurn = lane.map { requiredExtras.lanes.enter($0, commit) } ?? true
    if hasTurn { commit.takeTurn() }
    display(patch, of: commit)
    // Not even a call where it has its turn: at each suspension point others may have theirs.
    if !commit.hasTurn { await waitForTurn(commit, isolation: isolation) }
    defer { if let lane, commit.hasTurn { state.extras?.lanes.leave(lane)?.takeTurn() } }
    if Task.isCancelled { withdraw(commit) }
    if let reason = commit.ending { return reason == .cancelled ? .cancelled : .superseded }
    commit.begin()
    do {
      let answer = try await operation()
      guard commit.ending == nil else { return .superseded }
      confirm(commit, with: answer)
      return .value(state.value)
    } catch {
      guard commit.ending == nil else { return .superseded }
      remove(commit, isFailure: true)
      return error is CancellationError ? .cancelled : .failure(error)
    }
  }

  /// Adds a patch on top of the others and displays the value with it.
  func display(_ patch: @escaping (inout Value) -> Void, of commit: Commit) {
    let extras = requiredExtras
    let dropCount = extras.dropCount
    let (patches, shown) = editedPatches {
      // A patch that sets the value drops every undecided change, its own included.
      if extras.dropCount == dropCount { $0.add(patch, commit) }
      return $0.value
    }
    guard extras.dropCount == dropCount else { return commit.end(.superseded) }
    display(shown, with: patches)
  }

  private func waitForTurn(_ commit: Commit, isolation: isolated any Actor) async {
    let bound = ActorBound((data: self, commit: commit), to: isolation)
    await withTaskCancellationHandler(
      operation: { await commit.waitForTurn(isolation: isolation) },
      onCancel: { bound.send { $0.data.withdraw($0.commit) } },
      isolation: isolation)
  }

  /// The task was cancelled. If the commit has not begun its change is removed, and the data are no staler for it.
  private func withdraw(_ commit: Commit) {
    guard !commit.hasBegun, commit.ending == nil else { return }
    commit.end(.cancelled)
    remove(commit)
  }

  /// Removes the change of a commit alone, and displays the value without it.
  func remove(_ commit: Commit, isFailure: Bool = false) {
    let (patches, shown) = editedPatches {
      $0.remove(commit)
      return $0.value
    }
    display(shown, with: patches, isFailure: isFailure)
  }

  private func display(
    _ shown: Value?, with patches: Patches<Value>, isFailure: Bool = false, isConfirmation: Bool = false
  ) {
    let hasUndecided = patches.hasUndecided
    write(shown, storing: patches) {
      $0.hasUndecidedChanges = hasUndecided
      if isFailure { $0.context.invalidate() }
      guard isConfirmation else { return }
      // The server's value is confirmed, whatever it replaces.
      $0.isConfirmed = true
      $0.confirmations &+= 1
    }
  }

  func confirm(_ commit: Commit, with answer: Value??) {
    let isLoading = state.core.order.running != nil
    let (patches, shown) = editedPatches {
      $0.confirm(commit, with: answer, isLoading: isLoading)
      return answer == nil ? Value??.none : .some($0.value)
    }
    // A confirmation that leaves the value alone is no reason to display it again.
    if let shown, !isSame(state.value, shown) { return display(shown, with: patches, isConfirmation: true) }
    let (hasUndecided, hasAnswer) = (patches.hasUndecided, answer != nil)
    var exchanged = stored(patches)
    change(alongside: { state.extras?.exchange(&exchanged) }) {
      $0.hasUndecidedChanges = hasUndecided
      $0.confirmations &+= 1
      if hasAnswer { $0.isConfirmed = true }
    }
  }
}
