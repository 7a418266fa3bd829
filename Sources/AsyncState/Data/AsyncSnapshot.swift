// SPDX-License-Identifier: MIT
/// The value, the error and the activity of an ``AsyncData`` at one moment.
///
/// The three are independent: an old value may remain beside an error, and a load may run while there are both.
/// ``determineState(_:policy:)`` derives the status of a screen from them.
///
/// Data makes them. Snapshots for previews and tests are made by name, so that none is a state that data could not have:
/// ``value(_:isStale:)``, ``failed(_:keeping:mode:)``, ``loading``.
///
/// It contains no task, clock or closure, and is `Sendable` if `Value` is.
public struct AsyncSnapshot<Value> {
  // The value is last, because the fields after it have no fixed place in unspecialised code.
  @usableFromInline var context: SnapshotContext
  @usableFromInline var content: Value?

  @inlinable
  init(_ context: SnapshotContext, _ value: Value?) {
    self.context = context
    content = value
  }

  /// The last known value. Nil: there is no answer yet, or the answer is no data: ``status`` distinguishes them.
  public package(set) var value: Value? {
    @inlinable get { content }
    set { content = newValue }
  }

  /// The last error, until a value is loaded or set, or the error is removed.
  public package(set) var error: (any Error)? {
    get { context.error }
    set {
      context.error = newValue
      context.isRefreshError = false
    }
  }

  /// The mode of the load that has failed with ``error``. An error that was set by hand counts as one of a reload. Nil
  /// without an error.
  var failedMode: LoadMode? {
    error == nil ? nil : context.isRefreshError ? .refresh : .reload
  }

  /// The running load; nil when none runs.
  public package(set) var activity: LoadActivity? {
    get { context.load }
    set { context.activity = newValue }
  }

  /// True if a value was set, loaded, yielded or restored, which may be nil. A seed, or the value of a previous key, does not
  /// count.
  package var isValueSet: Bool { context.isValueSet }

  /// True if the value is a seed, is of a previous key, was restored from a store, or was yielded by a load that has not
  /// succeeded yet.
  public var isProvisional: Bool { context.isProvisional }

  /// True if the data was invalidated, and no load that started afterwards has succeeded.
  package var isInvalidated: Bool {
    get { context.validity != .valid }
    set { context.validity = newValue ? .invalidated : .valid }
  }

  /// A value was set, or there is an error.
  var isSettled: Bool { context.isSettled }

  /// True if a load is running, or is expected: nothing was requested since the data was created or reset, and there is no
  /// seed. For an indicator in the place of content. While content is displayed, and for a button, use ``isRunning``.
  @inlinable
  public var isLoading: Bool { context.isLoading }

  /// True while a load is running. Bind an activity indicator to this.
  public var isRunning: Bool { context.isRunning }

  /// True while the running load waits for its ``LoadGate``, so that nothing is being requested.
  public var isWaiting: Bool { activity?.isWaiting == true }

  /// Not settled, and no load is running.
  var isIdle: Bool { !isSettled && activity == nil }

  /// True if nothing was requested or written since the data was created or reset. It distinguishes idle data whose request is
  /// still expected from data whose request has ended without an answer: it was cancelled, forgotten, or there was no key.
  package var isUntouched: Bool { context.isUntouched }
}

extension AsyncSnapshot: RequestState {
  var isBeingRequested: Bool { context.isRunning || context.awaitsRequest }
}

extension AsyncSnapshot: Sendable where Value: Sendable {}
