// SPDX-License-Identifier: MIT
import AsyncState
import Synchronization

/// How a backend behaves, as the page has switched it.
struct Conditions: Sendable, Equatable {
  let lag: Int
  let isFailing, isHanging, isOffline: Bool

  /// The fields of a form. The lag is in milliseconds.
  init(_ values: [String: String] = [:]) {
    lag = min(10_000, max(0, Int(values["lag"] ?? "") ?? 0))
    isFailing = values["failing"] == "1"
    isHanging = values["hanging"] == "1"
    isOffline = values["offline"] == "1"
  }
}

/// A simulated network around each attempt of a request. That it is offline is not its own affair: then no attempt begins,
/// because a gate is closed.
final class Backend: LoadInterceptor {
  private let state = Mutex(Conditions())

  var conditions: Conditions {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  func intercept<Value>(_ attempt: LoadAttempt<Value>, isolation: isolated (any Actor)?) async throws -> Value {
    let now = conditions
    if now.lag > 0 { try await Task.sleep(for: .milliseconds(now.lag)) }
    if now.isHanging {
      try await Task.sleep(for: .seconds(5))
      throw Refusal(description: "The backend has not answered for five seconds.")
    }
    if now.isFailing { throw Refusal(description: "The backend has failed.") }
    return try await attempt()
  }
}
