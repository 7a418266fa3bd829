/// The value, the error and the activity of an ``AsyncData`` at one moment.
///
/// The three are independent: an old value may remain beside an error, and a load may run while there are both.
/// ``determineState(_:isViewLoaded:policy:)`` derives from them what a screen displays.
///
/// It contains no task, clock or closure, and is `Sendable` where `Value` is.
public struct AsyncSnapshot<Value> {
  /// The last error, until a value is loaded or set, or the error is removed.
  public var error: (any Error)?

  /// The running load; nil when none runs.
  public var activity: LoadActivity?

  /// A value was set or loaded, which may be nil. A seed is not an answer.
  public var isValueSet: Bool

  /// The value is a seed, or was yielded by a load that has not succeeded yet.
  public var isProvisional: Bool

  @usableFromInline var validity: Validity

  /// The page requests at both edges; nil when none runs and none has failed.
  @usableFromInline var pages: PageStates?

  // Last, because what follows it has no fixed place in code that is not specialised.
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
  @inlinable
  public init(
    value: Value? = nil, error: (any Error)? = nil, activity: LoadActivity? = nil, isValueSet: Bool? = nil
  ) {
    let isAnswer = isValueSet ?? (value != nil)
    self.value = value
    self.error = error
    self.activity = activity
    self.isValueSet = isAnswer
    isProvisional = value != nil && !isAnswer
    validity = .valid
  }

  /// The data were invalidated, and no load that started afterwards has succeeded.
  @inlinable
  public var isInvalidated: Bool {
    get { validity != .valid }
    set { validity = newValue ? .invalidated : .valid }
  }

  /// A value was set, or there is an error.
  @inlinable
  public var isSettled: Bool { isValueSet || error != nil }

  /// A load is running, or nothing is known yet. New data without a seed are loading before the first load starts.
  @inlinable
  public var isLoading: Bool { activity != nil || (!isSettled && value == nil) }

  /// A load is running. Bind an activity indicator to this.
  @inlinable
  public var isRunning: Bool { activity != nil }

  /// Not settled, and no load is running.
  @inlinable
  public var isIdle: Bool { !isSettled && activity == nil }
}

extension AsyncSnapshot: Sendable where Value: Sendable {}

/// Whether the data were invalidated.
@usableFromInline
enum Validity: Sendable {
  /// They were not.
  case valid
  /// They were. The next load that succeeds makes them valid again.
  case invalidated
  /// They were while the current load runs. Its answer may be older than that, so it does not make them valid.
  case invalidatedDuringLoad
}
