// Carrying out the four life-cycle calls. Appearing is a transition whose children come with the container itself.

extension StateContainer {
  func carryOut(
    _ call: LifecycleCall, to appearance: Appearance, animated: Bool, _ audience: some TransitionAudience<State>
  ) {
    let former = machine.appearance
    tracking.changing(.appearance) { machine.appearance = appearance }
    switch call {
    case .willAppear: beginAppearing(isTurningBack: former == .disappearing, animated: animated, audience)
    case .didAppear: finishAppearing(animated: animated, audience)
    case .willDisappear: beginDisappearing(isTurningBack: former == .appearing, animated: animated, audience)
    case .didDisappear: finishDisappearing(animated: animated, audience)
    }
  }

  private func beginAppearing(isTurningBack: Bool, animated: Bool, _ audience: some TransitionAudience<State>) {
    // A transition that was to end when the container is gone ends now instead.
    finishLeavingChildren(animated: animated, audience)
    closeIfOver(audience)

    let isFirst = state == nil
    let next = initialState()
    let previous = enter(next, animated: animated, audience)
    let difference = ChildDifference(from: surface.present, to: askForChildren(of: next, animated: animated))
    drop(difference.going, areHalfGone: isTurningBack, animated: animated, audience)
    let coming = difference.coming
    if coming.isEmpty && !isFirst {
      arrange(difference, under: [], audience)
      close(from: previous, animated: animated, audience)
      for child in difference.new { beginAppearing(child, animated: animated, audience) }
    } else {
      let open = OpenTransition(previousState: previous, animated: animated, waiter: nil)
      open.entering = coming
      self.open = open
      for child in difference.new {
        if coming.contains(child) { child.willAttach() }
        beginAppearing(child, animated: animated, audience)
      }
      arrange(difference, under: [], audience)
    }
  }

  private func finishAppearing(animated: Bool, _ audience: some TransitionAudience<State>) {
    bringIn(withContainer: true, animated: animated, audience)
    closeIfOver(audience)
  }

  private func beginDisappearing(isTurningBack: Bool, animated: Bool, _ audience: some TransitionAudience<State>) {
    bringIn(withContainer: isTurningBack, animated: animated, audience)
    // Those that go have nothing more to wait for than the container's own end.
    open?.animations.cutAllShort()
    for child in surface.present { beginDisappearing(child, animated: animated, audience) }
  }

  private func finishDisappearing(animated: Bool, _ audience: some TransitionAudience<State>) {
    finishLeavingChildren(animated: animated, audience)
    for child in surface.present { finishDisappearing(child, animated: animated, audience) }
    closeIfOver(audience)
  }

  // MARK: Children on their way

  /// Those that come have arrived; and, if the container itself was appearing, so have those that came back with it.
  private func bringIn(withContainer: Bool, animated: Bool, _ audience: some TransitionAudience<State>) {
    for child in surface.present {
      if let open, open.entering.contains(child) {
        cutShort(child, in: open)
        finishEntering(child, animated: animated, audience)
      } else if withContainer {
        finishAppearing(child, animated: animated, audience)
      }
    }
  }

  /// Those that go are gone.
  private func finishLeavingChildren(animated: Bool, _ audience: some TransitionAudience<State>) {
    guard let open else { return }
    while let child = open.leaving.first {
      cutShort(child, in: open)
      open.settle(leaving: child)
      finishLeaving(child, animated: animated, audience)
      removeFromSurface(child, audience)
    }
  }

  /// Those that are not in the state to appear in go at once: they are not on show.
  ///
  /// - Parameter areHalfGone: Whether they still lack the "did" to their "will disappear".
  private func drop(
    _ children: [any ChildController], areHalfGone: Bool, animated: Bool, _ audience: some TransitionAudience<State>
  ) {
    for child in children { child.willDetach() }
    for child in children {
      if areHalfGone { finishDisappearing(child, animated: animated, audience) }
      child.didDetach()
    }
  }
}
