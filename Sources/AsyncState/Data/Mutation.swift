extension AsyncData {
  /// Shows a change at once and has it confirmed: an optimistic update.
  ///
  /// The change is visible before this suspends for the first time. If `commit` fails or is cancelled this change alone
  /// is taken out again, whatever other changes and loads came meanwhile; the failure is the outcome, and not the error
  /// of the facts. A load that answers meanwhile puts its value under the changes that are not confirmed.
  ///
  /// Setting the value, or a reset, takes all such changes out for good: what `commit` then answers is not written.
  ///
  /// - Parameters:
  ///   - patch: The change. A pure function: it is applied again whenever what lies below it changes.
  ///   - isolation: The actor that the data live on.
  ///   - commit: Makes the change where it counts. It gives the value as it is there now, or nil to keep the change as
  ///     it is shown. It runs in the calling task.
  /// - Returns: `.value` with the value by then, `.failure`, `.cancelled`, or `.superseded` when the change was
  ///   confirmed after the value had been set otherwise. In a task that is cancelled already nothing happens.
  @discardableResult
  public func mutate(
    _ patch: @escaping (inout Value) -> Void, isolation: isolated any Actor = #isolation,
    commit: @escaping () async throws -> Value?
  ) async -> LoadOutcome<Value> {
    guard !Task.isCancelled else { return .cancelled }
    let pending = patches ?? PendingPatches(base: facts.value)
    patches = pending
    let number = pending.ordered.add(patch)
    showPatched(pending)
    do {
      let answer = try await commit()
      guard patches === pending else { return .superseded }
      if let answer { pending.ordered.confirm(number, with: answer) } else { pending.ordered.confirm(number) }
      if answer != nil { showPatched(pending) }
      discardIfDecided(pending)
      return .value(facts.value)
    } catch {
      pending.ordered.remove(number)
      if patches === pending {
        showPatched(pending)
        discardIfDecided(pending)
      }
      return error is CancellationError ? .cancelled : .failure(error)
    }
  }

  private func showPatched(_ pending: PendingPatches) {
    change {
      $0.value = pending.ordered.value
      revision.value &+= 1
    }
  }

  /// With nothing left to be decided the value is what it was before there were patches: a fact.
  private func discardIfDecided(_ pending: PendingPatches) {
    if patches === pending, pending.ordered.isEmpty { patches = nil }
  }
}
