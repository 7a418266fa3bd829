// SPDX-License-Identifier: MIT
import AsyncState

/// Transitions of a visible container, each requested when the one before has ended.
final class TransitionChain: ChainWork, StateContainerDelegate {
  private let container: StateContainer<Int>
  private var remaining = 0
  private(set) var stack = StackExtent()

  init() {
    let even: [any ChildController] = [CountingChild()]
    let odd: [any ChildController] = [CountingChild()]
    container = StateContainer(initialState: 0) { $0.isMultiple(of: 2) ? even : odd }
    container.willAppear(animated: false)
    container.didAppear(animated: false)
    container.delegate = self
  }

  func run(_ count: Int) {
    remaining = count
    stack = StackExtent()
    next()
  }

  func container(_ container: StateContainer<Int>, didTransitionFrom former: Int?, animated: Bool) {
    stack.note()
    next()
  }

  private func next() {
    guard remaining > 0 else { return }
    remaining -= 1
    container.setNeedsTransition(to: remaining, animated: false)
  }
}
