/// Decides whether an animated transition needs its animator.
///
/// The usual animator takes no time. With it, and with children that have no say in their animation, an animated
/// transition is the one that is not animated, but for the flag: the same calls in the same order. Then no animation is
/// made for each child.
@usableFromInline
struct AnimationChoice {
  @usableFromInline let takesNoTime: Bool

  // Whether a child has a say is a matter of its type, and asking costs as much as the rest of a transition. Two types
  // are remembered, which are those of most containers.
  @usableFromInline var plainType: ObjectIdentifier?
  @usableFromInline var otherPlainType: ObjectIdentifier?

  @usableFromInline
  init(_ animator: any TransitionAnimator) {
    takesNoTime = animator is ImmediateAnimator
  }

  /// Whether a child is known to have no say in its animation, or is found to have none.
  @inlinable
  mutating func isPlain(_ child: any ChildController) -> Bool {
    let type = ObjectIdentifier(type(of: child))
    return type == plainType || type == otherPlainType || find(type, child)
  }

  @usableFromInline
  mutating func find(_ type: ObjectIdentifier, _ child: any ChildController) -> Bool {
    guard !(child is any TransitioningController) else { return false }
    otherPlainType = plainType
    plainType = type
    return true
  }
}
