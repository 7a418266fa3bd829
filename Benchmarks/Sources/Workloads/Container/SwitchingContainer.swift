// SPDX-License-Identifier: MIT
import AsyncState

/// A container without a host that switches between two states.
final class SwitchingContainer: SynchronousWork {
  /// Which children the two states have.
  enum Children {
    case oneForAnother
    case oneForNone
    case sharedChild
    case transitioning

    fileprivate var lists: (first: [any ChildController], second: [any ChildController]) {
      switch self {
      case .oneForAnother:
        return ([CountingChild()], [CountingChild()])
      case .oneForNone:
        return ([CountingChild()], [])
      case .sharedChild:
        let shared = CountingChild()
        return ([shared, CountingChild()], [shared, CountingChild()])
      case .transitioning:
        return ([TransitioningChild()], [TransitioningChild()])
      }
    }
  }

  private enum Side {
    case first
    case second
  }

  private final class Delegate: StateContainerDelegate {
    typealias State = Side
    typealias Container = StateContainer<Side>

    @exclusivity(unchecked) private var calls = 0

    func container(_: Container, willTransitionTo _: Side, animated: Bool) { calls &+= 1 }
    func container(_: Container, didTransitionFrom _: Side?, animated: Bool) { calls &+= 1 }
    func container(_: Container, childWillAppear _: any ChildController, animated: Bool) { calls &+= 1 }
    func container(_: Container, childDidAppear _: any ChildController, animated: Bool) { calls &+= 1 }
    func container(_: Container, childWillDisappear _: any ChildController, animated: Bool) { calls &+= 1 }
    func container(_: Container, childDidDisappear _: any ChildController, animated: Bool) { calls &+= 1 }
    func container(_: Container, didArrange children: [any ChildController]) { calls &+= children.count }
  }

  private let container: StateContainer<Side>
  private let delegate = Delegate()
  private let isAnimated: Bool

  init(_ children: Children, isVisible: Bool = true, isAnimated: Bool = false) {
    self.isAnimated = isAnimated
    let (first, second) = children.lists
    container = StateContainer(initialState: Side.first) { $0 == .first ? first : second }
    container.delegate = delegate
    guard isVisible else { return }
    container.willAppear(animated: false)
    container.didAppear(animated: false)
  }

  func run(_ count: Int) {
    for _ in 0..<(count / 2) {
      container.setNeedsTransition(to: .second, animated: isAnimated)
      container.setNeedsTransition(to: .first, animated: isAnimated)
    }
  }
}

/// A child that has a say in its animation, and does the least with each call.
private final class TransitioningChild: TransitioningController {
  @exclusivity(unchecked) private var calls = 0

  func willAttach() { calls &+= 1 }
  func didAttach() { calls &+= 1 }
  func willDetach() { calls &+= 1 }
  func didDetach() { calls &+= 1 }
  func willAppear(animated: Bool) { calls &+= 1 }
  func didAppear(animated: Bool) { calls &+= 1 }
  func willDisappear(animated: Bool) { calls &+= 1 }
  func didDisappear(animated: Bool) { calls &+= 1 }
  func transitionDuration(isAppearing: Bool) -> Duration { .zero }
  func transitionDelay(isAppearing: Bool) -> Duration { .zero }
  func transitionWillBegin(isAppearing: Bool) { calls &+= 1 }
  func animateTransition(isAppearing: Bool) { calls &+= 1 }
  func transitionDidEnd(isAppearing: Bool) { calls &+= 1 }
}
