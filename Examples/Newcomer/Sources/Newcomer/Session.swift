// SPDX-License-Identifier: MIT
// A token that expires: one request for the next one, and each request that was refused is tried once more.

import AsyncState

struct Token: Equatable, Sendable {
  var number: Int
}

struct Unauthorized: Error {
  var token: Token
}

@MainActor
final class Session {
  let token: AsyncResource<Token>

  init(newToken: @escaping @MainActor () async throws -> Token) {
    token = AsyncResource { try await newToken() }
  }

  func replace(_ refused: Token) async throws {
    if Mistake.everyRefusalRequestsAToken.isMade { token.invalidate() } else { token.invalidate(ifValue: refused) }
    _ = try await token.get()
  }
}

struct Authorizing: LoadInterceptor {
  let session: Session

  func intercept<Value>(_ attempt: LoadAttempt<Value>, isolation: isolated (any Actor)?) async throws -> Value {
    do {
      return try await attempt()
    } catch let refusal as Unauthorized where !Mistake.refusalIsDisplayed.isMade {
      try await session.replace(refusal.token)
      return try await attempt()
    }
  }
}
