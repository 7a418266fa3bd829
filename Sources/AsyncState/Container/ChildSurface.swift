// SPDX-License-Identifier: MIT
// The children on a container's surface, and their difference from those of the next state.

/// The children of a container from bottom to top: incoming and kept ones in the order of the state, and above them the
/// outgoing ones until they have left.
struct ChildSurface {
  /// The children of the state, without those that leave.
  private(set) var present: [any ChildController] = []

  /// All children while one leaves, otherwise empty. It keeps its capacity, so that no transition allocates.
  private var withLeaving: [any ChildController] = []

  /// From bottom to top.
  var children: [any ChildController] { withLeaving.isEmpty ? present : withLeaving }

  var isSettled: Bool { withLeaving.isEmpty }

  /// Places the only child of the next state below the only present one, which leaves.
  mutating func exchange(for next: [any ChildController]) {
    if withLeaving.capacity == 0 { withLeaving.reserveCapacity(2) }
    withLeaving.append(next[0])
    withLeaving.append(present[0])
    present = next
  }

  /// Places the children of the next state, and above them those that leave.
  mutating func arrange(_ difference: ChildDifference) {
    present = difference.new
    for child in difference.old where difference.isLeaving(child) {
      if withLeaving.isEmpty { withLeaving.append(contentsOf: difference.new) }
      withLeaving.append(child)
    }
  }

  /// Removes a child that leaves.
  mutating func remove(_ child: any ChildController) {
    if withLeaving.isEmpty {
      // At a reappearance children leave before the next ones are placed.
      present.removeAll { $0 === child }
    } else if withLeaving.count == present.count + 1 {
      // `removeAll(keepingCapacity:)` takes four times as long for a few elements.
      while !withLeaving.isEmpty { withLeaving.removeLast() }
    } else if let index = withLeaving[present.count...].firstIndex(where: { $0 === child }) {
      // The first of those that leave, most often.
      withLeaving.remove(at: index)
    }
  }
}

/// The children that are added and those that leave between two states. A child is the same if it is the same object.
struct ChildDifference {
  /// The present children, in order.
  let old: [any ChildController]
  /// The children of the next state, in order, each once.
  let new: [any ChildController]

  // For long lists a lookup is faster than a search. Nil for short ones.
  private let oldMembers: Set<ObjectIdentifier>?
  private let newMembers: Set<ObjectIdentifier>?

  /// - Parameter list: A child that is listed twice counts once, where it is listed first.
  init(from old: [any ChildController], to list: [any ChildController]) {
    self.old = old
    if max(old.count, list.count) <= ChildDifference.searchLimit {
      new = list.hasRepetitions ? list.withoutRepetitions : list
      oldMembers = nil
      newMembers = nil
    } else {
      new = list.withoutRepetitions
      oldMembers = Set(old.map { ObjectIdentifier($0) })
      newMembers = Set(new.map { ObjectIdentifier($0) })
    }
  }

  /// Up to this length a search is faster.
  private static var searchLimit: Int { 16 }

  /// True if a child of the next state is not present.
  func isEntering(_ child: any ChildController) -> Bool {
    if let oldMembers { !oldMembers.contains(ObjectIdentifier(child)) } else { !old.contains(child) }
  }

  /// True if a present child is not one of the next state.
  func isLeaving(_ child: any ChildController) -> Bool {
    if let newMembers { !newMembers.contains(ObjectIdentifier(child)) } else { !new.contains(child) }
  }

  var hasEntering: Bool { new.contains(where: isEntering) }

  /// True if placing the next children changes the surface. False if the first ones stay where they are and the others leave.
  var changesSurface: Bool {
    var placed = 0
    for child in new {
      guard placed < old.count, old[placed] === child else { return true }
      placed += 1
    }
    // The remaining old children leave; they are already above those that stay.
    return false
  }
}

extension [any ChildController] {
  fileprivate func contains(_ child: any ChildController) -> Bool { contains { $0 === child } }

  fileprivate var hasRepetitions: Bool {
    guard count > 1 else { return false }
    for index in 1..<count {
      for earlier in 0..<index where self[earlier] === self[index] { return true }
    }
    return false
  }

  fileprivate var withoutRepetitions: Self {
    var seen: Set<ObjectIdentifier> = []
    return filter { seen.insert(ObjectIdentifier($0)).inserted }
  }
}
