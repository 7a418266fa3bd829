// SPDX-License-Identifier: MIT
/// The source of a value before it is requested, which is called before an answer is written: the family of the data.
protocol StoredSource: AnyObject {
  /// A call is about to request the value, or to find it fresh enough.
  func willRequest(when condition: LoadCondition)

  /// A load is about to begin. Nothing has changed yet.
  func willBegin()

  /// The current load, which has its answer, is about to write it.
  ///
  /// - Returns: Whether the answer is out of date already.
  func willAnswer(_ load: LoadRun) -> Bool

  /// The answer was written, or the load was not current any more.
  func didAnswer()

  /// The stored value may not contain a change, and there is no value in memory to say so.
  func doubtStored()

  /// A value may be stored that was not looked for.
  var hasUnreadValue: Bool { get }

  /// Displays what is stored.
  func displayStored(isolation: isolated (any Actor)?) async

  /// Displays what is stored before a value is requested. If it is fresh enough for each call, the load ends.
  func findFresh(for load: LoadRun, isolation: isolated (any Actor)?) async throws
}
