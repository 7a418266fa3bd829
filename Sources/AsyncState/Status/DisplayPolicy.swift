/// What a screen makes of facts where more than one answer is right.
public struct DisplayPolicy<Value> {
  @usableFromInline let errorReplacesData: Bool
  @usableFromInline let idle: IdleDisplay
  /// Nil where no value is empty.
  @usableFromInline let isEmpty: ((Value) -> Bool)?

  /// The policy that needs nothing of the value: an error replaces data, every value is content, idle is loading.
  @inlinable
  public init() {
    errorReplacesData = true
    idle = .loading
    isEmpty = nil
  }

  /// A policy with choices of one's own.
  ///
  /// - Parameters:
  ///   - errorReplacesData: Whether an error is shown where there is content, too.
  ///   - idle: What is shown while nothing is known and nobody has asked.
  ///   - isEmpty: Whether a value is no content.
  @inlinable
  public init(
    errorReplacesData: Bool = true, idle: IdleDisplay = .loading, isEmpty: @escaping (Value) -> Bool = { _ in false }
  ) {
    self.errorReplacesData = errorReplacesData
    self.idle = idle
    self.isEmpty = isEmpty
  }

  /// Whether there is something to show in a value.
  @inlinable
  func hasContent(_ value: Value) -> Bool {
    guard let isEmpty else { return true }
    return !isEmpty(value)
  }
}

extension DisplayPolicy where Value: Collection {
  /// The policy for collections: one without elements is no data.
  ///
  /// - Parameters:
  ///   - errorReplacesData: Whether an error is shown where there is content, too.
  ///   - idle: What is shown while nothing is known and nobody has asked.
  @inlinable
  public static func emptyIsNoData(errorReplacesData: Bool = true, idle: IdleDisplay = .loading) -> DisplayPolicy {
    DisplayPolicy(errorReplacesData: errorReplacesData, idle: idle, isEmpty: \.isEmpty)
  }
}

/// What is shown while nothing is known and nobody has asked.
public enum IdleDisplay: Hashable, Sendable {
  /// The same as while something is on its way: the request is about to be made.
  case loading
  /// The same as for "there is nothing": the request waits for the user.
  case noData
}
