// SPDX-License-Identifier: MIT
/// A pool of objects that are not in use, such as cells, by the key that they can be used for.
///
/// Each call except ``drain()`` takes constant time on average, however many keys and objects there are.
public final class ReusePool<Key: Hashable, Element: AnyObject> {
  private struct Storage {
    /// The key of each slot. It only grows, because code that compares or hashes keys is the user's, and may use the
    /// pool.
    var keys: [Key] = []
    var slots = HashedSlots()
    var idle: IdleObjects
  }

  // Justified: exclusivity checks are a fourth of the time of a recycle and a dequeue. No access is open while the
  // user's code runs: keys are compared and hashed on copies, and objects are released after the storage is consistent.
  // Noticed: `ReusePoolTests` (1.9) and `ListReentryTests`, because debug builds check.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  private var storage: Storage

  /// Creates an empty pool.
  ///
  /// - Parameter capacityPerKey: The largest number of objects to keep for each key. A negative number counts as zero.
  public init(capacityPerKey: Int = .max) {
    storage = Storage(idle: IdleObjects(capacityPerSlot: max(capacityPerKey, 0)))
  }

  /// Takes out the object that was recycled last for `key`, or makes one.
  public func dequeue(for key: Key, orMake make: () -> Element) -> Element {
    guard let slot = slot(of: key), let object = storage.idle.take(from: slot) else { return make() }
    // The cast cannot fail, because only `recycle` adds objects, and it takes elements.
    return object as! Element
  }

  /// Takes back an object that is not in use any more. The object is released if the pool has its capacity for the key.
  ///
  /// Recycling an object that is in the pool already stops the process with a message, because the object would be used
  /// twice.
  public func recycle(_ element: Element, for key: Key) {
    let slot = slot(of: key) ?? addSlot(for: key)
    if !storage.idle.put(element, into: slot) { stopRecycledTwice(element, key) }
  }

  /// Releases all objects in the pool.
  ///
  /// - Complexity: O(*n*) for *n* keys and objects.
  public func drain() {
    let former = storage.idle.removeAll()
    withExtendedLifetime(former) {}
  }

  /// The number of objects in the pool for `key`.
  public func count(for key: Key) -> Int {
    slot(of: key).map { storage.idle.count(in: $0) } ?? 0
  }

  /// The slot of a key. A few keys are compared one by one, which is faster than computing a hash value.
  private func slot(of key: Key) -> Int? {
    let keys = storage.keys
    for slot in 0..<min(keys.count, 4) where keys[slot] == key { return slot }
    return keys.count > 4 ? slot(of: key, hash: key.hashValue) : nil
  }

  private func slot(of key: Key, hash: Int) -> Int? {
    var next = storage.slots.last(hash)
    while let slot = next {
      let candidate = storage.keys[slot]
      if candidate == key { return slot }
      next = storage.slots.slot(before: slot)
    }
    return nil
  }

  private func addSlot(for key: Key) -> Int {
    let hash = key.hashValue
    var last: Int?
    repeat {
      last = storage.slots.last(hash)
      if let slot = slot(of: key, hash: hash) { return slot }
      // Repeated if comparing the key has added a key with this hash value: it may be the same one.
    } while last != storage.slots.last(hash)
    storage.keys.append(key)
    storage.slots.append(hash)
    return storage.idle.addSlot()
  }
}

/// Numbered slots by hash value. It knows no keys, so that no code of the user's runs in here.
private struct HashedSlots {
  /// The last slot of each hash value.
  private var lastSlots: [Int: Int] = [:]
  /// For each slot, the one before it with the same hash value.
  private var former: [Int?] = []

  func last(_ hash: Int) -> Int? { lastSlots[hash] }

  func slot(before slot: Int) -> Int? { former[slot] }

  mutating func append(_ hash: Int) {
    former.append(lastSlots.updateValue(former.count, forKey: hash))
  }
}

/// The objects of a pool, in numbered slots. It knows neither the keys nor the type of the objects.
private struct IdleObjects {
  private let capacityPerSlot: Int
  private var slots: [[AnyObject]] = []
  private var members: Set<ObjectIdentifier> = []

  init(capacityPerSlot: Int) {
    self.capacityPerSlot = capacityPerSlot
  }

  mutating func addSlot() -> Int {
    slots.append([])
    return slots.count - 1
  }

  var count: Int { members.count }

  func count(in slot: Int) -> Int { slots[slot].count }

  mutating func take(from slot: Int) -> AnyObject? {
    guard let object = slots[slot].popLast() else { return nil }
    members.remove(ObjectIdentifier(object))
    return object
  }

  /// Keeps the object if there is room for it.
  ///
  /// - Returns: False if it is there already.
  mutating func put(_ object: AnyObject, into slot: Int) -> Bool {
    guard slots[slot].count < capacityPerSlot else { return !members.contains(ObjectIdentifier(object)) }
    guard members.insert(ObjectIdentifier(object)).inserted else { return false }
    slots[slot].append(object)
    return true
  }

  /// - Returns: The objects, to be released when the pool is consistent.
  mutating func removeAll() -> [[AnyObject]] {
    let former = slots
    slots = Array(repeating: [], count: former.count)
    members = []
    return former
  }
}

// This is no precondition, because a release build would stop without the message.
private func stopRecycledTwice(_ element: AnyObject, _ key: Any) -> Never {
  fatalError(
    """
    AsyncState: an object was recycled that is in the ReusePool already (a \(type(of: element)), for the key \
    \(key)). It would be handed out twice, and show two rows at once. Recycle each object once after each dequeue.
    """)
}

extension ReusePool: CustomStringConvertible {
  /// The type and the number of objects in the pool.
  ///
  /// Call it on the actor of the pool.
  public var description: String {
    let count = storage.idle.count
    return "\(Self.self): \(count == 1 ? "1 object" : "\(count) objects")"
  }
}
