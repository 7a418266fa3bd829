// The entries of a family by key, and which of them are kept.
//
// An entry is idle when the table has the only reference to its resource. That is looked at when the table is used, so a
// reference that is released elsewhere touches nothing here. Entries become idle silently, but an entry that is idle
// becomes used only through the table: before that the table removes whatever is beyond its limit by then.

import Synchronization

final class FamilyTable<Key: Hashable, Value> {
  typealias Member = FamilyMember<Key, Value>

  let terms: FamilyTerms<Key, Value>
  private let keepIdle: Int
  private var members: [Key: Member] = [:]
  /// The members by key object, where keys are objects: their hash values may change.
  private var identities: [ObjectIdentifier: Member]?
  /// How many accesses there may be before the next sweep: as many as there were entries after the last one, and eight.
  /// Each access makes one entry at most, so there are never more than twice as many.
  private var accessesLeft = 8
  private var isSearching = false

  init(_ terms: FamilyTerms<Key, Value>, keepIdle: Int) {
    self.terms = terms
    self.keepIdle = max(keepIdle, 0)
    identities = Key.self is AnyObject.Type ? [:] : nil
  }

  var count: Int { members.count }

  /// The members by now, those that were used last first.
  var all: [Member] { members.values.sorted { $0.lastUse > $1.lastUse } }

  /// The member of a key, which is made if need be.
  func use(_ key: Key) -> Member {
    let member = present(key) ?? make(key)
    member.lastUse = terms.uses.next()
    return member
  }

  /// The member of a key, if there is one that may be seen.
  func present(_ key: Key) -> Member? {
    if accessesLeft <= 0 { sweep(toIdle: keepIdle) }
    accessesLeft -= 1
    guard let member = find(key) else { return nil }
    guard member.isIdle else { return member }
    // It is used from now on, which must not bring back what is beyond the limit.
    if keepIdle == 0 {
      remove([member])
    } else if members.count > keepIdle {
      sweep(toIdle: keepIdle)
    }
    return member.isAttached ? member : nil
  }

  private func make(_ key: Key) -> Member {
    // Values that the search for this key has released may have made it.
    if let member = find(key) { return member }
    let member = Member(key, terms)
    searching { members[key] = member }
    if identities != nil { identities?[ObjectIdentifier(key as AnyObject)] = member }
    // This calls the user's code, which may evict what is not held.
    member.use { resource in
      terms.hook?.didAdd(key, resource.data)
      member.prepare()
    }
    return member
  }

  /// Removes the idle members that were used least recently.
  ///
  /// - Returns: How many.
  @discardableResult
  func sweep(toIdle limit: Int) -> Int {
    let limit = max(limit, 0)
    accessesLeft = members.count + 8
    guard members.count > limit else { return 0 }
    var idle: [Member] = []
    for member in members.values where member.isIdle { idle.append(member) }
    guard idle.count > limit else { return 0 }
    idle.sort { $0.lastUse > $1.lastUse }
    accessesLeft -= idle.count - limit
    remove(idle[limit...])
    return idle.count - limit
  }

  func trim(toIdle count: Int?) -> Int { sweep(toIdle: min(count ?? keepIdle, keepIdle)) }

  /// Removes members. They are released when the table is in order.
  private func remove(_ removed: some Sequence<Member>) {
    var former: [Member] = []
    for member in removed {
      member.isAttached = false
      member.data.state.extras?.hook?.familyDidRemoveEntry()
      terms.board?.remove(member)
      let found = searching { members.removeValue(forKey: member.key) }
      if identities != nil { identities?[ObjectIdentifier(member.key as AnyObject)] = nil }
      guard found === member else { stopChangedKey(member.key) }
      former.append(member)
    }
    withExtendedLifetime(former) {}
  }

  /// The family is released: loads are cancelled, and what is held elsewhere continues without it.
  func dissolve() {
    let former = members
    members = [:]
    identities = nil
    for member in former.values { member.isAttached = false }
    for member in former.values { terms.board?.remove(member) }
    for member in former.values { member.data.cancel() }
  }

  // MARK: User code

  private func find(_ key: Key) -> Member? {
    if isSearching { stopSearching() }
    isSearching = true
    let found = members[key]
    isSearching = false
    if let found { return found }
    guard key == key else {
      fatalError(
        """
        AsyncState: a key of an AsyncFamily, of type \(Key.self), is not equal to itself. Each access would make another \
        entry and another request. Use a key with a complete ==; of numbers, one that is never NaN.
        """)
    }
    if let identities, identities[ObjectIdentifier(key as AnyObject)] != nil { stopChangedKey(key) }
    return nil
  }

  private func stopChangedKey(_ key: Key) -> Never {
    fatalError(
      """
      AsyncState: the hash value of a key of an AsyncFamily, of type \(Key.self), has changed since its entry was made, so \
      the entry cannot be found any more. Use a key that does not change: a value, or a class with constants.
      """)
  }

  /// Calls what hashes and compares keys. If that uses the family it would find the table half changed.
  private func searching<Result>(_ body: () -> Result) -> Result {
    if isSearching { stopSearching() }
    isSearching = true
    defer { isSearching = false }
    return body()
  }

  private func stopSearching() -> Never {
    fatalError(
      """
      AsyncState: the == or hash(into:) of a key, of type \(Key.self), used the family of the key, which is just looking \
      for the key. Make the key a value that only compares what it holds.
      """)
  }
}
