// SPDX-License-Identifier: MIT
/// Called around each attempt of a load, a page request or a mutation: for authorisation, logging, or to refuse requests.
///
/// ```swift
/// struct Logging: LoadInterceptor {
///   func intercept<Value>(
///     _ attempt: LoadAttempt<Value>, isolation: isolated (any Actor)?
///   ) async throws -> Value {
///     do {
///       return try await attempt()
///     } catch {
///       log("failed: \(type(of: error))")
///       throw error
///     }
///   }
/// }
/// ```
///
/// ```swift
/// let options = LoadOptions(retry: .exponential(), interceptors: [Logging()])
/// ```
///
/// It runs on the actor of the data or command, so values need not be `Sendable`. It may call the attempt several times, or not
/// at all. An error that it throws is the failure of the attempt, which the retry policy of the options judges; its time is
/// part of the timeout.
public protocol LoadInterceptor: Sendable {
  /// Makes an attempt.
  ///
  /// - Parameters:
  ///   - attempt: Calls the next interceptor, or the operation.
  ///   - isolation: The actor of the data or command.
  /// - Returns: The answer.
  func intercept<Value>(_ attempt: LoadAttempt<Value>, isolation: isolated (any Actor)?) async throws -> Value
}

/// One attempt of an operation, for a ``LoadInterceptor``: call it as a function.
public struct LoadAttempt<Value> {
  private let operation: () async throws -> Value

  init(_ operation: @escaping () async throws -> Value) {
    self.operation = operation
  }

  /// Calls the next interceptor, or the operation.
  ///
  /// - Parameter isolation: The actor of the data or command.
  /// - Returns: The answer.
  /// - Throws: The failure of the attempt, and `CancellationError` in a task that is cancelled: a request that is not wanted
  ///   any more is not sent again.
  public func callAsFunction(isolation: isolated (any Actor)? = #isolation) async throws -> Value {
    try Task.checkCancellation()
    return try await operation()
  }
}
