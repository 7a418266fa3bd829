// SPDX-License-Identifier: MIT
// The knowledge of a board about families and their entries, and how several entries change at once.

import Synchronization

/// Counts the uses of entries, so that they can be compared.
final class UseCounter {
  private var last: UInt64 = 0

  func next() -> UInt64 {
    last += 1
    return last
  }
}

/// A family, as a board sees it.
protocol BoardFamily: AnyObject {
  /// The board has made the invalidation with this number.
  func noteInvalidation(_ number: UInt64)
}

/// The notes of a look-up and a board about an entry, whatever its key and its value.
class EntryRecord {
  // First what a look-up needs, with the key behind it, so that it is in few cache lines.

  /// The only reference of the family to the resource of the entry. Without its type, because the code that looks whether
  /// there are others is the same for all types.
  // Justified: nothing is called during an access. Checks would take half of what a look-up takes. Noticed: every test,
  // because debug builds check.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  private(set) final var anyResource: AnyObject
  /// When it was last accessed or loaded.
  final var lastUse: UInt64 = 0
  final var standing = FamilyStanding.held
  /// The family looks whether it is held, because something is under way for its holders.
  final var isLookedAfter = false

  final var number: UInt64 = 0
  /// The tags that the board knows.
  final var tags: Set<AsyncTag> = []
  /// A load has begun before.
  final var wasRequested = false
  /// The board's request that runs.
  final var reload: LoadRun?

  init(of resource: AnyObject) {
    anyResource = resource
  }

  /// Anyone but the family holds its resource.
  final var isHeld: Bool {
    // With its type written out: otherwise the function is called with a copy, and nothing is ever unique.
    let isUnique: (inout AnyObject) -> Bool = isKnownUniquelyReferenced
    guard isUnique(&anyResource) else { return true }
    // Others may have released it on other threads.
    atomicMemoryFence(ordering: .acquiring)
    return false
  }

  /// It may be evicted. An entry that has something left to do overrides this.
  var isIdle: Bool { !isHeld }
}

/// Entries of which so many are one request: those of a family that requests several keys together.
struct RequestGroup: Hashable {
  /// An entry that is requested alone.
  static let single = RequestGroup(batches: nil, size: 1)

  let batches: ObjectIdentifier?
  let size: Int
}

/// An entry of a family, as a board sees it.
protocol BoardMember: EntryRecord {
  /// The gate of its requests.
  var gate: LoadGate? { get }
  /// The entries that are requested together with it.
  var requestGroup: RequestGroup { get }
  /// A visible host displays it.
  var isDisplayed: Bool { get }
  var isRunning: Bool { get }
  var isInvalidated: Bool { get }
  var isStale: Bool { get }

  /// Observation is notified before any entry is changed.
  func announce(_ change: GroupChange)
  func stage(_ change: GroupChange)
  /// The change has been made: what depends on it follows before any observer is notified.
  func follow()
  func deliver()

  func startWriting(isolation: isolated any Actor)

  /// Marks what is stored, in its turn.
  func startMarking(isolation: isolated any Actor)

  /// What is stored is removed, in its turn.
  func startRemoving(in turn: StoreTurn, isolation: isolated any Actor)

  func startReload() -> LoadRun?
}

/// A change of many entries at once.
enum GroupChange {
  case invalidate(byBoard: Bool)
  case forget
}

/// Changes several entries before the first of them is notified. A change that is requested in a notification is made at
/// once and delivered by the same loop.
final class Deliveries {
  private var turn = Turn<any BoardMember>()

  func make(_ change: GroupChange = .invalidate(byBoard: true), of members: [any BoardMember]) {
    for member in members { member.announce(change) }
    for member in members { member.stage(change) }
    for member in members { turn.add(member) }
    let isFirst = turn.begin()
    for member in members { member.follow() }
    guard isFirst else { return }
    while let member = turn.next() { member.deliver() }
  }
}
