// SPDX-License-Identifier: MIT
// The steps of a container, one after another, and both ends of a transition.

extension StateContainer {
  // MARK: Input

  /// Carries out a request, now or as soon as it may begin.
  ///
  /// - Parameter home: The actor of the caller, if it is on one.
  @inlinable
  func request(_ state: State, animated: Bool, waiter: TransitionWaiter? = nil, home: (any Actor)?) {
    guard beginAtOnce(animated: animated, home: home) else { return postpone(state, animated, waiter) }
    transition(to: state, animated: animated, waiter)
    finishStep()
  }

  /// Begins a step for a request, if it need not wait.
  @usableFromInline
  func beginAtOnce(animated: Bool, home: (any Actor)?) -> Bool {
    if animated && !parts.animatorTakesNoTime, let home { parts.home = home }
    guard parts.queue.mayBeginAtOnce else { return false }
    parts.queue.beginAtOnce()
    parts.hook?.stepWillBegin(after: nil)
    return true
  }

  /// Lets the request wait, in the place of the waiting one.
  @inlinable
  func postpone(_ state: State, _ animated: Bool, _ waiter: TransitionWaiter?) {
    var superseded: State? = state
    swap(&superseded, &requested)
    submit(animated, waiter)
    // The superseded state may be an object with a `deinit` that calls the container.
    withExtendedLifetime(superseded) {}
    carryOutWaiting()
  }

  @usableFromInline
  func submit(_ animated: Bool, _ waiter: TransitionWaiter?) {
    collectReleased()
    parts.hook?.requestWillWait()
    parts.queue.submit(StepQueue.Request(waiter: waiter, animated: animated))?.waiter?.resume(.superseded)
  }

  /// Carries out a life-cycle call, now or as soon as it may begin.
  func carryOut(_ call: LifecycleCall, animated: Bool) {
    collectReleased()
    if parts.queue.mayCallAtOnce {
      parts.queue.beginAtOnce()
      parts.hook?.stepWillBegin(after: nil)
      Step(self, animated: animated).carryOut(call)
      finishStep()
    } else {
      parts.hook?.callWillWait()
      parts.queue.submit(call, animated: animated)
      carryOutWaiting()
    }
  }

  /// Withdraws the request of a caller that was cancelled, if it waits.
  @inline(never)
  func withdraw(_ waiter: TransitionWaiter) {
    let withdrawn = parts.queue.withdraw(waiter) ? requested.take() : nil
    waiter.resume(.dropped)
    withExtendedLifetime(withdrawn) {}
  }

  // MARK: Steps

  /// Ends the step, and carries out the waiting work.
  @usableFromInline
  func finishStep() {
    endStep()
    if parts.queue.hasWork { carryOutWaiting() }
  }

  private func endStep() {
    parts.queue.finishStep()
    parts.hook?.stepDidEnd()
    assert(isConsistent, "a step has left the container inconsistent")
  }

  /// Carries out the waiting work, unless a step is being carried out. A loop: each request of a callback is one more turn.
  @usableFromInline
  func carryOutWaiting() {
    while parts.queue.hasWork {
      // A cancelled request does not begin, although its actor has had no time to withdraw it.
      if let waiter = parts.queue.pendingWaiter, waiter.cancellation.wasNoted { withdraw(waiter) }
      guard let work = parts.queue.beginStep() else { return }
      parts.hook?.stepWillBegin(after: work.waited)
      carryOut(work)
      endStep()
    }
  }

  private func carryOut(_ work: StepQueue.Work) {
    switch work {
    case .transition(let request): transitionToRequested(request)
    case .lifecycle(let call, let animated): Step(self, animated: animated).carryOut(call)
    case .endAnimation(let child): Step(self, animated: true).endAnimation(of: child)
    }
  }

  /// Submits the ends of released animations. During a step that is done by the step.
  @inline(__always)
  func collectReleased() {
    guard !parts.moving.isEmpty, !parts.queue.isStepping else { return }
    for child in parts.moving where child.wasReleased { parts.queue.submit(ended: child) }
  }

  private var isConsistent: Bool {
    // 1, 2
    let isOpen = parts.open != nil
    return isOpen == parts.queue.isTransitioning && (isOpen || parts.moving.isEmpty && parts.surface.isSettled)
  }

  @inline(never)
  private func transitionToRequested(_ request: StepQueue.Request) {
    guard let state = requested.take() else { return assertionFailure("a request without its state") }
    transition(to: state, animated: request.animated, request.waiter)
  }

  // MARK: A transition

  /// From `W` to `D`, or to the animations of the children, which end it later.
  @inlinable
  @inline(__always)
  func transition(to next: State, animated: Bool, _ waiter: TransitionWaiter?) {
    let step = Step(self, animated: animated)
    if step.exchange(for: enter(next, step), waiter) { close(step, animated: animated, waiter) }
  }

  /// `W`, the change of the state, and `K`.
  @inlinable
  @inline(__always)
  func enter(_ next: State, _ step: Step) -> [any ChildController] {
    step.open(next)
    var former: State? = next
    swap(&former, &current)
    // An initial state that was not displayed was not left.
    let isFirst = !hasEntered
    if !isFirst { swap(&former, &left) }
    stateDidChange(isFirst: isFirst, animated: step.animated)
    return makeChildren(next, step.animated)
  }

  @usableFromInline var hasEntered: Bool { parts.hasEntered }

  @usableFromInline
  func stateDidChange(isFirst: Bool, animated: Bool) {
    if animated, !isFirst { parts.animatedTransitions &+= 1 }
    parts.hasEntered = true
    parts.tracking.report(isFirst ? [.state, .hasState] : .state)
  }

  /// `D`.
  @inlinable
  @inline(__always)
  func close(_ step: Step, animated: Bool, _ waiter: TransitionWaiter?) {
    var former: State?
    swap(&former, &left)
    step.close(former, animated: animated, waiter)
  }

  // MARK: Both ends of a transition apart from each other

  /// Begins the transition of an appearance.
  @inline(never)
  func enterAppearing(_ step: Step) -> [any ChildController] {
    enter(stateToAppearIn, step)
  }

  /// Ends the open transition.
  @inline(never)
  func closeOpen(_ step: Step, animated: Bool, _ waiter: TransitionWaiter?) {
    close(step, animated: animated, waiter)
  }
}

extension StateContainer: AnimationOwner {
  /// Submits the end of a child's animation. If a step is being carried out, that step handles it.
  package func animationDidEnd(of child: MovingChild) {
    parts.queue.submit(ended: child)
    if !parts.queue.isStepping { carryOutWaiting() }
  }
}
