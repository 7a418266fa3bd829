// SPDX-License-Identifier: MIT
// One step of a container (section 5 of the contract): its calls to one child, and to the delegate.

extension StateContainer {
  /// A step of a container, which calls the children and the delegate.
  ///
  /// The delegate is loaded once: the one that is notified of a "will" is notified of the "did".
  @usableFromInline
  struct Step {
    let container: StateContainer
    private let delegate: (any StateContainerDelegate<State>)?
    @usableFromInline let animated: Bool

    @usableFromInline
    init(_ container: StateContainer, animated: Bool) {
      self.container = container
      delegate = container.parts.delegate
      self.animated = animated
    }
  }
}

extension StateContainer.Step {
  // MARK: Both ends of a transition

  /// `W`. The state and the children are still the old ones.
  @usableFromInline
  func open(_ next: State) {
    assert(!container.parts.queue.isTransitioning, "a transition begins inside another")
    container.parts.queue.isTransitioning = true
    container.parts.tracking.report(.isTransitioning)
    container.parts.hook?.container(container, willTransitionTo: next, animated: animated)
    delegate?.container(container, willTransitionTo: next, animated: animated)
  }

  /// `D`.
  @usableFromInline
  func close(_ former: State?, animated: Bool, _ waiter: TransitionWaiter?) {
    container.parts.queue.isTransitioning = false
    container.parts.tracking.report(.isTransitioning)
    container.parts.hook?.container(container, didTransitionFrom: former, animated: animated)
    delegate?.container(container, didTransitionFrom: former, animated: animated)
    waiter?.resume(.finished)
  }

  /// Ends the open transition once nothing moves any more.
  func closeIfOver() {
    guard container.parts.moving.isEmpty, let open = container.parts.open, !open.isHandingOver else { return }
    container.parts.open = nil
    container.closeOpen(self, animated: open.animated, open.waiter)
  }

  // MARK: An incoming child

  func beginArriving(_ child: any ChildController) {
    child.willAttach()
    beginAppearing(child)
  }

  @inline(__always)
  func beginAppearing(_ child: any ChildController) {
    container.parts.hook?.container(container, childWillAppear: child, animated: animated)
    delegate?.container(container, childWillAppear: child, animated: animated)
    child.willAppear(animated: animated)
  }

  /// The only way in: the child has appeared and, if it was added, belongs to the container.
  func arrive(_ child: any ChildController, isAdded: Bool = true) {
    child.didAppear(animated: animated)
    container.parts.hook?.container(container, childDidAppear: child, animated: animated)
    delegate?.container(container, childDidAppear: child, animated: animated)
    if isAdded { child.didAttach() }
  }

  // MARK: An outgoing child

  func beginLeaving(_ child: any ChildController) {
    child.willDetach()
    beginDisappearing(child)
  }

  @inline(__always)
  func beginDisappearing(_ child: any ChildController) {
    container.parts.hook?.container(container, childWillDisappear: child, animated: animated)
    delegate?.container(container, childWillDisappear: child, animated: animated)
    child.willDisappear(animated: animated)
  }

  /// The only way out: off the surface, disappeared if it was visible, detached.
  func leave(_ child: any ChildController, isVisible: Bool = true) {
    changeSurface { container.parts.surface.remove(child) }
    if isVisible { disappear(child) }
    child.didDetach()
  }

  @inline(__always)
  func disappear(_ child: any ChildController) {
    child.didDisappear(animated: animated)
    container.parts.hook?.container(container, childDidDisappear: child, animated: animated)
    delegate?.container(container, childDidDisappear: child, animated: animated)
  }

  // MARK: The surface

  /// Places the children of the next state below those that leave.
  func arrange(_ difference: ChildDifference) {
    guard difference.changesSurface else { return container.parts.surface.arrange(difference) }
    changeSurface { container.parts.surface.arrange(difference) }
  }

  @inline(__always)
  func changeSurface(_ change: () -> Void) {
    change()
    container.parts.tracking.report(.children)
    let children = container.parts.surface.children
    container.parts.hook?.container(container, didArrange: children)
    delegate?.container(container, didArrange: children)
  }
}
