// SPDX-License-Identifier: MIT
import AsyncState
import Synchronization

/// A simulated network between the window and the disk, which the window switches.
final class Backend: LoadInterceptor {
  struct Conditions: Sendable {
    var isSlow = false
    var isFailing = false
  }

  let conditions = Mutex(Conditions())

  func intercept<Value>(_ attempt: LoadAttempt<Value>, isolation: isolated (any Actor)?) async throws -> Value {
    let now = conditions.withLock { $0 }
    if now.isSlow { try await Task.sleep(for: .seconds(3)) }
    if now.isFailing { throw Refusal(description: "The backend has failed.") }
    return try await attempt()
  }
}
