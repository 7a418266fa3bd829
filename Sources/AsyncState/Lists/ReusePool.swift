/// Objects that are not in use at the moment, by the key that they can be used for.
public final class ReusePool<Key: Hashable, Element: AnyObject> {
  private struct Storage {
    /// The key of each slot of `idle`, and the slot of each key.
    var keys: [Key] = []
    var slots: [Key: Int] = [:]
    var idle: IdleObjects
  }

  // Justified: exclusivity checks are a fourth of the time of a recycle and a dequeue. No access is open while the
  // user's code runs: keys are compared and hashed on copies, and objects are released after the storage is consistent.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  private var storage: Storage

  /// An empty pool.
  ///
  /// - Parameter capacityPerKey: The number of objects that are kept for each key at most. Less than zero is zero.
  public init(capacityPerKey: Int = .max) {
    storage = Storage(idle: IdleObjects(capacityPerSlot: max(capacityPerKey, 0)))
  }

  /// Takes out the object that was recycled last for `key`, or makes one.
  public func dequeue(for key: Key, orMake make: () -> Element) -> Element {
    guard let slot = slot(of: key), let object = storage.idle.take(from: slot) else { return make() }
    // Only `recycle` puts objects in, and it takes elements.
    return object as! Element
  }

  /// Takes back an object that is not in use any more. Past the capacity it is released.
  ///
  /// Recycling an object that is in the pool already stops with a message, because it would be handed out twice.
  public func recycle(_ element: Element, for key: Key) {
    let slot = slot(of: key) ?? addSlot(for: key)
    if !storage.idle.put(element, into: slot) { stopRecycledTwice(element, key) }
  }

  /// Releases all objects in the pool.
  public func drain() {
    let former = storage.idle.removeAll()
    withExtendedLifetime(former) {}
  }

  /// The number of objects in the pool for `key`.
  public func count(for key: Key) -> Int {
    slot(of: key).map { storage.idle.count(in: $0) } ?? 0
  }

  /// The slot of a key. Few keys are compared one by one, which is faster than a hash value.
  private func slot(of key: Key) -> Int? {
    let keys = storage.keys
    for slot in 0..<min(keys.count, 4) where keys[slot] == key { return slot }
    guard keys.count > 4 else { return nil }
    let slots = storage.slots
    return slots[key]
  }

  private func addSlot(for key: Key) -> Int {
    var slots: [Key: Int]
    repeat {
      slots = storage.slots
      slots[key] = storage.keys.count
      // If hashing the key has added another key meanwhile, the number is taken.
    } while slots.count != storage.keys.count + 1
    storage.keys.append(key)
    storage.slots = slots
    return storage.idle.addSlot()
  }
}

/// The objects of a pool, in numbered slots. It knows neither the keys nor the type of the objects.
private struct IdleObjects {
  private let capacityPerSlot: Int
  private var slots: [[AnyObject]] = []
  private var members = AddressSet()

  init(capacityPerSlot: Int) {
    self.capacityPerSlot = capacityPerSlot
  }

  mutating func addSlot() -> Int {
    slots.append([])
    return slots.count - 1
  }

  var count: Int { slots.reduce(0) { $0 + $1.count } }

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
    guard members.insert(ObjectIdentifier(object)) else { return false }
    slots[slot].append(object)
    return true
  }

  /// - Returns: The objects, to be released when the pool is consistent.
  mutating func removeAll() -> [[AnyObject]] {
    let former = slots
    slots = Array(repeating: [], count: former.count)
    members = AddressSet()
    return former
  }
}

/// The addresses of objects: a table with linear probing, at most half full. `Set` takes five times as long, because
/// its hash values resist an attacker, who does not choose addresses.
private struct AddressSet {
  /// Zero for an empty place, which is the address of no object. The number of places is a power of two.
  private var places: [UInt] = Array(repeating: 0, count: 16)
  private var count = 0

  private var mask: Int { places.count - 1 }

  /// Where an address belongs, if the place is free: the upper bits of a multiplication depend on all bits.
  private func home(of address: UInt) -> Int {
    Int(truncatingIfNeeded: (UInt64(address) &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
  }

  /// The place of an address, or the free place for it.
  private func place(of address: UInt) -> Int {
    var place = home(of: address)
    while places[place] != 0, places[place] != address { place = (place + 1) & mask }
    return place
  }

  func contains(_ object: ObjectIdentifier) -> Bool {
    places[place(of: UInt(bitPattern: object))] != 0
  }

  /// - Returns: False if the object is there already.
  mutating func insert(_ object: ObjectIdentifier) -> Bool {
    let address = UInt(bitPattern: object)
    let place = place(of: address)
    guard places[place] == 0 else { return false }
    places[place] = address
    count += 1
    if count * 2 > places.count { grow() }
    return true
  }

  mutating func remove(_ object: ObjectIdentifier) {
    var free = place(of: UInt(bitPattern: object))
    assert(places[free] != 0, "only an object that is in the pool is taken out")
    places[free] = 0
    count -= 1
    // Addresses behind it, up to the next free place, move up unless that would put them before their home.
    var next = (free + 1) & mask
    while places[next] != 0 {
      let distance = (next - home(of: places[next])) & mask
      if distance >= (next - free) & mask {
        places[free] = places[next]
        places[next] = 0
        free = next
      }
      next = (next + 1) & mask
    }
  }

  private mutating func grow() {
    let former = places
    places = Array(repeating: 0, count: former.count * 2)
    for address in former where address != 0 { places[place(of: address)] = address }
  }
}

// Not a precondition: a release build would stop without the message.
private func stopRecycledTwice(_ element: AnyObject, _ key: Any) -> Never {
  fatalError(
    """
    AsyncState: an object was recycled that is in the ReusePool already (a \(type(of: element)), for the key \
    \(key)). It would be handed out twice, and show two rows at once. Recycle each object once after each dequeue.
    """)
}

extension ReusePool: CustomStringConvertible {
  /// The type and the number of objects that wait for their next use.
  ///
  /// Call it on the actor of the pool.
  public var description: String {
    let count = storage.idle.count
    return "\(Self.self): \(count == 1 ? "1 object" : "\(count) objects")"
  }
}
