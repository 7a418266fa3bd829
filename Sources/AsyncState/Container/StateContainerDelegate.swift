// SPDX-License-Identifier: MIT
/// Is notified of the steps of a ``StateContainer``: "will" before its children are notified, "did" after them.
///
/// Every callback has a default that does nothing. All are called synchronously, on the actor of the container.
public protocol StateContainerDelegate<State>: AnyObject {
  /// The type that the container is generic over.
  associatedtype State

  /// A transition begins. State and children are still the old ones; ``StateContainer/isTransitioning`` is already true.
  func container(_ container: StateContainer<State>, willTransitionTo nextState: State, animated: Bool)
  /// A transition has ended: exactly one call for each "will". `previousState` is nil the first time.
  func container(_ container: StateContainer<State>, didTransitionFrom previousState: State?, animated: Bool)
  /// Called before a child's `willAppear`.
  func container(_ container: StateContainer<State>, childWillAppear child: any ChildController, animated: Bool)
  /// Called after a child's `didAppear`.
  func container(_ container: StateContainer<State>, childDidAppear child: any ChildController, animated: Bool)
  /// Called before a child's `willDisappear`.
  func container(_ container: StateContainer<State>, childWillDisappear child: any ChildController, animated: Bool)
  /// Called after a child's `didDisappear`.
  func container(_ container: StateContainer<State>, childDidDisappear child: any ChildController, animated: Bool)
  /// The surface has changed: these are the children on it, from bottom to top. Called once for each change.
  func container(_ container: StateContainer<State>, didArrange children: [any ChildController])
}

extension StateContainerDelegate {
  /// Does nothing.
  public func container(_ container: StateContainer<State>, willTransitionTo nextState: State, animated: Bool) {}
  /// Does nothing.
  public func container(_ container: StateContainer<State>, didTransitionFrom previousState: State?, animated: Bool) {}
  /// Does nothing.
  public func container(
    _ container: StateContainer<State>, childWillAppear child: any ChildController, animated: Bool
  ) {}
  /// Does nothing.
  public func container(
    _ container: StateContainer<State>, childDidAppear child: any ChildController, animated: Bool
  ) {}
  /// Does nothing.
  public func container(
    _ container: StateContainer<State>, childWillDisappear child: any ChildController, animated: Bool
  ) {}
  /// Does nothing.
  public func container(
    _ container: StateContainer<State>, childDidDisappear child: any ChildController, animated: Bool
  ) {}
  /// Does nothing.
  public func container(_ container: StateContainer<State>, didArrange children: [any ChildController]) {}
}
