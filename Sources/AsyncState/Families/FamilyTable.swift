// The entries of a family by key, and which of them are kept.
//
// An entry is idle when the table has the only reference to its resource. That is looked at when the table is used, so a
// reference that is released elsewhere touches nothing here. An entry is looked at once after each use of it, before an
// idle one is used again: what is beyond the limit by then is removed. All are looked at after as many look-ups as there
// were entries. So a look-up takes the same time however many entries are held.

/// Where an entry of a family stands with its table.
enum FamilyStanding {
  /// It was used since it was last looked at.
  case used
  /// It was held when it was last looked at.
  case held
  /// It was idle when it was last looked at.
  case idle
}

final class FamilyTable<Key: Hashable, Value> {
  typealias Member = FamilyMember<Key, Value>

  let terms: FamilyTerms<Key, Value>
  private let keepIdle: Int
  /// The members by the hash values that their keys had when they were made; those with the same one are a chain. A
  /// dictionary by key takes several times as long, because nothing specialises it.
  private var members: [Int: BoardMember] = [:]
  private(set) var count = 0
  /// The members by key object, where keys are objects: their hash values may change.
  private var identities: [ObjectIdentifier: Member]?
  /// The members that were used since they were last looked at.
  private var used: [Member] = []
  /// The members that were idle when they were last looked at, the one that was used last at the end.
  private var idle: [Member] = []
  /// How many look-ups there may be before the next sweep: as many as there were entries after the last one, and eight.
  /// Each makes one entry at most, so there are never more than twice as many.
  private var lookUpsLeft = 8

  init(_ terms: FamilyTerms<Key, Value>, keepIdle: Int) {
    self.terms = terms
    self.keepIdle = max(keepIdle, 0)
    if Key.self is AnyObject.Type { identities = [:] }
    terms.table = self
  }

  /// The members by now, those that were used last first.
  var all: [Member] {
    terms.stopIfSearching()
    return unordered.sorted { $0.lastUse > $1.lastUse }
  }

  private var unordered: [Member] {
    var all: [Member] = []
    all.reserveCapacity(count)
    for first in members.values {
      var next: BoardMember? = first
      while let member = next {
        all.append(Member.known(member))
        next = member.nextWithHash
      }
    }
    return all
  }

  // MARK: Looking up

  /// The member of a key, which is made if need be.
  func use(_ key: Key) -> Member {
    let hash = hash(of: key)
    let member = present(key, hash) ?? make(key, hash)
    noteUse(of: member)
    return member
  }

  /// The member of a key, if there is one that may be seen.
  func present(_ key: Key) -> Member? { present(key, hash(of: key)) }

  private func present(_ key: Key, _ hash: Int) -> Member? {
    if lookUpsLeft <= 0 { sweep(toIdle: keepIdle) }
    lookUpsLeft -= 1
    guard let member = find(key, hash) else {
      stopIfUnfit(key)
      return nil
    }
    // It may be used from now on, which must not bring back what is beyond the limit.
    if count > keepIdle, member.isIdle { look(at: member) }
    return member.isAttached ? member : nil
  }

  private func make(_ key: Key, _ hash: Int) -> Member {
    // Values that the search for this key has released may have made it.
    if let member = find(key, hash) { return member }
    let member = Member(key, hash, terms)
    member.nextWithHash = members.updateValue(member, forKey: hash)
    count += 1
    identities?[ObjectIdentifier(key as AnyObject)] = member
    // This calls the user's code, which may evict what is not held.
    member.use { resource in
      terms.hook?.didAdd(key, resource.data)
      member.prepare()
    }
    return member
  }

  // MARK: Which are idle

  /// The member was looked up, or its load has ended: it is the one that was used last.
  func noteUse(of member: Member) {
    guard member.isAttached else { return }
    if member.standing == .idle { idle.remove(at: place(of: member)) }
    member.lastUse = terms.uses.next()
    guard member.standing != .used else { return }
    member.standing = .used
    used.append(member)
  }

