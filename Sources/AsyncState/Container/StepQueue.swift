// SPDX-License-Identifier: MIT
// The next step of a container. The queue decides; the container carries out the step that it returns.

/// The work of a container, one step at a time.
///
/// Requests of callbacks during a step wait here until the step is over, so that nothing recurses and no step runs
/// inside another. There are three kinds of work, and this is their order:
///
/// 1. ends of animations, in the order in which they were reported;
/// 2. the one pending request, if no transition is open and the container neither appears nor disappears;
/// 3. life-cycle calls, in the order in which they were made.
///
/// A request that was made after a life-cycle call does not overtake it. A later request always replaces the pending one.
struct StepQueue {
  struct Request {
    let waiter: TransitionWaiter?
    let animated: Bool
  }

  enum Work {
    case transition(Request)
    case lifecycle(LifecycleCall, animated: Bool)
    case endAnimation(MovingChild)

    var waited: WaitingStep {
      switch self {
      case .transition: .request
      case .lifecycle: .call
      case .endAnimation: .endOfAnimation
      }
    }
  }

  // In this order they take the least room.
  /// The pending request, and the number of waiting life-cycle calls that were made before it.
  private var pending: (request: Request, callsBefore: Int32)?
  private var calls = WaitingLine<(call: LifecycleCall, animated: Bool)>()
  private var ended = WaitingLine<MovingChild>()
  /// Set by the container; the next property, too.
  var appearance = Appearance.gone
  /// A "will transition" was sent; its "did" is still to come.
  var isTransitioning = false
  private(set) var isStepping = false

  /// True if a request need not wait: no step is being carried out, and nothing is in its way.
  var mayBeginAtOnce: Bool { !isStepping && mayTransition }

  private var mayTransition: Bool {
    !isTransitioning && (appearance == .visible || appearance == .gone)
  }

  // MARK: Input

  /// - Returns: The request that is superseded.
  mutating func submit(_ request: Request) -> Request? {
    let former = pending?.request
    pending = (request, Int32(clamping: calls.count))
    return former
  }

  mutating func submit(_ call: LifecycleCall, animated: Bool) {
    calls.append((call, animated))
  }

  mutating func submit(ended child: MovingChild) {
    ended.append(child)
  }

  var pendingWaiter: TransitionWaiter? { pending?.request.waiter }

  /// - Returns: True if the pending request was this waiter's, and does not wait any more.
  mutating func withdraw(_ waiter: TransitionWaiter) -> Bool {
    guard pending?.request.waiter === waiter else { return false }
    pending = nil
    return true
  }

  // MARK: Steps

  /// Begins the next step, if the last one is over and there is one. The caller calls `finishStep()` after it.
  mutating func beginStep() -> Work? {
    guard !isStepping, let work = takeWork() else { return nil }
    isStepping = true
    return work
  }

  /// Begins a step for a request or a life-cycle call that need not wait.
  mutating func beginAtOnce() {
    assert(!isStepping && ended.isEmpty, "a step overtakes work that waits")
    isStepping = true
  }

  /// True if a life-cycle call need not wait.
  var mayCallAtOnce: Bool { !isStepping && calls.isEmpty && ended.isEmpty }

  /// True if work waits, even if it may not begin now.
  var hasWork: Bool { pending != nil || !calls.isEmpty || !ended.isEmpty }

  mutating func finishStep() {
    assert(isStepping, "a step ends that did not begin")
    isStepping = false
  }

  /// The animation whose end is next. Animations that end while others are handed over end before the rest begins.
  mutating func takeEnded() -> MovingChild? {
    ended.takeFirst()
  }

  private mutating func takeWork() -> Work? {
    if let child = takeEnded() { return .endAnimation(child) }
    if let (request, callsBefore) = pending, callsBefore == 0, mayTransition {
      pending = nil
      return .transition(request)
    }
    guard let (call, animated) = calls.takeFirst() else { return nil }
    if let callsBefore = pending?.callsBefore, callsBefore > 0 { pending?.callsBefore = callsBefore - 1 }
    return .lifecycle(call, animated: animated)
  }
}

extension Appearance {
  /// True if it is visible or appearing.
  var isShown: Bool {
    switch self {
    case .appearing, .visible: true
    case .gone, .disappearing: false
    }
  }
}

/// The calls that a container receives from its owner.
enum LifecycleCall: CaseIterable {
  case willAppear
  case didAppear
  case willDisappear
  case didDisappear

  /// The appearance that the call leads to from `appearance`; nil if it repeats or skips another call.
  func appearance(after appearance: Appearance) -> Appearance? {
    switch (self, appearance) {
    case (.willAppear, .gone), (.willAppear, .disappearing): .appearing
    case (.didAppear, .appearing): .visible
    case (.willDisappear, .visible), (.willDisappear, .appearing): .disappearing
    case (.didDisappear, .disappearing): .gone
    case (.willAppear, .appearing), (.willAppear, .visible), (.didAppear, .gone), (.didAppear, .visible),
      (.didAppear, .disappearing), (.willDisappear, .gone), (.willDisappear, .disappearing), (.didDisappear, .gone),
      (.didDisappear, .appearing), (.didDisappear, .visible):
      nil
    }
  }
}

/// A life-cycle call that repeats another or skips one.
struct LifecycleMisuse: Equatable, CustomStringConvertible {
  let call: LifecycleCall
  let appearance: Appearance

  var description: String {
    let expected = LifecycleCall.allCases.filter { $0.appearance(after: appearance) != nil }
    return """
      AsyncState: \(call) was called on a StateContainer that is \(appearance); expected \
      \(expected.map { "\($0)" }.joined(separator: " or ")). The call is ignored, because going on would give \
      children a "did" without its "will". Make the four life-cycle calls in turn, as the view that shows the container \
      gets them.
      """
  }
}
