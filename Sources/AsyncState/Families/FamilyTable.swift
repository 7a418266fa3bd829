// SPDX-License-Identifier: MIT
// The entries of a family by key.

final class FamilyTable<Key: Hashable, Value> {
  typealias Member = FamilyMember<Key, Value>

  let settings: FamilySettings<Key, Value>
  /// Hashing and comparing keys is user code, which must not use the family during the search: see `searching`.
  // Justified, here and below: no code of the user's that uses the family is called during an access. Checks take a third
  // of a look-up. Noticed: "1.9 a key whose hash uses its family stops"; debug builds check.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  // Justified: each is counted once, from when it is stored until it is taken out. Weak references lead to an entry, so to
  // count
  private var members: [Key: Uncounted<EntryRecord>] = [:]
  var count: Int { members.count }
  /// The members by key object, if keys are objects: their hash values may change.
  private var identities: [ObjectIdentifier: Member]?
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  private var idle: IdleEntries
  /// Removes entries that are idle for long; nil if number alone decides.
  private var idleTimer: IdleTimer?
  /// The members with work in progress for their holders alone, each once. Without their type, because each look-up checks
  /// whether there are any.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  private var working: [WeakReference<EntryRecord>] = []
  /// The index of the next of them to check.
  private var nextWorking = 0

  init(_ settings: FamilySettings<Key, Value>, keepIdle limit: IdleLimit) {
    self.settings = settings
    idle = IdleEntries(limit: limit.count)
    if Key.self is AnyObject.Type { identities = [:] }
    settings.table = self
    if let lifetime = limit.lifetime, let home = settings.home {
      idleTimer = IdleTimer(lifetime, on: settings.timeline, home) { [weak self] in self?.removeExpired() }
    }
  }

  deinit {
    for member in members.values { member.release() }
  }

  /// The present members, the most recently used first.
  var all: [Member] {
    settings.stopIfSearching()
    return unordered.sorted { $0.lastUse > $1.lastUse }.map { Member.known($0) }
  }

  private var unordered: [EntryRecord] { members.values.map(\.object) }

  // MARK: Work for holders

  /// Adds a member that follows a stream, or that the library has requested: its work ends when only the family holds it.
  func noteWork(of member: Member) {
    guard !member.isLookedAfter else { return }
    member.isLookedAfter = true
    working.append(WeakReference(member))
  }

  /// Checks some of these members, one after another, so that a look-up takes the same time however many there are.
  private func endUnheldWork(_ count: Int) {
    for _ in 0..<min(count, working.count) {
      // User code that is called at an end may have led here.
      guard !working.isEmpty else { return }
      nextWorking = nextWorking < working.count ? nextWorking : 0
      let record = working[nextWorking].object
      guard let record, Member.known(record).hasWorkForHolders else {
        record?.isLookedAfter = false
        working.swapAt(nextWorking, working.count - 1)
        working.removeLast()
        continue
      }
      nextWorking += 1
      Member.known(record).endUnheldWork()
    }
  }

  // MARK: Looking up

  /// The member of a key, which is made if need be.
  func use(_ key: Key) -> Member { Member.known(findUsed(key)?.object ?? make(key)) }

  /// The resource of that member. If the member exists, nothing else is counted.
  func resource(of key: Key) -> AsyncResource<Value> {
    if let member = findUsed(key) { return member.visit { Member.known($0).resource } }
    return Member.known(make(key)).resource
  }

  /// The member of a key, if there is one to be returned.
  func present(_ key: Key) -> Member? { findPresent(key).map { Member.known($0.object) } }

  // The functions that each look-up calls have no type in their results that depends on those of the family: it would be looked
  // up each time, which takes many times as long as the look-up (`a family's key` in Benchmarks).

  private func findUsed(_ key: Key) -> Uncounted<EntryRecord>? {
    // First: the clock may be the user's, and use the family.
    idleTimer?.start()
    guard let member = findPresent(key) else { return nil }
    member.visit { idle.noteUse(of: $0, settings.uses) }
    return member
  }

