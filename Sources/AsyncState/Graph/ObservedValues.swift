// SPDX-License-Identifier: MIT
extension Observed where Value: Sendable {
  /// The current value, and then the newest one whenever the consumer requests another. Values that the consumer is too
  /// slow for are left out; the newest never is.
  ///
  /// The stream ends when the task that consumes it is cancelled. It keeps the derived values above it alive, not the
  /// inputs, and it does not end with these: cancel the task with the object that it belongs to.
  public final var values: AsyncStream<Value> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let token = observe { continuation.yield($0) }
      continuation.onTermination = { _ in token.cancel() }
    }
  }
}
