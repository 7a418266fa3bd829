// SPDX-License-Identifier: MIT
extension Observed where Value: Sendable {
  /// The current value, and then the newest one whenever the consumer requests another. Values that the consumer is too
  /// slow for are left out; the newest never is.
  ///
  /// The stream ends when its consumer is cancelled, and when no one can write any more what the value depends on. It
  /// keeps the derived values above it alive, not the inputs.
  public final var values: AsyncStream<Value> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let yield: (Value) -> Void = { continuation.yield($0) }
      let observer = node.observer(yield, ValueNode.reaction(yield))
      let end = StreamEnd(finish: { continuation.finish() })
      observer.held.purpose = .stream(end)
      // Justified: the end of an observation, and the mark in a stream's end, are safe on any thread.
      nonisolated(unsafe) let ended = observer
      continuation.onTermination = { _ in
        end.cancel()
        ended.end()
      }
      node.realm.addStream(observer)
    }
  }
}
