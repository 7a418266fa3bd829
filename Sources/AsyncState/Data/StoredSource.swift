// SPDX-License-Identifier: MIT
/// The source of a value before it is requested, which is called before an answer is written: the family of the data.
protocol StoredSource: AnyObject {
  /// Called when a call is about to request the value, or to find it fresh enough.
  func willRequest(when condition: LoadCondition)

  /// Called when a load is about to begin. Nothing has changed yet.
  func willBegin(_ load: LoadRun)

  /// Called when the current load is about to write its answer.
  ///
  /// - Returns: True if the answer is out of date already.
  func willAnswer(_ load: LoadRun) -> Bool

  /// Called when the answer was written, or the load was not current any more.
  func didAnswer()

  /// Marks the stored value, which may not contain a change: there is no value in memory that will be stored in its place.
  func doubtStored()

  /// Displays the stored value before a value is requested. If it is fresh enough for each call, the load ends.
  func findFresh(for load: LoadRun, isolation: isolated (any Actor)?) async throws
}
