// SPDX-License-Identifier: MIT
/// The mode, progress and failed attempts of a running load.
///
/// A snapshot has an activity exactly while a load runs.
public struct LoadActivity: Sendable {
  /// The mode, which decides whether the load hides the content.
  public var mode: LoadMode
  /// True while the load waits for its ``LoadGate`` to open: nothing is being requested.
  public var isWaiting: Bool
  /// The edge of the list that the load extends by a page; nil: it loads the whole value.
  package var edge: PageEdge?

  // In one immutable box, so that a snapshot is a few words long: it is copied with each step of a load. Without the box a load
  // takes 6 % more instructions, and to determine a status 9 %.
  var details: Details?

  /// Creates an activity, for previews and tests.
  ///
  /// - Parameters:
  ///   - mode: The mode, which decides whether the load hides the content.
  ///   - id: The name of the request; requests with an equal one join it.
  ///   - progress: The completed part, in 0...1; nil: unknown.
  ///   - failures: The number of attempts that have failed so far.
  ///   - lastFailure: The error of the last attempt that failed.
  ///   - isWaiting: True if the load waits for its gate to open.
  public init(
    mode: LoadMode = .refresh, id: LoadID? = nil, progress: Double? = nil, failures: Int = 0,
    lastFailure: (any Error)? = nil, isWaiting: Bool = false
  ) {
    self.init(mode: mode, isWaiting: isWaiting)
    details = Details.boxed(id: id, progress: progress, failures: failures, lastFailure: lastFailure)
  }

  init(mode: LoadMode, isWaiting: Bool = false) {
    self.mode = mode
    self.isWaiting = isWaiting
    details = nil
  }

  /// The name of the request. Requests with an equal one join it instead of starting another. Nil: none joins.
  public var id: LoadID? {
    get { details?.id }
    set {
      details = Details.boxed(id: newValue, progress: progress, failures: failures, lastFailure: lastFailure)
    }
  }

  /// The completed part, in 0...1; nil: unknown. It restarts at nil with each attempt.
  public var progress: Double? {
    get { details?.progress }
    set { details = Details.boxed(id: id, progress: newValue, failures: failures, lastFailure: lastFailure) }
  }

  /// The number of attempts of this load that have failed so far.
  public var failures: Int {
    get { details?.failures ?? 0 }
    set { details = Details.boxed(id: id, progress: progress, failures: newValue, lastFailure: lastFailure) }
  }

  /// The error of the last attempt that failed, while the load continues.
  public var lastFailure: (any Error)? {
    get { details?.lastFailure }
    set { details = Details.boxed(id: id, progress: progress, failures: failures, lastFailure: newValue) }
  }
}

extension LoadActivity {
  /// The rarer half of an activity; replaced, never changed.
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

    /// Returns nil if there is nothing to keep.
    static func boxed(id: LoadID?, progress: Double?, failures: Int, lastFailure: (any Error)?) -> Details? {
      if id == nil, progress == nil, failures == 0, lastFailure == nil { return nil }
      return Details(id: id, progress: progress, failures: failures, lastFailure: lastFailure)
    }
  }
}

/// The mode of a load: it decides whether the load hides the content while it runs.
///
/// A first load has a mode, too: by default it is a refresh, which has nothing to keep visible.
public enum LoadMode: Hashable, Sendable {
  /// The content is hidden until the load yields or ends. The data keeps the value, so a cancel displays it again.
  case reload
  /// The content stays visible until the load answers, as with pull to refresh.
  case refresh
}

/// The name of a request: two loads with an equal one request the same data.
public struct LoadID: Hashable, Sendable, ExpressibleByStringLiteral {
  // In a box, so that an optional name is one word: most loads have none, and each passes it on.
  private let base: Base

  private final class Base: Sendable {
    let value: any Hashable & Sendable

    init(_ value: any Hashable & Sendable) {
      self.value = value
    }
  }

  /// Creates a name from any hashable value: a number, a query, a key.
  public init(_ base: some Hashable & Sendable) {
    self.base = Base(base)
  }

  /// Creates a name from a string literal.
  public init(stringLiteral value: String) {
    self.init(value)
  }

  /// Two names are equal when the values that they were created from are.
  public static func == (lhs: LoadID, rhs: LoadID) -> Bool {
    AnyHashable(lhs.base.value) == AnyHashable(rhs.base.value)
  }

  /// Hashes the value that the name was created from.
  public func hash(into hasher: inout Hasher) {
    AnyHashable(base.value).hash(into: &hasher)
  }
}

extension LoadID: CustomStringConvertible {
  /// The value that the name was created from.
  public var description: String { "\(base.value)" }
}
