import Foundation
import Synchronization
import Testing

@testable import Newcomer

/// Runs a test many times, and as often with each mistake that it must notice.
///
/// Each time is a new test with a new screen. `NEWCOMER_RUNS` says how often; ten times without it.
struct Repetition: TestTrait, TestScoping {
  static let count = ProcessInfo.processInfo.environment["NEWCOMER_RUNS"].flatMap(Int.init) ?? 10

  let mistakes: [Mistake]

  func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
  ) async throws {
    for _ in 1...Self.count { try await body() }
    print("passed \(Self.count) times: \(test.displayName ?? test.name)")
    for mistake in mistakes {
      var noticed = 0
      for _ in 1...Self.count where try await notices(mistake, body) { noticed += 1 }
      print("noticed \(noticed) of \(Self.count) times: \(mistake)")
      #expect(noticed == Self.count, "\(mistake) was not noticed each time", sourceLocation: test.sourceLocation)
    }
  }

  /// Whether the test fails when a mistake is made.
  private func notices(_ mistake: Mistake, _ body: @Sendable () async throws -> Void) async throws -> Bool {
    let isNoticed = Atomic(false)
    try await Mistake.$current.withValue(mistake) {
      try await withKnownIssue("\(mistake)", isIntermittent: true) {
        try await body()
      } matching: { _ in
        isNoticed.store(true, ordering: .sequentiallyConsistent)
        return true
      }
    }
    return isNoticed.load(ordering: .sequentiallyConsistent)
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
