// SPDX-License-Identifier: MIT
extension Observed where Value: Sendable {
  /// The current value, and then the newest one whenever the consumer requests another. Values that the consumer is too
  /// slow for are left out; the newest never is.
  ///
  /// The stream ends with the task that consumes it, and only then. It keeps the derived values above it alive, but not the
  /// inputs: after their release there is no further value.
  public final var values: AsyncStream<Value> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let token = observe { continuation.yield($0) }
      continuation.onTermination = { _ in token.cancel() }
    }
  }
}
