/// The children of a container, and the difference between those that stand and those of the next state.
///
/// The surface is ordered from bottom to top: those that come or stay, in the order in which the state lists them, and
/// above them those that go, until they are gone. Membership is identity.
@usableFromInline
struct ChildSurface {
  /// From bottom to top.
  @usableFromInline private(set) var children: [any ChildController] = []

  /// Those of `children` that come, and have not arrived.
  @usableFromInline private(set) var entering: [any ChildController] = []

  /// Those that go, and are not gone.
  @usableFromInline private(set) var leaving: [any ChildController] = []

  /// How many of `children` come or stay.
  @usableFromInline private(set) var presentCount = 0

  // The surface that `plan` builds and `arrange` puts in place. The two lists take turns, so that in the steady state
  // neither is allocated.
  @usableFromInline private(set) var next: [any ChildController] = []
  @usableFromInline private(set) var nextPresentCount = 0

  @inlinable
  init() {}

  /// Those that come or stay, from bottom to top.
  @usableFromInline var present: ArraySlice<any ChildController> { children[..<presentCount] }

  /// The same of the surface that is planned.
  @usableFromInline var nextPresent: ArraySlice<any ChildController> { next[..<nextPresentCount] }

  /// Works out who comes and who goes. The surface stays as it is until `arrange()`.
  ///
  /// - Parameter list: The children of the next state, from bottom to top. One that is listed twice is there once.
  @inlinable
  mutating func plan(_ list: [any ChildController]) {
    next.removeAll(keepingCapacity: true)
    if max(children.count, list.count) <= ChildSurface.scanLimit {
      for child in list where !next.contains(child) {
        next.append(child)
        if !children.contains(child) { entering.append(child) }
      }
      for child in children where !next.contains(child) { leaving.append(child) }
    } else {
      planBySets(list)
    }
    nextPresentCount = next.count
    next += leaving
  }

  /// Up to here, looking along the list is faster than hashing.
  @inlinable
  static var scanLimit: Int { 16 }

  @usableFromInline
  mutating func planBySets(_ list: [any ChildController]) {
    let present = Set(children.map(ObjectIdentifier.init))
    var listed: Set<ObjectIdentifier> = []
    for child in list where listed.insert(ObjectIdentifier(child)).inserted {
      next.append(child)
      if !present.contains(ObjectIdentifier(child)) { entering.append(child) }
    }
    for child in children where !listed.contains(ObjectIdentifier(child)) { leaving.append(child) }
  }

  /// Puts the planned surface in place.
  ///
  /// - Returns: Whether it differs from the one that stood.
  @inlinable
  mutating func arrange() -> Bool {
    let isSame = children.elementsEqual(next, by: ===)
    swap(&children, &next)
    presentCount = nextPresentCount
    next.removeAll(keepingCapacity: true)
    return !isSame
  }

  // MARK: Arriving and going

  /// Everybody who came has arrived.
  @inlinable
  mutating func settleEntering() {
    entering.removeAll(keepingCapacity: true)
  }

  /// One who came has arrived.
  @usableFromInline
  mutating func settleEntering(_ child: any ChildController) {
    entering.removeAll { $0 === child }
  }

  /// The first of those who go is gone.
  ///
  /// - Returns: Whether it was on the surface.
  @inlinable
  mutating func removeFirstLeaving() -> Bool {
    let child = leaving.removeFirst()
    return remove(child)
  }

  /// One who went is gone.
  ///
  /// - Returns: Whether it was on the surface.
  @usableFromInline
  mutating func removeLeaving(_ child: any ChildController) -> Bool {
    leaving.removeAll { $0 === child }
    return remove(child)
  }

  /// Takes those who go out of the plan, too: they are gone before the surface is arranged.
  @usableFromInline
  mutating func forgetLeaving() {
    next.removeLast(leaving.count)
    leaving.removeAll(keepingCapacity: true)
  }

  @inlinable
  mutating func remove(_ child: any ChildController) -> Bool {
    guard let index = children.lastIndex(where: { $0 === child }) else { return false }
    children.remove(at: index)
    return true
  }
}

extension [any ChildController] {
  @inlinable
  func contains(_ child: any ChildController) -> Bool {
    for other in self where other === child { return true }
    return false
  }
}
