// SPDX-License-Identifier: MIT
import Testing

// What most expectations of the suite are. `#expect` says as much when one fails, but each takes the compiler some 15 ms: a
// macro is expanded, and its expression is type-checked in parts. It stays where its expression is the point.

/// Expects that a value equals another one.
func expectEqual<Value: Equatable>(
  _ value: Value, _ expected: Value, _ comment: @autoclosure () -> Comment? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  if value != expected { record("\(value) is not \(expected)", comment(), sourceLocation) }
}

/// Expects that there is no value.
func expectNil<Value>(
  _ value: Value?, _ comment: @autoclosure () -> Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
) {
  if let value { record("\(value) is not nil", comment(), sourceLocation) }
}

private func record(_ text: String, _ comment: Comment?, _ sourceLocation: SourceLocation) {
  Issue.record(Comment(rawValue: comment.map { "\(text): \($0)" } ?? text), sourceLocation: sourceLocation)
}
