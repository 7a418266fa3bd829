// SPDX-License-Identifier: MIT
import AsyncState

/// Gets a token before each attempt.
struct Authorizing: LoadInterceptor {
  private let authorize: @Sendable () async throws -> Void

  init<Token>(_ token: @escaping @Sendable () async throws -> Token) {
    authorize = { _ = try await token() }
  }

  func intercept<Value>(_ attempt: LoadAttempt<Value>, isolation: isolated (any Actor)?) async throws -> Value {
    try await authorize()
    return try await attempt()
  }
}
