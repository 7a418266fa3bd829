// SPDX-License-Identifier: MIT
// Transitions by a clock, on the main actor and on an actor of one's own.

import AsyncState

enum Step { case address, payment, done }

@MainActor
final class Page {
  private(set) var opacity = 0.0
}

extension Page: @MainActor TransitioningController {
  func transitionDuration(isAppearing: Bool) -> Duration { .milliseconds(250) }
  func transitionDelay(isAppearing: Bool) -> Duration { .zero }
  func transitionWillBegin(isAppearing: Bool) { opacity = isAppearing ? 0 : 1 }
  func animateTransition(isAppearing: Bool) { opacity = isAppearing ? 1 : 0 }
  func transitionDidEnd(isAppearing: Bool) {}
}

@MainActor
final class Wizard {
  private let animator = ClockAnimator()
  private lazy var lazyAnimator = ClockAnimator()
  private lazy var container = StateContainer(initialState: Step.address, animator: animator) { _ in [Page()] }

  func makeContainer(animator: any TransitionAnimator = ClockAnimator()) -> StateContainer<Step> {
    StateContainer(appearanceState: { .address }, animator: animator) { _ in [Page()] }
  }

  func finish() async -> Bool {
    await container.transition(to: .done, animated: true) == .finished
  }
}

actor Kiosk {
  private var container: StateContainer<Step>?

  func open() {
    container = StateContainer(initialState: .address, animator: ClockAnimator(isolation: self)) { _ in [] }
  }
}
