// SPDX-License-Identifier: MIT
import Testing

// What most expectations of the suite are. `#expect` says as much when one fails, but each takes the compiler some 15 ms: a
// macro is expanded, and its expression is type-checked in parts. It stays where its expression is the point.

/// Expects that a value equals another one.
func expectEqual<Value: Equatable>(
  _ value: Value, _ expected: Value, _ comment: @autoclosure () -> Comment? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  if value != expected {
    record(
      "\(String(describingForTest: value)) is not \(String(describingForTest: expected))", comment(), sourceLocation)
  }
}

/// Expects that a recorded trace has a text.
func expectEqual(
  _ trace: RecordedTrace, _ expected: String, _ comment: @autoclosure () -> Comment? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  expectEqual(trace, RecordedTrace(text: expected), comment(), sourceLocation: sourceLocation)
}

/// Expects that there is no value.
func expectNil<Value>(
  _ value: Value?, _ comment: @autoclosure () -> Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
) {
  if let value { record("\(String(describingForTest: value)) is not nil", comment(), sourceLocation) }
}

/// Expects that a condition holds. The place says which.
func expect(
  _ condition: Bool, _ comment: @autoclosure () -> Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
) {
  if !condition { record("this does not hold", comment(), sourceLocation) }
}

private func record(_ text: String, _ comment: Comment?, _ sourceLocation: SourceLocation) {
  Issue.record(Comment(rawValue: comment.map { "\(text): \($0)" } ?? text), sourceLocation: sourceLocation)
}
