/// Who comes and who goes between the children of one state and those of the next. Membership is identity.
struct ChildDifference {
  typealias Children = [any ChildController]

  /// The children that stand, in order.
  let old: Children
  /// The children of the next state, in order, each once.
  let new: Children

  // Where lists are long, looking along them is slower than hashing. Nil where they are short.
  let oldMembers: Set<ObjectIdentifier>?
  let newMembers: Set<ObjectIdentifier>?

  /// The difference between `old` and the children of the next state.
  ///
  /// - Parameter list: One that is listed twice is there once, where it is listed first.
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
  static var scanLimit: Int { 16 }

  func comes(_ child: any ChildController) -> Bool {
    if let oldMembers { !oldMembers.contains(ObjectIdentifier(child)) } else { !old.contains(child) }
  }

  func goes(_ child: any ChildController) -> Bool {
    if let newMembers { !newMembers.contains(ObjectIdentifier(child)) } else { !new.contains(child) }
  }

  /// Those who come, in the order of the next state.
  var coming: Children { new.filter(comes) }

  /// Those who go, in the order in which they stand.
  var going: Children { old.filter(goes) }

  /// The same children in the same order.
  var isEmpty: Bool { old.elementsEqual(new, by: ===) }
}

extension [any ChildController] {
  func contains(_ child: any ChildController) -> Bool {
    for other in self where other === child { return true }
    return false
  }

  var hasRepetitions: Bool {
    indices.dropFirst().contains { index in self[..<index].contains { $0 === self[index] } }
  }

  var withoutRepetitions: Self {
    var seen: Set<ObjectIdentifier> = []
    return filter { seen.insert(ObjectIdentifier($0)).inserted }
  }

  var identities: Set<ObjectIdentifier> {
    Set(map(ObjectIdentifier.init))
  }
}
