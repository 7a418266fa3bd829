/// What a running load tells about itself.
///
/// A snapshot has an activity exactly while a load runs.
public struct LoadActivity: Sendable {
  /// Whether the load hides what is shown.
  public var mode: LoadMode

  // Most loads have no name, no progress and no failures yet. What the others have lives in one immutable box, so that
  // a snapshot stays a few words long and a plain load allocates nothing here.
  @usableFromInline var details: Details?

  /// An activity as a load that runs would show it.
  ///
  /// - Parameters:
  ///   - mode: Whether the load hides what is shown.
  ///   - id: What names the request, so that an equal request joins it.
  ///   - progress: How far the load is, in 0...1, or nil for unknown.
  ///   - failures: How many attempts have failed so far.
  ///   - lastFailure: The error of the last attempt that failed.
  public init(
    mode: LoadMode = .reload, id: LoadID? = nil, progress: Double? = nil, failures: Int = 0,
    lastFailure: (any Error)? = nil
  ) {
    self.init(mode: mode)
    details = Details.boxed(id: id, progress: progress, failures: failures, lastFailure: lastFailure)
  }

  @inlinable
  init(mode: LoadMode) {
    self.mode = mode
    details = nil
  }

  /// What names the request, so that an equal request joins it instead of starting another.
  public var id: LoadID? {
    get { details?.id }
    set {
      details = Details.boxed(id: newValue, progress: progress, failures: failures, lastFailure: lastFailure)
    }
  }

  /// How far the load is, in 0...1, or nil for unknown. It restarts at nil with each attempt.
  public var progress: Double? {
    get { details?.progress }
    set { details = Details.boxed(id: id, progress: newValue, failures: failures, lastFailure: lastFailure) }
  }

  /// How many attempts of this load have failed so far.
  public var failures: Int {
    get { details?.failures ?? 0 }
    set { details = Details.boxed(id: id, progress: progress, failures: newValue, lastFailure: lastFailure) }
  }

  /// The error of the last attempt that failed, while the load goes on.
  public var lastFailure: (any Error)? {
    get { details?.lastFailure }
    set { details = Details.boxed(id: id, progress: progress, failures: failures, lastFailure: newValue) }
  }
}

extension LoadActivity {
  /// The rarer half of an activity; replaced, never changed.
  @usableFromInline
  final class Details: Sendable {
    let id: LoadID?
    let progress: Double?
    let failures: Int
    let lastFailure: (any Error)?

    private init(id: LoadID?, progress: Double?, failures: Int, lastFailure: (any Error)?) {
      self.id = id
      self.progress = progress
      self.failures = failures
      self.lastFailure = lastFailure
    }

    /// Nil where there is nothing to keep.
    static func boxed(id: LoadID?, progress: Double?, failures: Int, lastFailure: (any Error)?) -> Details? {
      if id == nil, progress == nil, failures == 0, lastFailure == nil { return nil }
      return Details(id: id, progress: progress, failures: failures, lastFailure: lastFailure)
    }
  }
}

/// Whether a load hides what is shown while it runs.
public enum LoadMode: Hashable, Sendable {
  /// What is shown is hidden until the answer comes. The facts keep it: a cancel brings it back.
  case reload
  /// What is shown stays until the answer comes, as with pull to refresh.
  case refresh
}

/// What names a request: two loads with an equal id ask for the same thing.
public struct LoadID: Hashable, Sendable, ExpressibleByStringLiteral {
  // In a box: most loads have no name, and to pass "none" on for a value of any type took a tenth of the time of a load.
  private let base: Base

  private final class Base: Sendable {
    let value: any Hashable & Sendable

    init(_ value: any Hashable & Sendable) {
      self.value = value
    }
  }

  /// A name made of any hashable value: a number, a query, a key.
  public init(_ base: some Hashable & Sendable) {
    self.base = Base(base)
  }

  /// A name that is a piece of text.
  public init(stringLiteral value: String) {
    self.init(value)
  }

  /// Equal when the values that they were made of are.
  public static func == (lhs: LoadID, rhs: LoadID) -> Bool {
    AnyHashable(lhs.base.value) == AnyHashable(rhs.base.value)
  }

  /// Feeds the value that the id was made of.
  public func hash(into hasher: inout Hasher) {
    AnyHashable(base.value).hash(into: &hasher)
  }
}
