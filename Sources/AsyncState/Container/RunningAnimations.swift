/// The animations of the transition that is under way.
@usableFromInline
struct RunningAnimations {
  struct Entry {
    let number: Int
    let child: any ChildController
    let isAppearing: Bool
    /// The child again, if it has a say in its animation.
    let transitioning: (any TransitioningController)?
    /// Weak: an animator that lets go of an animation has finished it.
    weak var animation: TransitionAnimation?
  }

  private var entries: [Entry] = []
  private var lastNumber = 0

  /// The animator is being handed one after another: it is too early for the transition's end.
  var isStarting = false

  @usableFromInline
  init() {}

  var isEmpty: Bool { entries.isEmpty }

  /// Notes a child that is to be animated.
  ///
  /// - Returns: The number under which its end is reported.
  mutating func add(
    _ child: any ChildController, isAppearing: Bool, transitioning: (any TransitioningController)?
  ) -> Int {
    lastNumber += 1
    entries.append(
      Entry(number: lastNumber, child: child, isAppearing: isAppearing, transitioning: transitioning, animation: nil))
    return lastNumber
  }

  /// Notes the animation that was made for a child, unless it has ended already.
  mutating func set(_ animation: TransitionAnimation, for number: Int) {
    guard let index = entries.firstIndex(where: { $0.number == number }) else { return }
    entries[index].animation = animation
  }

  /// Takes out the entry with this number; nil if its transition is over.
  mutating func take(_ number: Int) -> Entry? {
    guard let index = entries.firstIndex(where: { $0.number == number }) else { return nil }
    return entries.remove(at: index)
  }

  /// Nobody waits for the ends any more; the children keep their entries until their transition ends.
  func cutAllShort() {
    for entry in entries { entry.animation?.cutShort() }
  }

  /// Takes out a child's entry; nil if it is not animated.
  mutating func take(_ child: any ChildController) -> Entry? {
    guard let index = entries.firstIndex(where: { $0.child === child }) else { return nil }
    return entries.remove(at: index)
  }
}
