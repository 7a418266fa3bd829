// SPDX-License-Identifier: MIT
// A wizard of four steps. It is at the same step after another screen has covered it.

import AsyncState

@MainActor
final class Wizard {
  let container: StateContainer<Step>

  init(animator: any TransitionAnimator = ClockAnimator()) {
    let pages = Step.allCases.map { Page(step: $0) }
    let children = { (step: Step) in Mistake.pagesAreNotKept.isMade ? [Page(step: step)] : [pages[step.rawValue]] }
    container =
      Mistake.wizardStartsAgain.isMade
      ? StateContainer(appearanceState: { .welcome }, animator: animator, children: children)
      : StateContainer(initialState: .welcome, animator: animator, children: children)
  }

  var page: Page? { container.children.first as? Page }

  func next() { show(container.currentState.rawValue + 1) }
  func back() { show(container.currentState.rawValue - 1) }

  private func show(_ number: Int) {
    guard let step = Step(rawValue: number) else { return }
    container.setNeedsTransition(to: step, animated: true)
  }
}
