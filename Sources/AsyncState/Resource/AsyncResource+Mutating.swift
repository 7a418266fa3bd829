// SPDX-License-Identifier: MIT
extension AsyncResource {
  /// Displays a change at once and has it confirmed: an optimistic update, as
  /// ``AsyncData/mutate(lane:isolation:_:commit:)``.
  ///
  /// The result of `commit` is ignored, whatever its type. While the value of a former key is displayed the change is refused:
  /// the outcome is `.superseded`, and `commit` does not run.
  ///
  /// Complexity: To make, confirm or cancel a change takes constant time, however many others are not decided.
  ///
  /// - Parameters:
  ///   - lane: Commits with an equal lane run one after another, in order. Nil: at once.
  ///   - isolation: The actor that the resource belongs to.
  ///   - patch: The change. A pure function: it is applied again whenever the value below it changes.
  ///   - commit: Makes the change where it is stored. It runs in the calling task, on the resource's actor.
  /// - Returns: `.success` with the value after the commit, `.failure`, `.cancelled`, or `.superseded` when the resource was
  ///   reset, or the key has changed, before the change was decided.
  @discardableResult
  public func mutate<Answer>(
    lane: LoadID? = nil, isolation: isolated any Actor = #isolation, _ patch: @escaping (inout Value) -> Void,
    @_inheritActorContext(always) commit: sending @escaping () async throws -> Answer
  ) async -> AsyncOutcome<Value?> {
    await dataToWrite.mutate(lane: lane, isolation: isolation, patch, commit: commit)
  }

  /// Displays a change at once and has it replaced by the value that its commit returns, as
  /// ``AsyncData/mutate(lane:isolation:_:replacing:)``.
  ///
  /// Complexity: The answer takes time in the number of changes that are not decided, which are applied to it again.
  ///
  /// - Parameters:
  ///   - lane: Commits with an equal lane run one after another, in order. Nil: at once.
  ///   - isolation: The actor that the resource belongs to.
  ///   - patch: The change. A pure function: it is applied again whenever the value below it changes.
  ///   - commit: Makes the change where it is stored, and returns the new value; nil: there is no data. It runs in the
  ///     calling task, on the resource's actor.
  /// - Returns: The outcome, as there.
  @_disfavoredOverload
  @discardableResult
  public func mutate(
    lane: LoadID? = nil, isolation: isolated any Actor = #isolation, _ patch: @escaping (inout Value) -> Void,
    @_inheritActorContext(always) replacing commit: sending @escaping () async throws -> Value?
  ) async -> AsyncOutcome<Value?> {
    await dataToWrite.mutate(lane: lane, isolation: isolation, patch, replacing: commit)
  }
}
