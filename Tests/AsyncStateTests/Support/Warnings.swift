// SPDX-License-Identifier: MIT
@testable import AsyncState
import Synchronization
import Testing

/// Drops what the library says about mistakes, which some tests make a thousand times. It holds for a suite and all that is in it.
struct WithoutWarnings: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  @concurrent
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    try await AsyncStateWarnings.$local.withValue(AsyncStateWarnings { _ in }) { try await function() }
  }
}

extension Trait where Self == WithoutWarnings {
  static var withoutWarnings: WithoutWarnings { WithoutWarnings() }
}

/// What the library says during `body`.
func warnings(of body: () -> Void) -> [String] {
  let said = SaidWarnings()
  AsyncStateWarnings.$local.withValue(AsyncStateWarnings { said.add($0) }, operation: body)
  return said.all
}

/// Warnings, from any thread.
final class SaidWarnings: Sendable {
  private let messages = Mutex<[String]>([])

  var all: [String] { messages.withLock { $0 } }

  func add(_ message: String) { messages.withLock { $0.append(message) } }
}
