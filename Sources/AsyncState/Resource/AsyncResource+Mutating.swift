// SPDX-License-Identifier: MIT
extension AsyncResource {
  /// Displays a change at once and has it confirmed: an optimistic update, as
  /// ``AsyncData/mutate(isolation:_:commit:)``.
  ///
  /// The result of `commit` is ignored, whatever its type. While the value of a previous key is displayed the change is refused:
  /// the outcome is `.superseded`, and `commit` does not run.
  ///
  /// - Parameters:
  ///   - isolation: The actor that the resource belongs to.
  ///   - patch: The change. A pure function: it is applied again whenever the value below it changes.
  ///   - commit: Makes the change where it is stored. It runs on the resource's actor.
  /// - Returns: `.success` with the value after the commit, `.failure`, `.cancelled`, or `.superseded` when the resource was
  ///   reset, or the key has changed, before the change was decided.
  @discardableResult
  public func mutate<Answer>(
    isolation: isolated any Actor = #isolation, _ patch: @escaping (inout Value) -> Void,
    @_inheritActorContext(always) commit: sending @escaping () async throws -> Answer
  ) async -> AsyncOutcome<Value?> {
    await dataToWrite.mutate(isolation: isolation, patch, commit: commit)
  }
}
