// SPDX-License-Identifier: MIT
// The idle entries of a family, and the choice of those to keep.
//
// An entry is idle when the family has the only reference to its resource. The family checks this when it is used, so a
// reference that is released elsewhere touches nothing here. An entry is checked once after each use of it, before an idle one
// is used again: then entries beyond the limit are removed. All are checked after as many new entries as there were, or four
// times as many look-ups. So a look-up takes the same time however many entries are held.
//
// No type in this file is generic: the type of an entry's value would be looked up at each use, which takes many times as long
// as the use (`a family's key` in Benchmarks).

/// The state of an entry in the table of its family.
enum FamilyStanding {
  /// It was used since it was last checked.
  case used
  /// It was held, or at work, when it was last checked.
  case inUse
  /// It was idle when it was last checked.
  case idle
}

struct IdleEntries {
  private let limit: Int
  /// The entries that were used since they were last checked.
  private var used: [EntryRecord] = []
  /// The entries that were idle when they were last checked, the most recently used at the end.
  private var idle: [EntryRecord] = []
  /// A count until all are checked. A look-up counts one, and a new entry three more, so that there are never more than twice
  /// as many as there were the last time, and eight.
  private var untilSweep = 4 * 8

  init(limit: Int) {
    self.limit = limit
  }

  var isSweepDue: Bool { untilSweep <= 0 }

  /// Counts a look-up.
  mutating func noteLookUp() { untilSweep -= 1 }

  /// Counts a new entry.
  mutating func noteMaking() { untilSweep -= 3 }

  /// True if some of so many entries may be beyond the limit.
  func isLimited(_ count: Int) -> Bool { count > limit }

  /// Notes that an entry was looked up, or its load has ended: it is the most recently used one.
  mutating func noteUse(of member: EntryRecord, _ uses: UseCounter) {
    if member.standing == .idle { idle.remove(at: place(of: member)) }
    member.lastUse = uses.next()
    guard member.standing != .used else { return }
    member.standing = .used
    used.append(member)
  }

  /// Checks the used entries and an idle one that is about to be used.
  ///
  /// - Returns: The entries beyond the limit, which are removed from here.
  mutating func takeExcess(before member: EntryRecord) -> [EntryRecord] {
    let seen = used
    used = []
    for member in seen { member.standing = .inUse }
    for member in seen + [member] where member.standing == .inUse && member.isIdle {
      member.standing = .idle
      idle.insert(member, at: place(of: member))
    }
    guard idle.count > limit else { return [] }
    // Some may be in use again: a caller that has only the data of an entry may load it.
    let former = idle
    for member in former where !member.isIdle { member.standing = .inUse }
    idle = former.filter { $0.standing == .idle }
    return take(beyond: limit)
  }

  /// Checks all entries, if there are more than the limit.
  ///
  /// - Returns: The idle ones beyond the limit, the least recently used. They are removed from here.
  mutating func takeExcess(of all: [EntryRecord], beyond limit: Int? = nil) -> [EntryRecord] {
    let limit = min(max(limit ?? self.limit, 0), self.limit)
    var excess: [EntryRecord] = []
    if all.count > limit {
      (used, idle) = ([], [])
      for member in all {
        member.standing = member.isIdle ? .idle : .inUse
        if member.standing == .idle { idle.append(member) }
      }
      idle.sort { $0.lastUse < $1.lastUse }
      excess = take(beyond: limit)
    }
    untilSweep = 4 * (all.count - excess.count + 8)
    return excess
  }

  /// Removes entries that were removed from the family.
  mutating func remove(_ members: [EntryRecord]) {
    let removed = Set(members.map { ObjectIdentifier($0) })
    used.removeAll { removed.contains(ObjectIdentifier($0)) }
    idle.removeAll { removed.contains(ObjectIdentifier($0)) }
  }

  mutating func removeAll() { (used, idle) = ([], []) }

  private mutating func take(beyond limit: Int) -> [EntryRecord] {
    let excess = Array(idle.dropLast(limit))
    idle.removeFirst(excess.count)
    return excess
  }

  /// The place of an entry among the idle ones, or the place at which to insert it.
  private func place(of member: EntryRecord) -> Int {
    var (low, high) = (0, idle.count)
    while low < high {
      let middle = (low + high) / 2
      if idle[middle].lastUse < member.lastUse { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
