// SPDX-License-Identifier: MIT
// Snapshots for previews and tests.

extension AsyncSnapshot {
  /// The first load is running, and there is no value yet.
  public static var loading: AsyncSnapshot { AsyncSnapshot(activity: LoadActivity(mode: .reload)) }

  /// An answer.
  ///
  /// - Parameters:
  ///   - value: The value; nil: there is no data.
  ///   - isStale: True if the data was invalidated since.
  public static func value(_ value: Value?, isStale: Bool = false) -> AsyncSnapshot {
    var snapshot = AsyncSnapshot(value: value, isValueSet: true)
    snapshot.isInvalidated = isStale
    return snapshot
  }

  /// A load has failed.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - value: The last answer before it; nil: there was none.
  ///   - mode: The mode of the load that has failed. By default a value stays on the screen and the error is displayed
  ///     beside it; the error of a reload takes its place.
  public static func failed(
    _ error: any Error, keeping value: Value? = nil, mode: LoadMode = .refresh
  ) -> AsyncSnapshot {
    AsyncSnapshot(value: value, error: error, failedMode: mode)
  }

  /// Any combination of the parts.
  ///
  /// - Parameters:
  ///   - isValueSet: True if `value` is an answer; nil: if it is a value. One that is not an answer is a seed.
  ///   - failedMode: The mode of the load that has failed with `error`; nil: a reload.
  package init(
    value: Value? = nil, error: (any Error)? = nil, activity: LoadActivity? = nil, isValueSet: Bool? = nil,
    failedMode: LoadMode? = nil
  ) {
    let isAnswer = isValueSet ?? (value != nil)
    var context = SnapshotContext(isAnswer ? .answer : .initial(hasSeed: value != nil))
    context.error = error
    context.isRefreshError = failedMode == .refresh
    context.activity = activity
    if error != nil || activity != nil { context.origin.noteRequest() }
    self.init(context, value)
  }
}
