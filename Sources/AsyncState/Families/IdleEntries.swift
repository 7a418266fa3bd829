// SPDX-License-Identifier: MIT
// Which entries of a family are idle, and which of these are kept.
//
// An entry is idle when the family has the only reference to its resource. That is looked at when the family is used, so a
// reference that is released elsewhere touches nothing here. An entry is looked at once after each use of it, before an
// idle one is used again: what is beyond the limit by then is removed. All are looked at after as many new entries as there
// were, or four times as many look-ups. So a look-up takes the same time however many entries are held.
//
// No type in this file is generic: the type of an entry's value would be looked up at each use, which takes many times as
// long as the use (`a family's key` in Benchmarks).

/// Where an entry of a family stands with its table.
enum FamilyStanding {
  /// It was used since it was last looked at.
  case used
  /// It was held when it was last looked at.
  case held
  /// It was idle when it was last looked at.
  case idle
}

struct IdleEntries {
  private let limit: Int
  /// The entries that were used since they were last looked at.
  private var used: [EntryRecord] = []
  /// The entries that were idle when they were last looked at, the one that was used last at the end.
  private var idle: [EntryRecord] = []
  /// How long until all are looked at. A look-up counts one, and an entry that is made another three, so that there are
  /// never more than twice as many as there were the last time, and eight.
  private var untilSweep = 4 * 8

  init(limit: Int) {
    self.limit = limit
  }

  var isSweepDue: Bool { untilSweep <= 0 }

  /// An entry is looked up.
  mutating func noteLookUp() { untilSweep -= 1 }

  /// An entry is made.
  mutating func noteMaking() { untilSweep -= 3 }

  /// Whether some of so many entries may be beyond the limit.
  func isLimited(_ count: Int) -> Bool { count > limit }

  /// An entry was looked up, or its load has ended: it is the one that was used last.
  mutating func noteUse(of member: EntryRecord, _ uses: UseCounter) {
    if member.standing == .idle { idle.remove(at: place(of: member)) }
    member.lastUse = uses.next()
    guard member.standing != .used else { return }
    member.standing = .used
    used.append(member)
  }

  /// Looks at what was used and at an idle entry that is to be used.
  ///
  /// - Returns: What is beyond the limit, and is no longer here.
  mutating func takeExcess(before member: EntryRecord) -> [EntryRecord] {
    let seen = used
    used = []
    for member in seen { member.standing = .held }
    for member in seen + [member] where member.standing == .held && member.isIdle {
      member.standing = .idle
      idle.insert(member, at: place(of: member))
    }
    guard idle.count > limit else { return [] }
    // Some may be in use again: a caller that has only the data of an entry may load it.
    let former = idle
    for member in former where !member.isIdle { member.standing = .held }
    idle = former.filter { $0.standing == .idle }
    return take(beyond: limit)
  }

  /// Looks at all entries, if there are more than the limit.
  ///
  /// - Returns: The idle ones beyond the limit, those that were used least recently. They are no longer here.
  mutating func takeExcess(of all: [EntryRecord], beyond limit: Int? = nil) -> [EntryRecord] {
    let limit = min(max(limit ?? self.limit, 0), self.limit)
    var excess: [EntryRecord] = []
    if all.count > limit {
      (used, idle) = ([], [])
      for member in all {
        member.standing = member.isIdle ? .idle : .held
        if member.standing == .idle { idle.append(member) }
      }
      idle.sort { $0.lastUse < $1.lastUse }
      excess = take(beyond: limit)
    }
    untilSweep = 4 * (all.count - excess.count + 8)
    return excess
  }

  /// These are removed from the family.
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

  /// Where an entry is among the idle ones, or would be.
  private func place(of member: EntryRecord) -> Int {
    var (low, high) = (0, idle.count)
    while low < high {
      let middle = (low + high) / 2
      if idle[middle].lastUse < member.lastUse { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
