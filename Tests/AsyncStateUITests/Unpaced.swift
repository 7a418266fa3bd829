// SPDX-License-Identifier: MIT

#if canImport(SwiftUI) || canImport(UIKit) && !os(watchOS) || canImport(AppKit)
  import AsyncState
  import AsyncStateUI
  import Testing

  /// The tests of a suite see each status at once, as the tests of an app do that has no manual clock: but for the one line
  /// here, they would depend on how busy the machine is.
  struct Unpaced: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
      for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
      await MainActor.run { DisplayPacer.app = nil }
      try await function()
    }
  }

  extension Trait where Self == Unpaced {
    static var unpaced: Unpaced { Unpaced() }
  }
#endif
