// Carrying out the four life-cycle calls. Appearing is a transition whose children come with the container itself.

extension StateContainer {
  @usableFromInline
  func carryOut(_ call: LifecycleCall, to appearance: Appearance, animated: Bool) {
    let delegate = self.delegate
    let former = machine.appearance
    tracking.changing(.appearance) { machine.appearance = appearance }
    switch call {
    case .willAppear: beginAppearing(isTurningBack: former == .disappearing, animated: animated, delegate)
    case .didAppear: finishAppearing(animated: animated, delegate)
    case .willDisappear: beginDisappearing(isTurningBack: former == .appearing, animated: animated, delegate)
    case .didDisappear: finishDisappearing(animated: animated, delegate)
    }
  }

  private func beginAppearing(isTurningBack: Bool, animated: Bool, _ delegate: Delegate?) {
    // A transition that was to end when the container is gone ends now instead.
    finishLeavingChildren(animated: animated, delegate)
    closeIfOver(delegate)

    let isFirst = state == nil
    let open = enter(initialState(), animated: animated, waiter: nil, delegate)
    dropLeavingChildren(areHalfGone: isTurningBack, animated: animated, delegate)
    if surface.entering.isEmpty && !isFirst {
      arrange(delegate)
      close(open, delegate)
      for child in surface.present { beginAppearing(child, animated: animated, delegate) }
    } else {
      self.open = open
      for child in surface.nextPresent {
        if surface.entering.contains(child) { child.willAttach() }
        beginAppearing(child, animated: animated, delegate)
      }
      arrange(delegate)
    }
  }

  private func finishAppearing(animated: Bool, _ delegate: Delegate?) {
    bringIn(withContainer: true, animated: animated, delegate)
    closeIfOver(delegate)
  }

  private func beginDisappearing(isTurningBack: Bool, animated: Bool, _ delegate: Delegate?) {
    bringIn(withContainer: isTurningBack, animated: animated, delegate)
    // Those that go have nothing more to wait for than the container's own end.
    animations.invalidateAll()
    for child in surface.present { beginDisappearing(child, animated: animated, delegate) }
  }

  private func finishDisappearing(animated: Bool, _ delegate: Delegate?) {
    finishLeavingChildren(animated: animated, delegate)
    for child in surface.present { finishDisappearing(child, animated: animated, delegate) }
    closeIfOver(delegate)
  }

  // MARK: Children on their way

  /// Those that come have arrived; and, if the container itself was appearing, so have those that came back with it.
  private func bringIn(withContainer: Bool, animated: Bool, _ delegate: Delegate?) {
    for child in surface.present {
      if surface.entering.contains(child) {
        cutShort(child)
        finishEntering(child, animated: animated, delegate)
      } else if withContainer {
        finishAppearing(child, animated: animated, delegate)
      }
    }
    surface.settleEntering()
  }

  /// Those that go are gone.
  private func finishLeavingChildren(animated: Bool, _ delegate: Delegate?) {
    while let child = surface.leaving.first {
      cutShort(child)
      finishLeaving(child, animated: animated, delegate)
      removeLeaving(child, delegate)
    }
  }

  /// Those that are not in the state to appear in go at once: they are not on show.
  ///
  /// - Parameter areHalfGone: Whether they still lack the "did" to their "will disappear".
  private func dropLeavingChildren(areHalfGone: Bool, animated: Bool, _ delegate: Delegate?) {
    for child in surface.leaving { child.willDetach() }
    for child in surface.leaving {
      if areHalfGone { finishDisappearing(child, animated: animated, delegate) }
      child.didDetach()
    }
    surface.forgetLeaving()
  }
}
