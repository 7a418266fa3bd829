/// The children of a container from bottom to top: those that come or stay, in the order in which the state lists them,
/// and above them those that go, until they are gone.
@usableFromInline
struct ChildSurface {
  /// Those that come or stay.
  @usableFromInline var present: [any ChildController] = []

  /// All, while somebody goes; else empty. It keeps its room, so that in the steady state nothing is allocated.
  @usableFromInline var withLeaving: [any ChildController] = []

  @inlinable
  init() {}

  /// From bottom to top.
  @usableFromInline var children: [any ChildController] { withLeaving.isEmpty ? present : withLeaving }

  /// The child that stands and the one that is to stand, where there is one of each.
  @inlinable
  func onlyChild(beside next: [any ChildController]) -> (any ChildController, any ChildController)? {
    present.count == 1 && next.count == 1 ? (present[0], next[0]) : nil
  }

  /// Puts the one child of a new state in place, and above it the one that goes.
  @inlinable
  mutating func arrange(
    _ next: [any ChildController], _ coming: any ChildController, under leaving: any ChildController
  ) {
    present = next
    withLeaving.append(coming)
    withLeaving.append(leaving)
  }

  /// Puts the children of a new state in place, and above them those that go.
  mutating func arrange(_ next: [any ChildController], under leaving: some Sequence<any ChildController>) {
    present = next
    for child in leaving {
      if withLeaving.isEmpty { withLeaving += next }
      withLeaving.append(child)
    }
  }

  /// One who went is gone.
  mutating func remove(_ child: any ChildController) {
    guard withLeaving.count > present.count + 1 else { return withLeaving.empty() }
    if let index = withLeaving.lastIndex(where: { $0 === child }) { withLeaving.remove(at: index) }
  }
}

extension [any ChildController] {
  /// Keeps the room, as `removeAll(keepingCapacity: true)` does, which takes four times as long for a few elements.
  @inlinable
  mutating func empty() {
    while !isEmpty { removeLast() }
  }
}
