// SPDX-License-Identifier: MIT
/// The status of asynchronous data on a screen: one of six cases.
///
/// ```swift
/// switch articles.status {
/// case .loading: showIndicator()
/// case .error(let error): showMessage("\(error)")
/// case .data(let articles): showList(articles)
/// case .noData: showMessage("Nothing here")
/// case .idle: showMessage("Not loaded", retry: { articles.reload() })
/// case .waiting: showMessage("Waiting for a network")
/// }
/// ```
public enum AsyncStatus<Value> {
  /// The value is expected.
  case loading
  /// The last request failed.
  case error(any Error)
  /// There is content.
  case data(Value)
  /// The answer is that there is nothing.
  case noData
  /// There is neither a value nor an error, and nothing is being requested: the request has ended without an answer, such as
  /// after a cancel, there is no key, or nothing was requested yet and the policy has ``IdleDisplay/idle``.
  case idle
  /// There is neither a value nor an error, and the request waits for its ``LoadGate``: without a network, for example.
  case waiting

  /// The status without its value or error.
  @inlinable
  public var kind: AsyncStatusKind {
    switch self {
    case .loading: .loading
    case .error: .error
    case .data: .data
    case .noData: .noData
    case .idle: .idle
    case .waiting: .waiting
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
  /// - Parameter transform: Makes the other value. Called once for `data`, otherwise never.
  public func map<T>(_ transform: (Value) throws -> T) rethrows -> AsyncStatus<T> {
    switch self {
    case .loading: .loading
    case .error(let error): .error(error)
    case .data(let value): .data(try transform(value))
    case .noData: .noData
    case .idle: .idle
    case .waiting: .waiting
    }
  }
}

/// A status without its value or error.
public enum AsyncStatusKind: String, Hashable, Sendable, CaseIterable {
  /// The value is expected.
  case loading
  /// The last request failed.
  case error
  /// There is content.
  case data
  /// The answer is that there is nothing.
  case noData
  /// There is neither a value nor an error, and nothing is being requested.
  case idle
  /// There is neither a value nor an error, and the request waits for its ``LoadGate``.
  case waiting
}

extension AsyncStatus: Sendable where Value: Sendable {}

/// Errors are equal if they have the same type and are equal by `==`, or the same object. Errors of a type that is not
/// `Equatable` are equal if their descriptions are.
extension AsyncStatus: Equatable where Value: Equatable {
  /// True if both display the same.
  public static func == (lhs: AsyncStatus, rhs: AsyncStatus) -> Bool {
    switch (lhs, rhs) {
    case (.loading, .loading), (.noData, .noData), (.idle, .idle), (.waiting, .waiting): true
    case (.error(let lhs), .error(let rhs)): areEqual(lhs, rhs)
    case (.data(let lhs), .data(let rhs)): lhs == rhs
    case (.loading, _), (.error, _), (.data, _), (.noData, _), (.idle, _), (.waiting, _): false
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

extension AsyncStatusKind: CustomStringConvertible {
  /// The name of the case.
  public var description: String {
    // A journal has the kind of each status, and reflection takes a thousand instructions.
    rawValue
  }
}

extension AsyncStatus: CustomStringConvertible {
  /// The status in words, as in `data: 3 items`.
  public var description: String {
    switch self {
    case .loading: "loading"
    case .error(let error): "error: \(brief(error))"
    case .data(let value): "data: \(brief(valueOf: value))"
    case .noData: "no data"
    case .idle: "idle"
    case .waiting: "waiting"
    }
  }
}
