// The entries of a family by key, and which of them are kept.
//
// An entry is idle when the table has the only reference to its resource. That is looked at when the table is used, so a
// reference that is released elsewhere touches nothing here. Entries become idle silently, but an entry that is idle
// becomes used only through the table: before that the table removes whatever is beyond its limit by then.

import Synchronization

final class FamilyTable<Key: Hashable, Value> {
  typealias Member = FamilyMember<Key, Value>

  private struct State: ~Copyable {
    /// The members, by the hash values that their keys had when they were made.
    var members = HashTable<BoardMember>()
    /// The members by key object, where keys are objects: their hash values may change.
    var identities: [ObjectIdentifier: BoardMember]?
    /// How many look-ups there may be before the next sweep: as many as there were entries after the last one, and eight.
    /// Each makes one entry at most, so there are never more than twice as many.
    var lookUpsLeft = 8
    /// User code runs that hashes or compares keys. If that used the family it would find it half changed.
    var isSearching = false
  }

  let terms: FamilyTerms<Key, Value>
  private let keepIdle: Int
  // Justified: the user's code runs inside of no access but those that read the members to compare keys, and it is stopped
  // when it uses the family then. Checks take as long as the look-up itself.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  private var state: State

  init(_ terms: FamilyTerms<Key, Value>, keepIdle: Int) {
    self.terms = terms
    self.keepIdle = max(keepIdle, 0)
    state = State()
    if Key.self is AnyObject.Type { state.identities = [:] }
  }

  var count: Int { state.members.count }

  /// The members by now, those that were used last first.
  var all: [Member] {
    var all: [Member] = []
    for member in members(where: { _ in true }) { all.append(Member.known(member)) }
    return all
  }

  private func members(where isIncluded: (BoardMember) -> Bool) -> [BoardMember] {
    state.members.filter(isIncluded).sorted { $0.lastUse > $1.lastUse }
  }

  // MARK: Looking up

  /// The resource of a key, which is made if need be.
  func resource(of key: Key) -> AsyncResource<Value> {
    let hash = hash(of: key)
    return presentResource(key, hash) ?? use(key, hash).resource
  }

  /// The member of a key, which is made if need be.
  func use(_ key: Key) -> Member { use(key, hash(of: key)) }

  private func use(_ key: Key, _ hash: Int) -> Member {
    let member = present(key, hash) ?? make(key, hash)
    member.lastUse = terms.uses.next()
    return member
  }

  /// The resource of a key where all that takes is to find it: no sweep is due, and using it brings nothing back that is
  /// beyond the limit.
  private func presentResource(_ key: Key, _ hash: Int) -> AsyncResource<Value>? {
    guard state.lookUpsLeft > 0, let member = find(key, hash) else { return nil }
    state.lookUpsLeft -= 1
    return member.with { member in
      guard member.isHeld || count <= keepIdle else { return nil }
      member.lastUse = terms.uses.next()
      return Member.known(member).resource
    }
  }

  /// The member of a key, if there is one that may be seen.
  func present(_ key: Key) -> Member? { present(key, hash(of: key)) }

  private func present(_ key: Key, _ hash: Int) -> Member? {
    if state.lookUpsLeft <= 0 { sweep(toIdle: keepIdle) }
    state.lookUpsLeft -= 1
    guard let member = find(key, hash)?.object else {
      stopIfUnfit(key)
      return nil
    }
    guard member.isIdle else { return Member.known(member) }
    // It is used from now on, which must not bring back what is beyond the limit.
    if keepIdle == 0 {
      remove([member])
    } else if count > keepIdle {
      sweep(toIdle: keepIdle)
    }
    return Member.known(member).isAttached ? Member.known(member) : nil
  }

  private func make(_ key: Key, _ hash: Int) -> Member {
    // Values that the search for this key has released may have made it.
    if let member = find(key, hash) { return Member.known(member.object) }
    let member = Member(key, hash, terms)
    state.members.insert(member, hash: hash)
    state.identities?[ObjectIdentifier(key as AnyObject)] = member
    // This calls the user's code, which may evict what is not held.
    member.use { resource in
      terms.hook?.didAdd(key, resource.data)
      member.prepare()
    }
    return member
  }

  // MARK: Removing

  /// Removes the idle members that were used least recently.
  ///
  /// - Returns: How many.
  @discardableResult
  func sweep(toIdle limit: Int) -> Int {
    defer { state.lookUpsLeft = count + 8 }
    let limit = max(limit, 0)
    guard count > limit else { return 0 }
    let idle = members(where: \.isIdle)
    guard idle.count > limit else { return 0 }
    remove(Array(idle[limit...]))
    return idle.count - limit
  }

  func trim(toIdle count: Int?) -> Int { sweep(toIdle: min(count ?? keepIdle, keepIdle)) }

  /// Removes members. They are released when the table is in order.
  private func remove(_ removed: [BoardMember]) {
    for member in removed {
      let member = Member.known(member)
      if hash(of: member.key) != member.hash { stopChangedKey(member.key) }
    }
    for member in removed {
      let member = Member.known(member)
      member.detach()
      state.members.remove(member, hash: member.hash)
      state.identities?[ObjectIdentifier(member.key as AnyObject)] = nil
    }
    for member in removed {
      Member.known(member).data.state.extras?.hook?.familyDidRemoveEntry()
      terms.board?.remove(member)
    }
    // Everything is in order: what was recorded is observed now, and not with the next entry.
    for member in removed { Member.known(member).data.state.extras?.hook?.didBecomeVisible() }
  }

  /// The family is released: loads are cancelled, and what is held elsewhere continues without it.
  func dissolve() {
    assert(!state.isSearching, "A call holds its family.")
    let former = all
    for member in former { state.members.remove(member, hash: member.hash) }
    state.identities = nil
    for member in former { terms.board?.remove(member) }
    for member in former { member.leaveReleasedFamily() }
  }

  // MARK: User code

  private func hash(of key: Key) -> Int {
    beginSearching()
    let hash = key.hashValue
    state.isSearching = false
    return hash
  }

  /// The member is not counted: the caller uses it before anything else can remove it.
  private func find(_ key: Key, _ hash: Int) -> Reference<BoardMember>? {
    beginSearching()
    let found = state.members.first(with: hash) { Member.known($0).key == key }
    state.isSearching = false
    return found
  }

  private func beginSearching() {
    if state.isSearching { stopSearching() }
    state.isSearching = true
  }

  /// Stops if a search cannot find the entry of this key.
  private func stopIfUnfit(_ key: Key) {
    guard key == key else {
      fatalError(
        """
        AsyncState: a key of an AsyncFamily, of type \(Key.self), is not equal to itself. Each access would make another \
        entry and another request. Use a key with a complete ==; of numbers, one that is never NaN.
        """)
    }
    if let identities = state.identities, identities[ObjectIdentifier(key as AnyObject)] != nil { stopChangedKey(key) }
  }

  private func stopChangedKey(_ key: Key) -> Never {
    fatalError(
      """
      AsyncState: the hash value of a key of an AsyncFamily, of type \(Key.self), has changed since its entry was made, so \
      the entry cannot be found any more. Use a key that does not change: a value, or a class with constants.
      """)
  }

  private func stopSearching() -> Never {
    fatalError(
      """
      AsyncState: the == or hash(into:) of a key, of type \(Key.self), used the family of the key, which is just looking \
      for the key. Make the key a value that only compares what it holds.
      """)
  }
}
