// SPDX-License-Identifier: MIT
/// The operation of a load, to call it again in another load.
///
/// An object, because a closure that is stored in a generic type and taken out again is wrapped by the compiler each time:
/// after a thousand requests by its inputs, a value would be a thousand calls deep.
final class LoadOperation<Value> {
  private let body: (LoadReporter<Value>) async throws -> Value?

  init(_ body: @escaping (LoadReporter<Value>) async throws -> Value?) {
    self.body = body
  }

  /// The operation as that of another load.
  var again: (LoadReporter<Value>) async throws -> Value? {
    { reporter in try await self.call(reporter) }
  }

  private nonisolated(nonsending) func call(_ reporter: LoadReporter<Value>) async throws -> Value? {
    reporter.body = self
    return try await body(reporter)
  }
}
