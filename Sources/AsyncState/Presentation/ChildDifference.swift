/// Who comes and who goes between the children of one state and those of the next. Membership is identity.
@usableFromInline
struct ChildDifference {
  @usableFromInline typealias Children = [any ChildController]

  /// The children that stand, in order.
  @usableFromInline let old: Children
  /// The children of the next state, in order, each once.
  @usableFromInline let new: Children

  // Where lists are long, looking along them is slower than hashing. Nil where they are short.
  @usableFromInline let oldMembers: Set<ObjectIdentifier>?
  @usableFromInline let newMembers: Set<ObjectIdentifier>?

  /// The difference between `old` and the children of the next state.
  ///
  /// - Parameter list: One that is listed twice is there once, where it is listed first.
  @inlinable
  init(from old: Children, to list: Children) {
    self.old = old
    if max(old.count, list.count) <= ChildDifference.scanLimit {
      new = list.hasRepetitions ? list.withoutRepetitions : list
      oldMembers = nil
      newMembers = nil
    } else {
      new = list.withoutRepetitions
      oldMembers = old.identities
      newMembers = new.identities
    }
  }

  /// Up to here, looking along the list is faster.
  @inlinable
  static var scanLimit: Int { 16 }

  @inlinable
  func comes(_ child: any ChildController) -> Bool {
    if let oldMembers { !oldMembers.contains(ObjectIdentifier(child)) } else { !old.contains(child) }
  }

  @inlinable
  func goes(_ child: any ChildController) -> Bool {
    if let newMembers { !newMembers.contains(ObjectIdentifier(child)) } else { !new.contains(child) }
  }

  /// Those who come, in the order of the next state.
  @usableFromInline var coming: Children { new.filter(comes) }

  /// Those who go, in the order in which they stand.
  @usableFromInline var going: Children { old.filter(goes) }

  /// The one who goes and the one who comes, where there is just one of each, and nobody stays.
  @inlinable
  var swap: (going: any ChildController, coming: any ChildController)? {
    guard old.count == 1, new.count == 1, old[0] !== new[0] else { return nil }
    return (old[0], new[0])
  }

  /// The same children in the same order.
  @inlinable
  var isEmpty: Bool { old.elementsEqual(new, by: ===) }
}

extension [any ChildController] {
  @inlinable
  func contains(_ child: any ChildController) -> Bool {
    for other in self where other === child { return true }
    return false
  }

  @inlinable
  var hasRepetitions: Bool {
    for index in indices.dropFirst() where self[..<index].contains(where: { $0 === self[index] }) { return true }
    return false
  }

  @usableFromInline var withoutRepetitions: Self {
    var seen: Set<ObjectIdentifier> = []
    return filter { seen.insert(ObjectIdentifier($0)).inserted }
  }

  @usableFromInline var identities: Set<ObjectIdentifier> {
    Set(map(ObjectIdentifier.init))
  }
}
