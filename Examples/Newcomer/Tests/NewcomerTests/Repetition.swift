// SPDX-License-Identifier: MIT
import Foundation
import Synchronization
import Testing

@testable import Newcomer

/// Runs a test many times, which must pass each time, and as often with each mistake, which must fail each time.
///
/// Each time is a new test with a new screen. `NEWCOMER_RUNS` says how often; ten times without it.
struct Repetition: TestTrait, TestScoping {
  static let count = ProcessInfo.processInfo.environment["NEWCOMER_RUNS"].flatMap(Int.init) ?? 10

  let mistakes: [Mistake]

  func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
  ) async throws {
    var passed = 0
    for _ in 1...Self.count where try await !fails(body) { passed += 1 }
    print("passed \(passed) of \(Self.count): \(test.displayName ?? test.name)")
    for mistake in mistakes {
      var noticed = 0
      for _ in 1...Self.count where try await fails(body, with: mistake) { noticed += 1 }
      print("noticed \(noticed) of \(Self.count): \(mistake)")
      #expect(noticed == Self.count, "\(mistake) was not noticed each time", sourceLocation: test.sourceLocation)
    }
  }

  /// Whether a test fails. What fails it is a known issue if a mistake is made.
  private func fails(_ body: @Sendable () async throws -> Void, with mistake: Mistake? = nil) async throws -> Bool {
    let hasFailed = Atomic(false)
    try await Mistake.$current.withValue(mistake) {
      try await withKnownIssue(isIntermittent: true) {
        try await body()
      } matching: { _ in
        hasFailed.store(true, ordering: .sequentiallyConsistent)
        return mistake != nil
      }
    }
    return hasFailed.load(ordering: .sequentiallyConsistent)
  }
}

extension Trait where Self == Repetition {
  /// Runs the test many times, and as often with each of these mistakes, which it must notice each time.
  static func repeated(noticing mistakes: Mistake...) -> Repetition { Repetition(mistakes: mistakes) }
}

/// What a service fails with.
struct NoConnection: Error, CustomStringConvertible {
  var description: String { "no connection" }
}
