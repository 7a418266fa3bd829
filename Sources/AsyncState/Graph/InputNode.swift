/// A node whose value is written, not derived.
///
/// Writing has two halves, which the owner may take apart: `stage` makes the value visible to readers at once, and
/// `deliverNext` tells of one staged value. What is staged while a value is being told waits its turn, so observers
/// hear every value in order.
@usableFromInline
final class InputNode<Value>: ValueNode<Value> {
  @usableFromInline let isEqual: ((Value, Value) -> Bool)?

  /// Staged values that are not the newest any more and have not been told, with who was there to hear them.
  @exclusivity(unchecked) @usableFromInline var earlier: [(value: Value, audience: Int)] = []

  /// The newest value has not been told.
  @exclusivity(unchecked) @usableFromInline var isNewestUntold = false

  /// Somebody is delivering, and goes on until everything is told.
  @exclusivity(unchecked) @usableFromInline var isBusy = false

  /// Nobody can write any more, and what is being delivered is the last.
  @exclusivity(unchecked) @usableFromInline var isLast = false

  /// The observed nodes that the staged values have reached.
  @exclusivity(unchecked) @usableFromInline var reached = NodeBatch()

  @inlinable
  init(_ value: Value, isEqual: ((Value, Value) -> Bool)?) {
    self.isEqual = isEqual
    super.init(input: value)
  }

  /// Makes the value visible to readers.
  ///
  /// - Returns: False if it is equal to the one that stands, so that there is nothing to tell.
  @inlinable
  func stage(_ value: Value) -> Bool {
    if let isEqual, isEqual(cached.unsafelyUnwrapped, value) { return false }
    if isNewestUntold { earlier.append((cached.unsafelyUnwrapped, audience)) }
    set(value)
    audience = lastOrder
    isNewestUntold = true
    if !dependents.isEmpty { mark(into: &reached) }
    return true
  }

  /// Writes, and tells of it before it returns, unless it is called while this node's observers are being told.
  @inlinable
  func write(_ value: Value) {
    guard stage(value), !isBusy else { return }
    isBusy = true
    while isNewestUntold { deliverNext() }
    endDelivery()
  }

  @inlinable
  func endDelivery() {
    isBusy = false
    if isLast { closeForGood() }
  }

  /// Tells of the oldest value that was staged and not told, if there is one.
  @inlinable
  func deliverNext() {
    guard isNewestUntold else { return }
    takeNews()
    if observerCount == 0, reached.rest.isEmpty {
      // One observed node, or none: the round needs no list.
      if let node = reached.first.take() { Round.runOne(node) }
    } else {
      Round.run(takeReached())
    }
  }

  /// Takes the next value out of those that wait, for the observers of this very node.
  @inlinable
  func takeNews() {
    if earlier.isEmpty {
      isNewestUntold = false
      newsAudience = audience
    } else {
      (news, newsAudience) = earlier.removeFirst()
    }
    hasNews = observerCount > 0
  }

  /// The nodes to be told now, this one first.
  @inlinable
  func takeReached() -> NodeBatch {
    var batch = NodeBatch()
    swap(&batch, &reached)
    if observerCount > 0 { batch.insertFirst(self) }
    return batch
  }

  // MARK: A value that nobody can write any more

  /// No change can come any more. What is being told is told to its end first.
  @usableFromInline
  func close() {
    if isBusy { isLast = true } else { closeForGood() }
  }
}
