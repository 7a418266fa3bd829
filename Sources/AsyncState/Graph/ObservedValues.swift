extension Observed where Value: Sendable {
  /// The current value, and then the newest one whenever the consumer asks for another. Values that the consumer is too
  /// slow for are left out; the newest never is.
  ///
  /// The stream ends when its consumer is cancelled, and when nobody can write any more what the value depends on. It
  /// keeps the derived values on the way, not the inputs. What the graph holds for a stream that has ended goes with
  /// the next change, or with the input.
  public var values: AsyncStream<Value> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      node.feed(StreamEnd(continuation))
    }
  }
}

extension ValueNode where Value: Sendable {
  /// The consumer may end its stream anywhere, on any thread; here that is only noticed, by the next value.
  fileprivate func feed(_ stream: StreamEnd<Value>) {
    var order: Int?
    order = addObserver { [unowned self] value in
      if !stream.yield(value), let order { removeObserver(order) }
    }
  }
}

/// Finishes a stream when the graph lets go of it.
private final class StreamEnd<Value: Sendable> {
  private let continuation: AsyncStream<Value>.Continuation

  init(_ continuation: AsyncStream<Value>.Continuation) {
    self.continuation = continuation
  }

  deinit {
    continuation.finish()
  }

  /// - Returns: Whether anybody is still there to receive.
  func yield(_ value: Value) -> Bool {
    if case .terminated = continuation.yield(value) { false } else { true }
  }
}
