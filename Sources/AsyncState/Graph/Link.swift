// SPDX-License-Identifier: MIT
import Synchronization

/// What a node's list holds: an observer, or the connection of a derived node that is observed.
///
/// A link dies once, on any thread. What it holds is freed then or soon after (see Realm.swift); the link itself stays
/// on its list, empty, until the owner's actor meets it there.
class Link {
  /// Nil when the link was dismantled.
  private(set) final var realm: Realm?

  /// The next link on the realm's list, as the realm's word has it.
  final var next: UInt = 0

  init(realm: Realm) {
    self.realm = realm
  }

  /// Takes out and frees what a dead link holds, with its way to the realm, which may hold the link. Called once, by the one thread that it belongs to then.
  ///
  /// - Returns: The sources' connections that died with it.
  func dismantle() -> (first: Link?, second: Link?) {
    fatalError("Each kind of link dismantles itself.")
  }

  final func forgetRealm() {
    realm = nil
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

/// A reference whose count is kept by hand, or is not counted at all.
///
/// Retaining and releasing what the graph visits takes longer than all else that a write does.
struct Reference<Object: AnyObject> {
  // Justified: see above. A counted reference is released exactly once, by the one who takes it out of where it is
  // stored. One that is not counted is used only while another keeps the object: each place says which.
  let reference: Unmanaged<Object>

  @inline(__always)
  init(counting object: Object) {
    reference = .passRetained(object)
  }

  @inline(__always)
  init(notCounting object: Object) {
    reference = .passUnretained(object)
  }

  /// Calls `body` with the object, without counting.
  @inline(__always)
  func with<Result>(_ body: (Object) -> Result) -> Result {
    reference._withUnsafeGuaranteedRef(body)
  }

  /// The object, counted for the caller.
  @inline(__always)
  var object: Object { reference.takeUnretainedValue() }

  /// The object, with the count of this reference.
  func taken() -> Object { reference.takeRetainedValue() }

  func release() { reference.release() }

  func refers(to other: Reference) -> Bool { reference.toOpaque() == other.reference.toOpaque() }

  func refers(to object: Object) -> Bool { reference.toOpaque() == Unmanaged.passUnretained(object).toOpaque() }
}

/// Links in order, which can be gone through without counting references.
///
/// Each entry is counted, from `append` until it is removed or the list is destroyed. Nothing is removed while a list is
/// gone through: observers only while the actor is outside, dependents only where no code of the user's runs.
struct LinkList<Element: Link>: ~Copyable {
  fileprivate var entries: [Reference<Element>] = []

  /// The number of entries at which it is worth looking for dead ones.
  private var limit = 8

  deinit {
    for entry in entries { entry.release() }
  }

  var count: Int { entries.count }
  var isEmpty: Bool { entries.isEmpty }

  subscript(index: Int) -> Reference<Element> { entries[index] }

  mutating func append(_ element: Element) {
    entries.append(Reference(counting: element))
  }

  /// Removes the dead, if there have been so many additions that it takes no time worth mentioning.
  mutating func prune(_ isLive: (Element) -> Bool) {
    if entries.count >= limit { keep(isLive) }
  }

  /// Removes all entries but those that are needed.
  mutating func keep(_ isNeeded: (Element) -> Bool) {
    var needed: [Reference<Element>] = []
    // Each is read once: another thread may end it at any time.
    for entry in entries {
      if entry.with(isNeeded) { needed.append(entry) } else { entry.release() }
    }
    entries = needed
    limit = max(8, 2 * needed.count)
  }

  mutating func removeAll() {
    let former = entries
    entries = []
    for entry in former { entry.release() }
  }
}

extension LinkList where Element == Observer {
  var firstOrder: Int { entries.first?.with { $0.order } ?? 0 }
  var lastOrder: Int { entries.last?.with { $0.order } ?? 0 }

  /// How many were registered before any that is not for `audience`: they are in order.
  func count(upTo audience: Int) -> Int {
    lastOrder <= audience ? count : entries.firstIndex { $0.with { $0.order > audience } } ?? count
  }
}
