/// Who hears a transition: a delegate, or nobody.
///
/// Written as `delegate?.container(…)`, each of the sixteen calls of a transition retains the delegate and releases it,
/// on the slow path that weak references lead to: six times the cost of the calls themselves. So it is unwrapped once,
/// and the code that carries out a transition is compiled once for a delegate and once for none.
@usableFromInline
protocol TransitionAudience<State> {
  associatedtype State

  func willTransition(_ container: StateContainer<State>, to next: State, animated: Bool)
  func didTransition(_ container: StateContainer<State>, from previous: State?, animated: Bool)
  func willAppear(_ container: StateContainer<State>, _ child: any ChildController, animated: Bool)
  func didAppear(_ container: StateContainer<State>, _ child: any ChildController, animated: Bool)
  func willDisappear(_ container: StateContainer<State>, _ child: any ChildController, animated: Bool)
  func didDisappear(_ container: StateContainer<State>, _ child: any ChildController, animated: Bool)
  func didArrange(_ container: StateContainer<State>, _ children: [any ChildController])
}

/// The delegate of a container, held while a step is carried out: whoever hears "will" hears "did".
@usableFromInline
struct DelegateAudience<State>: TransitionAudience {
  @usableFromInline let delegate: any StateContainerDelegate<State>

  @inlinable
  init(_ delegate: any StateContainerDelegate<State>) {
    self.delegate = delegate
  }

  @inlinable
  func willTransition(_ container: StateContainer<State>, to next: State, animated: Bool) {
    delegate.container(container, willTransitionTo: next, animated: animated)
  }
  @inlinable
  func didTransition(_ container: StateContainer<State>, from previous: State?, animated: Bool) {
    delegate.container(container, didTransitionFrom: previous, animated: animated)
  }
  @inlinable
  func willAppear(_ container: StateContainer<State>, _ child: any ChildController, animated: Bool) {
    delegate.container(container, childWillAppear: child, animated: animated)
  }
  @inlinable
  func didAppear(_ container: StateContainer<State>, _ child: any ChildController, animated: Bool) {
    delegate.container(container, childDidAppear: child, animated: animated)
  }
  @inlinable
  func willDisappear(_ container: StateContainer<State>, _ child: any ChildController, animated: Bool) {
    delegate.container(container, childWillDisappear: child, animated: animated)
  }
  @inlinable
  func didDisappear(_ container: StateContainer<State>, _ child: any ChildController, animated: Bool) {
    delegate.container(container, childDidDisappear: child, animated: animated)
  }
  @inlinable
  func didArrange(_ container: StateContainer<State>, _ children: [any ChildController]) {
    delegate.container(container, didArrange: children)
  }
}

/// The audience of a container without a delegate.
@usableFromInline
struct NoAudience<State>: TransitionAudience {
  @inlinable
  init() {}

  @inlinable
  func willTransition(_ container: StateContainer<State>, to next: State, animated: Bool) {}
  @inlinable
  func didTransition(_ container: StateContainer<State>, from previous: State?, animated: Bool) {}
  @inlinable
  func willAppear(_ container: StateContainer<State>, _ child: any ChildController, animated: Bool) {}
  @inlinable
  func didAppear(_ container: StateContainer<State>, _ child: any ChildController, animated: Bool) {}
  @inlinable
  func willDisappear(_ container: StateContainer<State>, _ child: any ChildController, animated: Bool) {}
  @inlinable
  func didDisappear(_ container: StateContainer<State>, _ child: any ChildController, animated: Bool) {}
  @inlinable
  func didArrange(_ container: StateContainer<State>, _ children: [any ChildController]) {}
}
