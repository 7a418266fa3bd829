// SPDX-License-Identifier: MIT
import SwiftUI
import Testing

/// Runs each test of a suite in both orders of an identity change.
struct BothOrders: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    // Once for each test case, not for the suite.
    guard testCase != nil else { return try await function() }
    for order in IdentityChange.allCases {
      try await IdentityChange.$order.withValue(order) { try await function() }
    }
  }
}

extension Trait where Self == BothOrders {
  static var bothOrders: BothOrders { BothOrders() }
}
