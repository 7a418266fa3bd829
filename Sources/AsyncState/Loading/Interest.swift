/// Who still wants a load to go on.
struct Interest {
  /// Somebody started it and lets it run to its end, whether or not anybody waits.
  private var isPinned = false
  /// How many structured calls wait for it.
  private var waiting = 0

  /// It runs to its end now, whoever leaves.
  mutating func pin() {
    isPinned = true
  }

  /// One more waits for it.
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
