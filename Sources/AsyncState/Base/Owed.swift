// SPDX-License-Identifier: MIT
/// What a store does not have yet, by key. Memory is the truth: one writer saves it, until the store has everything.
///
/// It says which keys are to be saved, not what: a key that changes while it is being saved is saved once more, and the end of that
/// write does not concern it. So it never matters whether a call that threw has done its work all the same.
struct Owed<Key: Hashable> {
  /// Changed, and to be saved.
  private(set) var dirty: Set<Key> = []
  /// Saved by the call that runs.
  private(set) var writing: Set<Key> = []
  /// Could not be saved, each by a call of its own. Saved again when there is a reason.
  private(set) var failed: Set<Key> = []
  /// Failed together with others: each is saved alone, the last one first. Some may not be dirty any more.
  private(set) var alone: [Key] = []
  /// True while one of those is being written.
  private(set) var isAlone = false
  /// True until the store has removed everything. That is first.
  private(set) var isClearing = false
  /// True if the store was called for that, and there was no reason since to call it again.
  private(set) var hasTriedToClear = false

  /// True if the store is to be called now.
  var isDue: Bool { isClearing ? !hasTriedToClear : !dirty.isEmpty }
  /// True if the store could not save something.
  var hasFailed: Bool { hasTriedToClear || !failed.isEmpty }
  /// The keys of which the store does not have the present state.
  var lacking: Set<Key> { dirty.union(writing).union(failed) }
  /// True if the store has the present state of a key.
  func isClean(_ key: Key) -> Bool { isTold(key) && !failed.contains(key) }
  /// True if the store has the present state of a key, or could not save it.
  func isTold(_ key: Key) -> Bool { !dirty.contains(key) && !writing.contains(key) }

  /// A key has changed. That is a reason to try a removal of everything again.
  mutating func insert(_ key: Key) {
    dirty.insert(key)
    failed.remove(key)
    hasTriedToClear = false
  }

  /// A key that is dirty, and was saved in vain before it changed, is saved next and alone: it stays before the others.
  mutating func putFirst(_ key: Key) { alone.append(key) }

  /// Everything is to be removed. What was to be saved before does not matter.
  mutating func clear() {
    self = Owed()
    isClearing = true
  }

  /// There is a reason to save again what could not be saved.
  mutating func retry() {
    dirty.formUnion(failed)
    failed = []
    hasTriedToClear = false
  }

  /// Takes the keys to save in the next call, in order: all of them, or one that has failed together with others.
  mutating func take(inOrder precedes: (Key, Key) -> Bool = { _, _ in false }) -> [Key] {
    while let key = alone.popLast() {
      if dirty.remove(key) == nil { continue }
      (writing, isAlone) = ([key], true)
      return [key]
    }
    (writing, dirty, isAlone) = (dirty, [], false)
    return writing.ordered(by: precedes)
  }

  /// The store has what was taken. It works, so what could not be saved is saved again.
  ///
  /// - Returns: The keys that have not changed since.
  mutating func saved() -> Set<Key> {
    let unchanged = writing.subtracting(dirty)
    writing = []
    if !isAlone { retry() }
    return unchanged
  }

  /// The store has failed. Keys that were saved together are saved one by one.
  ///
  /// - Returns: The keys that were saved alone, and have not changed since.
  mutating func notSaved(inOrder precedes: (Key, Key) -> Bool = { _, _ in false }) -> Set<Key> {
    defer { writing = [] }
    if writing.count > 1 {
      alone = writing.sorted { precedes($1, $0) }
      dirty.formUnion(writing)
      return []
    }
    let unchanged = writing.subtracting(dirty)
    failed.formUnion(unchanged)
    for key in writing.intersection(dirty) { putFirst(key) }
    return unchanged
  }

  /// The store is being called to remove everything. What was to be removed by then is removed by this call.
  mutating func takeClear() { hasTriedToClear = true }

  /// The store has removed everything.
  mutating func cleared() { (isClearing, hasTriedToClear) = (false, false) }
}

extension Set {
  /// Sorting one element takes as long as saving it.
  func ordered(by precedes: (Element, Element) -> Bool) -> [Element] { count < 2 ? Array(self) : sorted(by: precedes) }
}
