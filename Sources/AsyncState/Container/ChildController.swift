/// A piece of a screen, or of whatever stands for one, that a container shows and takes away.
///
/// A container owns its children while their state shows. It tells each one, in this order and always in pairs, that it
/// comes to belong to the container, that it appears and has appeared, that it disappears and has disappeared, and that
/// it does not belong to the container any more. Every callback has a default that does nothing.
///
/// A class on the main actor conforms with an isolated conformance: `final class List: @MainActor ChildController`.
public protocol ChildController: AnyObject {
  /// The child is about to belong to the container.
  func willAttach()
  /// The child belongs to the container, and what made it come is over.
  func didAttach()
  /// The child is about to leave the container.
  func willDetach()
  /// The child belongs to the container no more.
  func didDetach()
  /// The child is about to be on show.
  func willAppear(animated: Bool)
  /// The child is on show.
  func didAppear(animated: Bool)
  /// The child is about to go from show.
  func willDisappear(animated: Bool)
  /// The child is on show no more.
  func didDisappear(animated: Bool)
}

extension ChildController {
  /// Does nothing.
  public func willAttach() {}
  /// Does nothing.
  public func didAttach() {}
  /// Does nothing.
  public func willDetach() {}
  /// Does nothing.
  public func didDetach() {}
  /// Does nothing.
  public func willAppear(animated: Bool) {}
  /// Does nothing.
  public func didAppear(animated: Bool) {}
  /// Does nothing.
  public func willDisappear(animated: Bool) {}
  /// Does nothing.
  public func didDisappear(animated: Bool) {}
}
