// SPDX-License-Identifier: MIT
import AsyncState

/// What a careful person would write for this one screen: a value, a state, a `switch`, and every call that the library
/// makes on the same objects, in the same order.
final class HandWrittenScreen: FlippingWork {
  private typealias Children = [any ChildController]

  private let stage: Stage
  private weak var delegate: Stage.Delegate?
  private let isAnimated: Bool

  /// Only to be handed to the delegate, which wants one.
  private let container = StateContainer<AsyncStatus<Int>>(initialState: .loading) { _ in [] }

  // The surfaces that the delegate gets, made once.
  private let spinner: Children
  private let list: Children
  private let listUnderSpinner: Children
  private let spinnerUnderList: Children

  private var state = AsyncStatus<Int>.loading

  private var value: Int? {
    didSet { valueDidChange() }
  }

  init(_ stage: Stage, isAnimated: Bool) {
    self.stage = stage
    self.isAnimated = isAnimated
    delegate = stage.delegate
    spinner = [stage.spinner]
    list = [stage.list]
    listUnderSpinner = [stage.list, stage.spinner]
    spinnerUnderList = [stage.spinner, stage.list]
  }

  func show(_ value: Int) {
    self.value = value
  }

  func hide() {
    value = nil
  }

  private func valueDidChange() {
    // The delegate is who shows this screen: without one there is nothing to be done. Unwrapped once and passed on, it
    // is not retained for each call.
    guard let delegate else { return }
    switch (state, value) {
    case (.loading, let value?):
      swap(stage.spinner, for: stage.list, meanwhile: listUnderSpinner, then: list, to: .data(value), delegate)
    case (.data, nil):
      swap(stage.list, for: stage.spinner, meanwhile: spinnerUnderList, then: spinner, to: .loading, delegate)
    case (.data, let value?):
      stay(with: .data(value), delegate)
    case (.loading, nil), (.error, _), (.noData, _), (.idle, _), (.waiting, _):
      break
    }
  }

  private func swap(
    _ old: any ChildController, for new: any ChildController, meanwhile both: Children, then rest: Children,
    to next: AsyncStatus<Int>, _ delegate: Stage.Delegate
  ) {
    let former = state
    delegate.container(container, willTransitionTo: next, animated: isAnimated)
    state = next

    old.willDetach()
    delegate.container(container, childWillDisappear: old, animated: isAnimated)
    old.willDisappear(animated: isAnimated)
    new.willAttach()
    delegate.container(container, childWillAppear: new, animated: isAnimated)
    new.willAppear(animated: isAnimated)
    delegate.container(container, didArrange: both)

    new.didAppear(animated: isAnimated)
    delegate.container(container, childDidAppear: new, animated: isAnimated)
    new.didAttach()
    delegate.container(container, didArrange: rest)
    old.didDisappear(animated: isAnimated)
    delegate.container(container, childDidDisappear: old, animated: isAnimated)
    old.didDetach()
    delegate.container(container, didTransitionFrom: former, animated: isAnimated)
  }

  private func stay(with next: AsyncStatus<Int>, _ delegate: Stage.Delegate) {
    let former = state
    delegate.container(container, willTransitionTo: next, animated: isAnimated)
    state = next
    delegate.container(container, didTransitionFrom: former, animated: isAnimated)
  }
}