  /// Removes what is beyond the limit by now, before an idle member is used.
  private func look(at member: Member) {
    terms.stopIfSearching()
    let seen = used
    used = []
    for member in seen { member.standing = .held }
    for member in seen + [member] where member.standing == .held && member.isIdle {
      member.standing = .idle
      idle.insert(member, at: place(of: member))
    }
    guard idle.count > keepIdle else { return }
    // Some may be in use again: who has only the data of an entry may load them.
    let former = idle
    for member in former where !member.isIdle { member.standing = .held }
    idle = former.filter { $0.standing == .idle }
    removeIdle(beyond: keepIdle)
  }

  /// Where a member is among the idle ones, or would be.
  private func place(of member: Member) -> Int {
    var (low, high) = (0, idle.count)
    while low < high {
      let middle = (low + high) / 2
      if idle[middle].lastUse < member.lastUse { low = middle + 1 } else { high = middle }
    }
    return low
  }

  // MARK: Removing

  /// Looks at all members, and removes the idle ones that were used least recently.
  ///
  /// - Returns: How many.
  @discardableResult
  func sweep(toIdle limit: Int) -> Int {
    terms.stopIfSearching()
    defer { lookUpsLeft = count + 8 }
    let limit = max(limit, 0)
    guard count > limit else { return 0 }
    used = []
    idle = []
    for member in unordered {
      member.standing = member.isIdle ? .idle : .held
      if member.standing == .idle { idle.append(member) }
    }
    idle.sort { $0.lastUse < $1.lastUse }
    return removeIdle(beyond: limit)
  }

  func trim(toIdle count: Int?) -> Int { sweep(toIdle: min(count ?? keepIdle, keepIdle)) }

  @discardableResult
  private func removeIdle(beyond limit: Int) -> Int {
    let removed = Array(idle.dropLast(limit))
    idle.removeFirst(removed.count)
    remove(removed)
    return removed.count
  }

  /// Removes members. They are released when the table is in order.
  private func remove(_ removed: [Member]) {
    for member in removed where hash(of: member.key) != member.hash { stopChangedKey(member.key) }
    for member in removed {
      member.detach()
      take(member)
      identities?[ObjectIdentifier(member.key as AnyObject)] = nil
    }
    // A large number of entries once must not slow down sweeps for ever.
    if members.capacity > 8 * count + 64 { members = members.filter { _ in true } }
    for member in removed {
      member.data.state.extras?.hook?.familyDidRemoveEntry()
      terms.board?.remove(member)
    }
    // Everything is in order: what was recorded is observed now, and not with the next entry.
    for member in removed { member.data.state.extras?.hook?.didBecomeVisible() }
  }

  private func take(_ member: Member) {
    count -= 1
    let rest = member.nextWithHash.take()
    guard let first = members[member.hash], first !== member else { return members[member.hash] = rest }
    var former = first
    while let next = former.nextWithHash, next !== member { former = next }
    former.nextWithHash = rest
  }

  /// The family is released: loads are cancelled, and what is held elsewhere continues without it.
  func dissolve() {
    let former = all
    for member in former { member.nextWithHash = nil }
    (members, identities, used, idle, count) = ([:], nil, [], [], 0)
    for member in former { terms.board?.remove(member) }
    for member in former { member.leaveReleasedFamily() }
  }

  // MARK: User code

  private func hash(of key: Key) -> Int { terms.searching { key.hashValue } }

  private func find(_ key: Key, _ hash: Int) -> Member? {
    terms.searching {
      var next = members[hash]
      while let member = next {
        if Member.known(member).key == key { return Member.known(member) }
        next = member.nextWithHash
      }
      return nil
    }
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
    if let identities, identities[ObjectIdentifier(key as AnyObject)] != nil { stopChangedKey(key) }
  }

  private func stopChangedKey(_ key: Key) -> Never {
    fatalError(
      """
      AsyncState: the hash value of a key of an AsyncFamily, of type \(Key.self), has changed since its entry was made, so \
      the entry cannot be found any more. Use a key that does not change: a value, or a class with constants.
      """)
  }
}
