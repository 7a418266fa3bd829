// SPDX-License-Identifier: MIT
/// The keys of a store that do not have there what memory has. Memory is the truth, and the store follows it: a key that has
/// changed is dirty until it was written as it is.
///
/// A key that changes while it is written is dirty again, and the end of that write does not concern it. The removal of
/// everything is first in line, and takes the place of all that was owed before.
struct OwedValues<Key: Hashable> {
  /// The keys that have changed since the last write began.
  private(set) var dirty: Set<Key> = []
  /// The keys of the running write.
  private(set) var writing: Set<Key> = []
  /// True if everything is to be removed, before the keys that are dirty.
  private(set) var isClearing = false
  /// True if the running write removes everything.
  private var isWritingClear = false

  /// A write of everything that is owed.
  struct Batch {
    /// True if everything is removed first.
    let clears: Bool
    let keys: Set<Key>
  }

  /// True if nothing is owed.
  var isEmpty: Bool { dirty.isEmpty && writing.isEmpty && !isClearing && !isWritingClear }

  /// True if the store has for this key what memory has.
  func isClean(_ key: Key) -> Bool {
    !isClearing && !isWritingClear && !dirty.contains(key) && !writing.contains(key)
  }

  /// Notes that a key has changed.
  mutating func change(_ key: Key) { dirty.insert(key) }

  /// Notes that everything is to be removed, and what was owed before is not.
  mutating func clear() {
    dirty = []
    isClearing = true
  }

  /// Begins a write of everything that is owed. ``saved()`` or ``failed()`` follows.
  ///
  /// - Returns: Nil if nothing is owed.
  mutating func take() -> Batch? {
    assert(writing.isEmpty && !isWritingClear, "One write runs at a time.")
    guard isClearing || !dirty.isEmpty else { return nil }
    (writing, isWritingClear) = (dirty, isClearing)
    (dirty, isClearing) = ([], false)
    return Batch(clears: isWritingClear, keys: writing)
  }

  /// Ends the running write, which has succeeded except for some keys.
  ///
  /// - Returns: The keys that are clean now.
  mutating func saved(except failed: Set<Key> = []) -> Set<Key> {
    let clean = writing.subtracting(dirty).subtracting(failed)
    if !isClearing { dirty.formUnion(failed) }
    (writing, isWritingClear) = ([], false)
    return isClearing ? [] : clean
  }

  /// Ends the running write, which has failed: what it has not done is owed as before, and it may have done it all the same.
  mutating func failed() {
    if !isClearing { dirty.formUnion(writing) }
    isClearing = isClearing || isWritingClear
    (writing, isWritingClear) = ([], false)
  }
}
