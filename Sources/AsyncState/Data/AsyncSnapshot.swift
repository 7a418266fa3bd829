// SPDX-License-Identifier: MIT
/// The value, the error and the activity of an ``AsyncData`` at one moment.
///
/// The three are independent: an old value may remain beside an error, and a load may run while there are both.
/// ``determineState(_:isViewLoaded:policy:)`` derives from them what a screen displays.
///
/// It contains no task, clock or closure, and is `Sendable` where `Value` is.
public struct AsyncSnapshot<Value> {
  // The value is last, because what follows it has no fixed place in code that is not specialised.
  @usableFromInline var context: SnapshotContext

  /// The last known value. Nil: nothing is known yet or there is no data; ``isValueSet`` distinguishes them.
  public var value: Value?

  /// Creates a snapshot, for previews and tests.
  ///
  /// - Parameters:
  ///   - value: The last known value.
  ///   - error: The last error.
  ///   - activity: The running load; nil when none runs.
  ///   - isValueSet: Whether `value` is an answer. By default a value is one and nil is not. A value that is not an
  ///     answer is a seed, and provisional.
  ///   - failedMode: The mode of the load that has failed with `error`; nil: a reload.
  public init(
    value: Value? = nil, error: (any Error)? = nil, activity: LoadActivity? = nil, isValueSet: Bool? = nil,
    failedMode: LoadMode? = nil
  ) {
    let isAnswer = isValueSet ?? (value != nil)
    context = SnapshotContext()
    context.error = error
    context.isRefreshError = failedMode == .refresh
    context.isUntouched = !isAnswer && error == nil && activity == nil
    context.activity = activity
    context.isValueSet = isAnswer
    context.isProvisional = value != nil && !isAnswer
    self.value = value
  }

  /// Nothing is known, and nothing is requested: the request was cancelled, or there was no key. For previews and tests.
  public static var unanswered: AsyncSnapshot {
    var snapshot = AsyncSnapshot()
    snapshot.context.isUntouched = false
    return snapshot
  }

  @inlinable
  init(_ context: SnapshotContext, _ value: Value?) {
    self.context = context
    self.value = value
  }

  /// The last error, until a value is loaded or set, or the error is removed.
  public var error: (any Error)? {
    get { context.error }
    set {
      context.error = newValue
      context.isRefreshError = false
    }
  }

  /// The mode of the load that has failed with ``error``. An error that was set by hand counts as one of a reload. Nil
  /// without an error.
  public var failedMode: LoadMode? {
    error == nil ? nil : context.isRefreshError ? .refresh : .reload
  }

  /// The running load; nil when none runs.
  public var activity: LoadActivity? {
    get { context.activity }
    set { context.activity = newValue }
  }

  /// A value was set or loaded, which may be nil. A seed is not an answer.
  public var isValueSet: Bool {
    get { context.isValueSet }
    set { context.isValueSet = newValue }
  }

  /// The value is a seed, or was yielded by a load that has not succeeded yet.
  public var isProvisional: Bool {
    get { context.isProvisional }
    set { context.isProvisional = newValue }
  }

  /// The data were invalidated, and no load that started afterwards has succeeded.
  public var isInvalidated: Bool {
    get { context.validity != .valid }
    set { context.validity = newValue ? .invalidated : .valid }
  }

  /// A value was set, or there is an error.
  public var isSettled: Bool { context.isSettled }

  /// A load is running, or is expected: nothing was requested since the data was created or reset, and there is no seed.
  @inlinable
  public var isLoading: Bool { context.isLoading(hasValue: value != nil) }

  /// A load is running. Bind an activity indicator to this.
  public var isRunning: Bool { context.isRunning }

  /// The running load waits for its ``LoadGate``, so nothing is being requested.
  public var isWaiting: Bool { activity?.isWaiting == true }

  /// Not settled, and no load is running.
  public var isIdle: Bool { !isSettled && activity == nil }

  /// Nothing was requested or written since the data was created or reset. It distinguishes idle data whose request is
  /// still to come from one whose request has ended without an answer: it was cancelled, forgotten, or there was no key.
  public var isUntouched: Bool { context.isUntouched }
}

extension AsyncSnapshot: Sendable where Value: Sendable {}
