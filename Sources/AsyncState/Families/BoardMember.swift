// SPDX-License-Identifier: MIT
// The parts of families and entries that a board uses, and the change of several entries at once.

import Synchronization

/// Counts the uses of entries, so that they can be compared.
final class UseCounter {
  private var last: UInt64 = 0

  func next() -> UInt64 {
    last += 1
    return last
  }
}

/// The part of a family that a board uses.
protocol BoardFamily: AnyObject {
  /// Notes that the board has made the invalidation with this number.
  func noteInvalidation(_ number: UInt64)
}

/// The notes of a family's table and a board about an entry, independent of the types of its key and value.
class EntryRecord {
  // The fields that a look-up needs are first, with the key behind them, so that they are in few cache lines.

  /// The only reference of the family to the resource of the entry. Without its type, because the code that checks for other
  /// references is the same for all types.
  // Justified: nothing is called during an access. Checks would take half as long as a look-up. Noticed: every test, because
  // debug builds check.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  private(set) final var anyResource: AnyObject
  /// The number of its last access or load.
  final var lastUse: UInt64 = 0
  final var standing = FamilyStanding.held
  /// True if the family checks whether it is held, because work is in progress for its holders.
  final var isLookedAfter = false

  final var number: UInt64 = 0
  /// The tags under which the board has it.
  final var tags: Set<AsyncTag> = []
  /// True if a load has begun before.
  final var wasRequested = false
  /// The running request of the board.
  final var reload: LoadRun?

  init(of resource: AnyObject) {
    anyResource = resource
  }

  /// True if its resource has a holder other than the family.
  final var isHeld: Bool {
    // With its type written out: otherwise the function is called with a copy, and nothing is ever unique.
    let isUnique: (inout AnyObject) -> Bool = isKnownUniquelyReferenced
    guard isUnique(&anyResource) else { return true }
    // Others may have released it on other threads.
    atomicMemoryFence(ordering: .acquiring)
    return false
  }

  /// True if it may be evicted. An entry with work left overrides this.
  var isIdle: Bool { !isHeld }
}

/// Entries that are requested together: so many of them, of a family that batches keys, are one request.
struct RequestGroup: Hashable {
  /// An entry that is requested alone.
  static let single = RequestGroup(batches: nil, size: 1)

  let batches: ObjectIdentifier?
  let size: Int
}

/// The part of an entry that a board uses.
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

  /// Notifies Observation before any entry is changed.
  func announce(_ change: GroupChange)
  func stage(_ change: GroupChange)
  /// Called after the change: data that is derived from it follows before any observer is notified.
  func follow()
  func deliver()

  func startWriting(isolation: isolated any Actor)

  /// Marks the stored value, in its turn.
  func startMarking(isolation: isolated any Actor)

  /// Removes the stored value, in its turn.
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
