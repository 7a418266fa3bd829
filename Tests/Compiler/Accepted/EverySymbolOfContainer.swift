// SPDX-License-Identifier: MIT
// A client of every public symbol of containers: states, children, their animations, and the container's delegate.
// also with: -default-isolation MainActor
// also with: -enable-upcoming-feature NonisolatedNonsendingByDefault
// also with: -strict-memory-safety

import AsyncState

nonisolated enum Step: Hashable, Sendable {
  case address, payment
}

@MainActor
final class Page: @MainActor TransitioningController {
  private(set) var marks: [String] = []

  func willAttach() { marks.append("attach") }
  func didAttach() { marks.append("attached") }
  func willDetach() { marks.append("detach") }
  func didDetach() { marks.append("detached") }
  func willAppear(animated: Bool) { marks.append("appear") }
  func didAppear(animated: Bool) { marks.append("appeared") }
  func willDisappear(animated: Bool) { marks.append("disappear") }
  func didDisappear(animated: Bool) { marks.append("disappeared") }

  func transitionDuration(isAppearing: Bool) -> Duration { .milliseconds(isAppearing ? 300 : 200) }
  func transitionDelay(isAppearing: Bool) -> Duration { isAppearing ? .milliseconds(100) : .zero }
  func transitionWillBegin(isAppearing: Bool) { marks.append("begin") }
  func animateTransition(isAppearing: Bool) { marks.append("move") }
  func transitionDidEnd(isAppearing: Bool) { marks.append("end") }
}

/// A page with an effect that it leaves to another object.
nonisolated struct Fade: AnimatedTransitioning {
  func transitionDuration(isAppearing: Bool) -> Duration { .seconds(1) }
}

/// An animator of the client's own.
@MainActor
final class Curtain: @MainActor TransitionAnimator {
  private var moving: [TransitionAnimation] = []

  func animate(_ animation: TransitionAnimation) {
    print(animation.child, animation.isAppearing, animation.duration, animation.delay)
    animation.run()
    moving.append(animation)
  }

  func raised() {
    moving.forEach { $0.finish() }
    moving = []
  }
}

/// What puts one animator before another calls it as a container does.
@MainActor
final class Logged: @MainActor TransitionAnimator {
  private let animator = ClockAnimator(clock: ContinuousClock())
  private let immediate = ImmediateAnimator()
  private let isReduced: Bool

  init(isReduced: Bool) {
    self.isReduced = isReduced
  }

  func animate(_ animation: TransitionAnimation) {
    print(animator, immediate)
    if isReduced { immediate.animate(animation) } else { animator.animate(animation) }
  }
}

@MainActor
final class Checkout: @MainActor StateContainerDelegate {
  typealias State = Step

  private let address = Page()
  private let payment = Page()
  private var isPaid = false
  private lazy var steps = StateContainer(initialState: Step.address, animator: Curtain()) { [address, payment] step in
    step == .address ? [address] : [payment]
  }
  private lazy var receipt = StateContainer(
    appearanceState: { [unowned self] in isPaid }, animator: Logged(isReduced: true), children: { _ in [Page()] })

  func viewWillAppear() {
    steps.delegate = self
    steps.willAppear(animated: true)
    receipt.appear(animated: false)
  }

  func viewDidAppear() { steps.didAppear(animated: true) }
  func viewWillDisappear() { steps.willDisappear(animated: true) }

  func viewDidDisappear() {
    steps.didDisappear(animated: true)
    receipt.disappear(animated: false)
  }

  func next() async -> String {
    let outcome: TransitionOutcome = await steps.transition(to: .payment, animated: true)
    return switch outcome {
    case .finished: "there"
    case .superseded: "elsewhere"
    case .dropped: "not visible"
    }
  }

  func back() { steps.setNeedsTransition(to: .address, animated: steps.hasDeterminedState) }

  var line: String {
    if steps.delegate == nil { return steps.description }
    return "\(steps.currentState), \(steps.children.count), \(steps.isTransitioning)"
  }

  func container(_ container: StateContainer<Step>, willTransitionTo nextState: Step, animated: Bool) { isPaid = false }
  func container(_ container: StateContainer<Step>, didTransitionFrom previousState: Step?, animated: Bool) {
    isPaid = previousState == .payment
  }
  func container(_ container: StateContainer<Step>, childWillAppear child: any ChildController, animated: Bool) {}
  func container(_ container: StateContainer<Step>, childDidAppear child: any ChildController, animated: Bool) {}
  func container(_ container: StateContainer<Step>, childWillDisappear child: any ChildController, animated: Bool) {}
  func container(_ container: StateContainer<Step>, childDidDisappear child: any ChildController, animated: Bool) {}
  func container(_ container: StateContainer<Step>, didArrange children: [any ChildController]) {}
}

actor Terminal {
  private lazy var steps = StateContainer(initialState: Step.address, animator: ClockAnimator(isolation: self)) { _ in
    []
  }

  func next() { steps.setNeedsTransition(to: .payment, animated: false) }
}
