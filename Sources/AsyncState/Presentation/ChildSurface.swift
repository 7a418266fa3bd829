/// The children of a container from bottom to top: those that come or stay, in the order in which the state lists them, and
/// above them those that go, until they are gone.
@usableFromInline
struct ChildSurface {
  /// Those that come or stay.
  @usableFromInline var present: [any ChildController] = []

  /// All, while somebody goes; else empty. It keeps its room, so that in the steady state nothing is allocated.
  @usableFromInline var withLeaving: [any ChildController] = []

  @inlinable
  init() {}

  /// From bottom to top.
  @inlinable
  var children: [any ChildController] { withLeaving.isEmpty ? present : withLeaving }

  /// Puts the children of a new state in place, and above them those that go.
  @inlinable
  mutating func arrange(_ next: [any ChildController], under leaving: some Sequence<any ChildController>) {
    present = next
    withLeaving.removeAll(keepingCapacity: true)
    for child in leaving {
      if withLeaving.isEmpty { withLeaving += next }
      withLeaving.append(child)
    }
  }

  /// One who went is gone.
  @inlinable
  mutating func remove(_ child: any ChildController) {
    guard let index = withLeaving.lastIndex(where: { $0 === child }) else { return }
    if withLeaving.count == present.count + 1 {
      withLeaving.removeAll(keepingCapacity: true)
    } else {
      withLeaving.remove(at: index)
    }
  }
}
