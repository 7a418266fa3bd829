/// Who still wants a load to go on.
@usableFromInline
struct Interest {
  /// Somebody started it and lets it run to its end, whether or not anybody waits.
  @usableFromInline var isPinned = false
  /// How many structured calls wait for it.
  @usableFromInline var waiting = 0

  @inlinable
  init() {}

  /// It runs to its end now, whoever leaves.
  @inlinable
  mutating func pin() {
    isPinned = true
  }

  /// One more waits for it.
  @inlinable
  mutating func join() {
    waiting += 1
  }

  /// One who waited does not any more.
  ///
  /// - Returns: Whether nobody wants the load now.
  mutating func leave() -> Bool {
    waiting -= 1
    return waiting == 0 && !isPinned
  }
}
