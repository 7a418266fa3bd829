// SPDX-License-Identifier: MIT
// The entries of a family by key.

final class FamilyTable<Key: Hashable, Value> {
  typealias Member = FamilyMember<Key, Value>

  let settings: FamilySettings<Key, Value>
  // Justified, here and below: no code of the user's that uses the family is called during an access, see `KeySearch`. Checks
  // take a third of a look-up. Noticed: "1.9 a key whose hash uses its family stops"; debug builds check.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  // Justified: each is counted once, from when it is stored until it is taken out. Weak references lead to an entry, so to
  // count
  private var members: [Key: Uncounted<BoardEntry>] = [:]
  var count: Int { members.count }
  /// The members by key object, if keys are objects: their hash values may change.
  private var identities: [ObjectIdentifier: Member]?
  /// The number of unused entries to keep.
  private let keepUnused: Int
  /// The number of entries at which the unused ones are looked for.
  private var sweepAt = FamilyTable.leastSweep

  /// A smaller table is not swept by itself.
  private static var leastSweep: Int { 64 }

  init(_ settings: FamilySettings<Key, Value>, keepUnused: Int) {
    self.settings = settings
    self.keepUnused = max(keepUnused, 0)
    if Key.self is AnyObject.Type { identities = [:] }
    settings.table = self
    settings.rows?.didTell = { [weak self] key, use in
      guard let member = self?.present(key) else { return }
      member.resource.data.hook?.storeDidReturn(use)
      member.resource.data.resumeIfSettled()
    }
  }

  deinit {
    for member in members.values { member.release() }
  }

  /// The present members, the most recently used first.
  var all: [Member] { unordered.sorted { $0.lastUse > $1.lastUse }.map { Member.known($0) } }

  /// The present members, in any order.
  var unordered: [BoardEntry] {
    settings.search.stopIfSearching()
    var all: [BoardEntry] = []
    all.reserveCapacity(members.count)
    for member in members.values { all.append(member.object) }
    return all
  }

  // MARK: Looking up

  /// The member of a key, which is made if need be.
  func use(_ key: Key) -> Member { Member.known(findUsed(key)?.object ?? make(key)) }

  /// The resource of that member. If the member exists, nothing else is counted.
  func resource(of key: Key) -> AsyncResource<Value> {
    if let member = findUsed(key) { return member.visit { Member.known($0).resource } }
    return Member.known(make(key)).resource
  }

  /// The member of a key, if there is one.
  func present(_ key: Key) -> Member? { find(key).map { Member.known($0.object) } }

  // The functions that each look-up calls have no type in their results that depends on those of the family: it would be looked
  // up each time, which takes many times as long as the look-up (`a family's key` in Benchmarks).

  private func findUsed(_ key: Key) -> Uncounted<BoardEntry>? {
    guard let member = find(key) else { return nil }
    member.visit { $0.lastUse = settings.uses.next() }
    return member
  }

  private func find(_ key: Key) -> Uncounted<BoardEntry>? { settings.search.search { members[key] } }

  private func make(_ key: Key) -> BoardEntry {
    stopIfUnfit(key)
    if count >= sweepAt { sweep() }
    let seed = settings.seed?(key)
    let source = settings.makeSource(of: key)
    // Values that a sweep has released, or the user's code, may have made the member.
    if let member = findUsed(key)?.object { return member }
    let member = Member(key, settings, seed: seed, source)
    member.lastUse = settings.uses.next()
    settings.search.search { members[key] = Uncounted(keeping: member) }
    identities?[ObjectIdentifier(key as AnyObject)] = member
    // This calls the user's code, which may evict entries that are not held.
    member.use { resource in
      settings.hook?.didAdd(key, resource.data)
      member.prepare()
    }
    return member
  }

  // MARK: Removing

  /// Removes the least recently used of the entries that are not in use. The next time that it happens by itself, there are
  /// twice as many entries: a use takes constant time, however many are in use.
  ///
  /// - Parameter limit: The number of unused ones to keep; nil: the family's number.
  /// - Returns: The number of removed ones.
  @discardableResult
  func sweep(toIdle limit: Int? = nil) -> Int {
    if settings.source.mayBeLive { for entry in unordered { Member.known(entry).endUnheldStream() } }
    var excess: [BoardEntry] = []
    if count > min(limit ?? keepUnused, keepUnused) {
      let unused = unordered.filter { !$0.isInUse }.sorted { $0.lastUse > $1.lastUse }
      excess = Array(unused.dropFirst(max(min(limit ?? keepUnused, keepUnused), 0)))
      remove(excess)
    }
    sweepAt = max(Self.leastSweep, 2 * count)
    return excess.count
  }

  /// Removes members. They are released when the table is consistent.
  private func remove(_ excess: [BoardEntry]) {
    guard !excess.isEmpty else { return }
    let removed = excess.map { Member.known($0) }
    for member in removed where find(member.key)?.visit({ $0 === member }) != true { stopChangedKey(member.key) }
    for member in removed {
      member.detach()
      settings.search.search { members.removeValue(forKey: member.key) }?.release()
      identities?[ObjectIdentifier(member.key as AnyObject)] = nil
    }
    // A large number of entries once must not slow down sweeps for ever.
    if members.capacity > 8 * count + 64 { settings.search.search { members = members.filter { _ in true } } }
    for member in removed {
      member.resource.data.hook?.familyDidRemoveEntry()
      settings.board?.remove(member)
    }
    // Everything is consistent: recorded events are observed now, and not with the next entry.
    for member in removed {
      member.resource.data.hook?.didBecomeConsistent()
      // A write that still runs is none of its data's any more.
      member.resource.data.resumeIfSettled()
    }
  }

  /// Ends the members of a released family: loads are cancelled, and resources that are held continue without it.
  func dissolve() {
    let former = all
    for member in members.values { member.release() }
    (members, identities) = ([:], nil)
    for member in former { settings.board?.remove(member) }
    for member in former { member.leaveReleasedFamily() }
  }

  // MARK: User code

  /// Stops if a search cannot find the entry of this key.
  private func stopIfUnfit(_ key: Key) {
    guard isEqualToItself(key) else {
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
