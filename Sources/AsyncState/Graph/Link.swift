import Synchronization

/// What a node's list holds: an observer, or the connection of a derived node that is observed.
///
/// A link dies once, on any thread. What it holds is freed then or soon after (see Realm.swift); the link itself stays
/// on its list, empty, until the owner's actor meets it there.
@usableFromInline
class Link {
  let realm: Realm

  /// The next link on the realm's list, as the realm's word has it.
  final var next: UInt = 0

  init(realm: Realm) {
    self.realm = realm
  }

  /// Takes out and frees what a dead link holds. Called once, by the one thread that it belongs to then.
  ///
  /// - Returns: The sources' connections that died with it.
  func dismantle() -> (first: Link?, second: Link?) {
    fatalError("Each kind of link dismantles itself.")
  }

  // MARK: On the realm's list

  // Justified: a list that threads share without waiting is made of addresses. The list owns one count of each link,
  // from `retainForList` to `taken`.

  final var address: UInt { UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }

  final func retainForList() { _ = Unmanaged.passRetained(self) }
  final func releaseFromList() { Unmanaged.passUnretained(self).release() }

  static func taken(from address: UInt) -> Link {
    guard let pointer = UnsafeRawPointer(bitPattern: address) else { fatalError("A list ends with a mark, not here.") }
    return Unmanaged<Link>.fromOpaque(pointer).takeRetainedValue()
  }
}

/// Links in order, which can be gone through without counting references.
///
/// Retaining and releasing each link takes longer than calling an observer. The counts are kept by hand: one for each
/// entry, from `append` until the entry is removed or the list is destroyed.
struct LinkList<Element: Link>: ~Copyable {
  // Justified: see above. Nothing is removed while the list is gone through: observers only while the actor is outside,
  // dependents only where no code of the user's runs.
  fileprivate var entries: [Unmanaged<Element>] = []

  /// The number of entries at which it is worth looking for dead ones.
  private var limit = 8

  deinit {
    for entry in entries { entry.release() }
  }

  var count: Int { entries.count }
  var isEmpty: Bool { entries.isEmpty }

  subscript(index: Int) -> Unmanaged<Element> { entries[index] }

  mutating func append(_ element: Element) {
    entries.append(.passRetained(element))
  }

  /// Removes the dead, if there have been so many additions that it takes no time worth mentioning.
  mutating func prune(_ isLive: (Element) -> Bool) {
    guard entries.count >= limit else { return }
    var live: [Unmanaged<Element>] = []
    // Each is asked once: another thread may end it at any time.
    for entry in entries {
      if entry._withUnsafeGuaranteedRef(isLive) { live.append(entry) } else { entry.release() }
    }
    entries = live
    limit = max(8, 2 * live.count)
  }

  mutating func remove(_ element: Element) {
    let address = Unmanaged.passUnretained(element).toOpaque()
    guard let index = entries.firstIndex(where: { $0.toOpaque() == address }) else { return }
    entries.remove(at: index).release()
  }

  mutating func removeAll() {
    let former = entries
    entries = []
    for entry in former { entry.release() }
  }
}

extension LinkList where Element == Observer {
  var firstOrder: Int { entries.first?._withUnsafeGuaranteedRef { $0.order } ?? 0 }
  var lastOrder: Int { entries.last?._withUnsafeGuaranteedRef { $0.order } ?? 0 }
}
