// SPDX-License-Identifier: MIT
import Synchronization

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
  final var standing = FamilyStanding.inUse
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

/// Counts the uses of entries, so that they can be compared.
final class UseCounter {
  private var last: UInt64 = 0

  func next() -> UInt64 {
    last += 1
    return last
  }
}
