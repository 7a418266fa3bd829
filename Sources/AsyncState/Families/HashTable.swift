// Objects by the hash values of their keys, for a family: like a dictionary, with four differences.
//
// - A dictionary of generic code is slow unless the client's compiler specialises it. This is the same code for all types
//   of keys, and a closure compares them.
// - A look-up does not count references. Weak references to an entry make that slow.
// - It keeps the hash values, so inserting and removing call no user code, and removing finds an entry even if its key has
//   another hash value by now.
// - It shrinks, so a large number of entries once does not slow down sweeps for ever.

/// A hash table with open addressing. The number of slots is a power of two, and at least half of them are empty.
///
/// Each object is counted from `insert` until it is removed or the table is destroyed. Nothing is inserted or removed
/// while the table is searched.
struct HashTable<Object: AnyObject>: ~Copyable {
  private struct Slot {
    var hash = 0
    var object: Reference<Object>?
  }

  private var slots: [Slot] = []
  private(set) var count = 0

  deinit {
    for slot in slots { slot.object?.release() }
  }

  /// The object that `isMatch` returns true for, not counted; nil if there is none.
  ///
  /// - Parameter isMatch: Called with the objects that have this hash value, until it returns true.
  @inline(__always)
  func first(with hash: Int, where isMatch: (Object) -> Bool) -> Reference<Object>? {
    guard count > 0 else { return nil }
    var place = self.place(of: hash)
    while let object = slots[place].object {
      if slots[place].hash == hash, object.with(isMatch) { return object }
      place = (place + 1) & (slots.count - 1)
    }
    return nil
  }

  mutating func insert(_ object: Object, hash: Int) {
    if slots.count < 2 * (count + 1) { resize(to: max(8, 2 * slots.count)) }
    count += 1
    fill(Slot(hash: hash, object: Reference(counting: object)))
  }

  /// Removes an object that was inserted with this hash value, and which the caller keeps.
  mutating func remove(_ object: Object, hash: Int) {
    guard count > 0 else { return }
    var place = self.place(of: hash)
    while let found = slots[place].object {
      guard !found.refers(to: object) else { return removeObject(found, at: place) }
      place = (place + 1) & (slots.count - 1)
    }
    assertionFailure("What is removed was inserted with this hash value.")
  }

  private mutating func removeObject(_ object: Reference<Object>, at place: Int) {
    slots[place].object = nil
    count -= 1
    fillGap(at: place)
    if slots.count > 64, slots.count > 8 * count { resize(to: slots.count / 4) }
    object.release()
  }

  /// The objects that `isIncluded` returns true for, in no particular order.
  func filter(_ isIncluded: (Object) -> Bool) -> [Object] {
    var objects: [Object] = []
    for slot in slots { if let object = slot.object, object.with(isIncluded) { objects.append(object.object) } }
    return objects
  }

  // MARK: Slots

  /// Where the search for a hash value begins. The upper bits of the product depend on all bits of the hash value, which
  /// may be an address, or a number of the user's.
  @inline(__always)
  private func place(of hash: Int) -> Int {
    let product = UInt64(truncatingIfNeeded: hash) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: product >> 32) & (slots.count - 1)
  }

  private mutating func fill(_ slot: Slot) {
    var place = self.place(of: slot.hash)
    while slots[place].object != nil { place = (place + 1) & (slots.count - 1) }
    slots[place] = slot
  }

  /// Moves up what the search would not find any more, because it ends at an empty slot.
  private mutating func fillGap(at place: Int) {
    var gap = place
    var next = place
    while true {
      next = (next + 1) & (slots.count - 1)
      guard slots[next].object != nil else { return }
      // How far the object is from where its search begins, and how far the gap is.
      let distance = (next - self.place(of: slots[next].hash)) & (slots.count - 1)
      guard distance >= (next - gap) & (slots.count - 1) else { continue }
      slots.swapAt(gap, next)
      gap = next
    }
  }

  private mutating func resize(to size: Int) {
    let former = slots
    slots = Array(repeating: Slot(), count: size)
    for slot in former where slot.object != nil { fill(slot) }
  }
}
