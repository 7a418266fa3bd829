// SPDX-License-Identifier: MIT
extension Observed where Value: Sendable {
  /// The current value, and then the newest one whenever the consumer requests another. Values that the consumer is too
  /// slow for are left out; the newest never is.
  ///
  /// The stream ends when the task that consumes it is cancelled, and when nothing can write any more: all inputs, data and
  /// resources that the value depends on were released, after their last value. It keeps the derived values above it alive, but
  /// not the inputs. The stream of a `flatMap`, which may choose another value, ends only with its task.
  public final var values: AsyncStream<Value> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let token = observe { continuation.yield($0) }
      let end = node.inputEnds.map { ValuesEnd($0) { continuation.finish() } }
      continuation.onTermination = { _ in
        token.cancel()
        end?.cancel()
      }
      end?.begin()
    }
  }
}

extension GraphNode {
  /// The ends of all inputs that the value depends on; nil if it chooses a source, because such a stream has no end.
  fileprivate final var inputEnds: [InputEnd]? {
    var ends: [InputEnd] = []
    var seen: Set<ObjectIdentifier> = []
    var nodes = [self]
    while let node = nodes.popLast() {
      guard seen.insert(ObjectIdentifier(node)).inserted else { continue }
      if let end = node.inputEnd { ends.append(end) }
      guard let recipe = node.recipe?.object else { continue }
      if recipe.choose != nil { return nil }
      for source in [recipe.first, recipe.second] {
        if let source { nodes.append(source.object) }
      }
    }
    return ends
  }
}
