/// Keeps an observation, and the values that it is derived from, alive.
///
/// The observation ends when the token is cancelled or let go, even in the middle of a round that tells of a change:
/// the observer is not called any more.
public final class ObservationToken {
  private var node: GraphNode?
  private let order: Int

  @usableFromInline
  init(node: GraphNode, order: Int) {
    self.node = node
    self.order = order
  }

  deinit {
    cancel()
  }

  /// Ends the observation. Does nothing the second time.
  public func cancel() {
    node.take()?.removeObserver(order)
  }
}
