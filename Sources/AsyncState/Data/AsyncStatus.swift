// SPDX-License-Identifier: MIT
/// The status of asynchronous data on a screen: one of four cases.
///
/// ```swift
/// switch articles.status() {
/// case .loading: showIndicator()
/// case .error(let error): showMessage("\(error)")
/// case .data(let articles): showList(articles)
/// case .noData: showMessage("Nothing here")
/// }
/// ```
public enum AsyncStatus<Value> {
  /// The value is expected.
  case loading
  /// The last request failed.
  case error(any Error)
  /// There is content.
  case data(Value)
  /// There is no content.
  ///
  /// If `isIdle` is false, the answer is "there is nothing". If it is true, nothing is known and nothing is being
  /// requested: with `isWaiting` because a request waits for its ``LoadGate``, as without a network, else because none is
  /// made. Data that was never requested is displayed this way only where the policy says so; data whose request has ended
  /// without an answer always is. `case .noData:` matches all of them.
  case noData(isIdle: Bool = false, isWaiting: Bool = false)

  /// The status without its value or error.
  public var kind: AsyncStatusKind {
    switch self {
    case .loading: .loading
    case .error: .error
    case .data: .data
    case .noData: .noData
    }
  }

  /// The content; nil unless the status is `data`.
  public var value: Value? {
    if case .data(let value) = self { value } else { nil }
  }

  /// The error; nil unless the status is `error`.
  public var error: (any Error)? {
    if case .error(let error) = self { error } else { nil }
  }

  /// The same status for another value.
  ///
  /// - Parameter transform: Makes the other value. It is called once for `data`, else never.
  public func map<T>(_ transform: (Value) throws -> T) rethrows -> AsyncStatus<T> {
    switch self {
    case .loading: .loading
    case .error(let error): .error(error)
    case .data(let value): .data(try transform(value))
    case .noData(let isIdle, let isWaiting): .noData(isIdle: isIdle, isWaiting: isWaiting)
    }
  }
}

/// A status without its value or error.
public enum AsyncStatusKind: Hashable, Sendable, CaseIterable {
  /// The value is expected.
  case loading
  /// The last request failed.
  case error
  /// There is content.
  case data
  /// There is no content.
  case noData
}

extension AsyncStatus: Sendable where Value: Sendable {}

/// Errors are equal if they have the same type and are equal by `==`, or the same object. Errors of a type that is not
/// `Equatable` are equal if their descriptions are.
extension AsyncStatus: Equatable where Value: Equatable {
  /// Whether both display the same.
  public static func == (lhs: AsyncStatus, rhs: AsyncStatus) -> Bool {
    switch (lhs, rhs) {
    case (.loading, .loading): true
    case (.error(let lhs), .error(let rhs)): areEqual(lhs, rhs)
    case (.data(let lhs), .data(let rhs)): lhs == rhs
    case (.noData(let lhs, let isLeftWaiting), .noData(let rhs, let isRightWaiting)):
      lhs == rhs && isLeftWaiting == isRightWaiting
    case (.loading, _), (.error, _), (.data, _), (.noData, _): false
    }
  }
}

private func areEqual(_ lhs: any Error, _ rhs: any Error) -> Bool {
  func isEqual<Known: Equatable>(_ lhs: Known) -> Bool { rhs as? Known == lhs }
  guard type(of: lhs) == type(of: rhs) else { return false }
  if let lhs = lhs as? any Equatable { return isEqual(lhs) }
  if type(of: lhs) is AnyObject.Type { return lhs as AnyObject === rhs as AnyObject }
  return String(reflecting: lhs) == String(reflecting: rhs)
}

extension AsyncStatus: CustomStringConvertible {
  /// The status in words, as in `data: 3 items`.
  public var description: String {
    switch self {
    case .loading: "loading"
    case .error(let error): "error: \(brief(error))"
    case .data(let value): "data: \(brief(valueOf: value))"
    case .noData(_, isWaiting: true): "waiting"
    case .noData(let isIdle, _): isIdle ? "nothing requested" : "no data"
    }
  }
}
