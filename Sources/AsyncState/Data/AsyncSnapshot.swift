/// One coherent reading of an ``AsyncData``: what is known, and whether more is on its way.
///
/// Value, error and activity are independent: an old value may stand beside an error, and a load may run over both.
/// What that means for a screen is the business of ``determineState(_:isViewLoaded:policy:)``.
///
/// A plain value: no task, clock or closure inside. It is `Sendable` where `Value` is.
public struct AsyncSnapshot<Value> {
  /// The error that came last, until a value comes or the error is taken away.
  public var error: (any Error)?

  /// The load that runs, if one does.
  public var activity: LoadActivity?

  /// A value was set or loaded, be it nil. A seed is not an answer.
  public var isValueSet: Bool

  /// The value is a seed, or was yielded by a load that has not succeeded yet.
  public var isProvisional: Bool

  @usableFromInline var validity: Validity

  /// The page requests at both edges; nil when none runs and none has failed.
  @usableFromInline var pages: PageStates?

  // Last, because what follows it has no fixed place in code that is not specialised.
  /// The last known value. Nil is either "nothing known" or the answer "there is nothing": see ``isValueSet``.
  public var value: Value?

  /// A reading as one would get it from facts with these values.
  ///
  /// - Parameters:
  ///   - value: The last known value.
  ///   - error: The error that came last.
  ///   - activity: The load that runs, if one does.
  ///   - isValueSet: Whether `value` is an answer. Left out, a value is one and nil is not. A value that is no answer
  ///     is a seed, and provisional.
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

  /// Facts were declared out of date, and no load that started since has succeeded.
  @inlinable
  public var isInvalidated: Bool {
    get { validity != .valid }
    set { validity = newValue ? .invalidated : .valid }
  }

  /// A value was set, or there is an error.
  @inlinable
  public var isSettled: Bool { isValueSet || error != nil }

  /// A load is running, or nothing is known yet. So fresh facts are loading, before anybody has asked.
  @inlinable
  public var isLoading: Bool { activity != nil || (!isSettled && value == nil) }

  /// A load is running. This is what a spinner that must not turn for nothing is bound to.
  @inlinable
  public var isRunning: Bool { activity != nil }

  /// Never asked: not settled, and no load is running.
  @inlinable
  public var isIdle: Bool { !isSettled && activity == nil }
}

extension AsyncSnapshot: Sendable where Value: Sendable {}

/// Whether facts are still to be believed.
@usableFromInline
enum Validity: Sendable {
  /// Nobody has said otherwise.
  case valid
  /// Out of date. A load that succeeds makes them valid again.
  case invalidated
  /// Out of date since the load that runs now was started: its answer may be older than the doubt, so it does not
  /// count.
  case invalidatedDuringLoad
}