  private func findPresent(_ key: Key) -> Uncounted<EntryRecord>? {
    if idle.isSweepDue { sweep() }
    if !working.isEmpty { endUnheldWork(4) }
    idle.noteLookUp()
    guard let member = find(key) else {
      stopIfUnfit(key)
      return nil
    }
    // It may be used from now on, so entries beyond the limit are removed first.
    if member.visit({ $0.isIdle }), idle.isLimited(count) { return remainingAfterRemoval(before: member.object) }
    return settings.isReleased ? nil : member
  }

  /// Removes entries beyond the limit before an idle member is used, which may be that member itself.
  private func remainingAfterRemoval(before member: EntryRecord) -> Uncounted<EntryRecord>? {
    settings.stopIfSearching()
    remove(idle.takeExcess(before: member))
    return Member.known(member).isAttached ? Uncounted(member) : nil
  }

  private func make(_ key: Key) -> EntryRecord {
    let seed = settings.displaysSeeds ? settings.seed?(key) : nil
    // Values that the search for this key has released, or the user's seed, may have made the member.
    if let member = find(key)?.object {
      noteUse(of: member)
      return member
    }
    let member = Member(key, settings, seed: seed)
    settings.searching { members[key] = Uncounted(keeping: member) }
    idle.noteMaking()
    identities?[ObjectIdentifier(key as AnyObject)] = member
    // This calls the user's code, which may evict entries that are not held.
    member.use { resource in
      settings.hook?.didAdd(key, resource.data)
      member.prepare()
    }
    noteUse(of: member)
    return member
  }

  // MARK: Idle members

  /// Notes that the member was looked up, or its load has ended: it is the most recently used one.
  func noteUse(of member: EntryRecord) {
    guard Member.known(member).isAttached else { return }
    idle.noteUse(of: member, settings.uses)
    idleTimer?.start()
  }

  /// Checks all members, and removes the least recently used idle ones.
  ///
  /// - Parameter limit: The number of idle ones to keep; nil, or more than the family keeps: the family's number.
  /// - Returns: The number of removed members.
  @discardableResult
  func sweep(toIdle limit: Int? = nil) -> Int {
    settings.stopIfSearching()
    endUnheldWork(.max)
    let excess = idle.takeExcess(of: unordered, beyond: limit)
    remove(excess)
    return excess.count
  }

  /// Removes the members that have been idle for as long as the family keeps them.
  private func removeExpired() {
    guard !settings.isReleased, let expired = idleTimer?.takeExpired(of: unordered), !expired.isEmpty else { return }
    idle.remove(expired)
    remove(expired)
  }

  // MARK: Removing

  /// Removes members. They are released when the table is consistent.
  private func remove(_ excess: [EntryRecord]) {
    guard !excess.isEmpty else { return }
    let removed = excess.map { Member.known($0) }
    for member in removed where find(member.key)?.visit({ $0 === member }) != true { stopChangedKey(member.key) }
    for member in removed {
      member.detach()
      settings.searching { members.removeValue(forKey: member.key) }?.release()
      identities?[ObjectIdentifier(member.key as AnyObject)] = nil
    }
    // A large number of entries once must not slow down sweeps for ever.
    if members.capacity > 8 * count + 64 { settings.searching { members = members.filter { _ in true } } }
    for member in removed {
      member.data.hook?.familyDidRemoveEntry()
      settings.board?.remove(member)
    }
    // Everything is consistent: recorded events are observed now, and not with the next entry.
    for member in removed { member.data.hook?.didBecomeConsistent() }
  }

  /// Ends the members of a released family: loads are cancelled, and resources that are held continue without it.
  func dissolve() {
    let former = all
    for member in members.values { member.release() }
    (members, identities) = ([:], nil)
    idle.removeAll()
    idleTimer = nil
    for member in former { settings.board?.remove(member) }
    for member in former { member.leaveReleasedFamily() }
  }

  // MARK: User code

  private func find(_ key: Key) -> Uncounted<EntryRecord>? { settings.searching { members[key] } }

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
