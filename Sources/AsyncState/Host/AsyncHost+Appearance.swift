// The life cycle of a host is that of its container.

extension AsyncHost: ChildController {
  /// Makes both calls of an appearance.
  public func appear(animated: Bool) { container.appear(animated: animated) }
  /// Makes both calls of a disappearance.
  public func disappear(animated: Bool) { container.disappear(animated: animated) }
  /// Forwarded to the ``container``.
  public func willAppear(animated: Bool) { container.willAppear(animated: animated) }
  /// Forwarded to the ``container``.
  public func didAppear(animated: Bool) { container.didAppear(animated: animated) }
  /// Forwarded to the ``container``.
  public func willDisappear(animated: Bool) { container.willDisappear(animated: animated) }
  /// Forwarded to the ``container``.
  public func didDisappear(animated: Bool) { container.didDisappear(animated: animated) }
}
