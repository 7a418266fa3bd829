/// How a snapshot is displayed where there is a choice: errors over content, empty values, and data that were never
/// requested.
///
/// A policy is a plain value; keep one as a constant:
///
/// ```swift
/// extension DisplayPolicy where Value == [Article] {
///   static let feed = DisplayPolicy(errorReplacesData: false, isEmpty: { $0.isEmpty })
/// }
/// ```
public struct DisplayPolicy<Value>: Sendable {
  @usableFromInline let errorReplacesData: Bool
  @usableFromInline let idle: IdleDisplay
  /// Nil if no value is empty.
  @usableFromInline let isEmpty: (@Sendable (Value) -> Bool)?

  /// The default policy: an error replaces content, every value is content, and idle data are displayed as loading.
  public init() {
    errorReplacesData = true
    idle = .loading
    isEmpty = nil
  }

  /// A policy with choices of its own.
  ///
  /// - Parameters:
  ///   - errorReplacesData: Whether an error is displayed if there is content, too.
  ///   - idle: What is displayed before anything was requested.
  ///   - isEmpty: Whether a value has no content. It must be a pure function.
  public init(
    errorReplacesData: Bool = true, idle: IdleDisplay = .loading,
    isEmpty: @escaping @Sendable (Value) -> Bool = { _ in false }
  ) {
    self.errorReplacesData = errorReplacesData
    self.idle = idle
    self.isEmpty = isEmpty
  }
}

extension DisplayPolicy where Value: Collection {
  /// The policy for collections: one without elements is displayed as no data.
  ///
  /// - Parameters:
  ///   - errorReplacesData: Whether an error is displayed if there is content, too.
  ///   - idle: What is displayed before anything was requested.
  public static func emptyIsNoData(errorReplacesData: Bool = true, idle: IdleDisplay = .loading) -> DisplayPolicy {
    DisplayPolicy(errorReplacesData: errorReplacesData, idle: idle, isEmpty: \.isEmpty)
  }
}

/// What is displayed before anything was requested.
public enum IdleDisplay: Hashable, Sendable {
  /// The same as for a running load: the request is about to be made.
  case loading
  /// The same as for "there is nothing": the request waits for the user.
  case noData
}

extension DisplayPolicy: CustomStringConvertible {
  /// The choices in words.
  public var description: String {
    let error = errorReplacesData ? "an error replaces data" : "data stay beside an error"
    return "\(error), idle is displayed as \(idle)\(isEmpty == nil ? "" : ", some values are empty")"
  }
}
