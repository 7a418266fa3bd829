/// Hears what a ``StateContainer`` does, around what its children hear: "will" before them, "did" after them.
///
/// Every callback has a default that does nothing. All are called synchronously, on the actor that the container lives
/// on.
public protocol StateContainerDelegate<State>: AnyObject {
  /// What the container is generic over.
  associatedtype State

  /// A transition begins. State and children are still the old ones; ``StateContainer/isTransitioning`` is already
  /// true.
  func container(_ container: StateContainer<State>, willTransitionTo nextState: State, animated: Bool)
  /// A transition has ended: exactly one call for each "will". `previousState` is nil the first time.
  func container(_ container: StateContainer<State>, didTransitionFrom previousState: State?, animated: Bool)
  /// A child is about to be told that it appears.
  func container(_ container: StateContainer<State>, childWillAppear child: any ChildController, animated: Bool)
  /// A child was told that it has appeared.
  func container(_ container: StateContainer<State>, childDidAppear child: any ChildController, animated: Bool)
  /// A child is about to be told that it disappears.
  func container(_ container: StateContainer<State>, childWillDisappear child: any ChildController, animated: Bool)
  /// A child was told that it has disappeared.
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
