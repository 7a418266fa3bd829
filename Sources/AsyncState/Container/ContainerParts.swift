// SPDX-License-Identifier: MIT
// The knowledge of a container besides its states.
//
// `queue` holds the appearance, whether a transition is open, and the work that waits. `surface` holds the children.
// `moving` holds one record for each child whose arrival or departure outlasts the step that began it: it is animated, or
// is added while the container itself appears. `open` holds what such a transition needs for its end.
//
// Guard. `queue.isStepping` is true while callbacks are called, so that whatever they request is queued: no step sees
// another half done. Each function changes the state first and calls out afterwards, and iterates over copies.
//
// Invariants, asserted in debug builds:
//   1. Between two steps, no transition is open unless `open` is set, and `open` is set only in an open transition.
//   2. With no open transition nothing moves, and the surface is exactly the children of the last state.
//   3. A child that gets `didDisappear` and `didDetach` on leaving is not on the surface (see `Step.leave`).

extension StateContainer {
  // Without methods: to be called, those of a generic structure look its type up.
  struct Parts {
    // In this order they take the least room.
    weak var delegate: (any StateContainerDelegate<State>)?
    /// Records what the container does; nil without a journal.
    var hook: (any ContainerHook<State>)?
    var queue = StepQueue()
    /// A transition has begun: there is a state.
    var hasEntered = false
    /// The number of transitions from one state to another that were animated. Views animate what changes with it.
    var animatedTransitions = 0
    let animatorTakesNoTime: Bool
    /// Whether a reappearance displays the children again, without a transition.
    let keepsState: Bool
    var surface = ChildSurface()
    var moving: [MovingChild] = []
    var open: OpenTransition?
    var tracking = Tracking<ContainerParts>()
    /// The host that has the container; nil if there is none.
    weak var owner: (any ContainerOwner)?
    /// The actor of the container, if its owner or an animated request has named it.
    weak var home: (any Actor)?
  }
}

/// What has a container for what it displays.
protocol ContainerOwner: AnyObject {
  /// The container is visible, or on its way there, or it is not any more. In the middle of a life-cycle call.
  func visibilityDidChange(to isShown: Bool)
}

/// A transition that outlasts the step that began it. It closes with its own flag.
struct OpenTransition {
  let waiter: TransitionWaiter?
  let animated: Bool
  /// The animations are being handed over one after another: it is too early for the end.
  var isHandingOver: Bool
}

/// The parts of a container that Observation tracks separately.
struct ContainerParts: OptionSet {
  let rawValue: UInt16

  static var state: Self { Self(rawValue: 1 << 0) }
  static var children: Self { Self(rawValue: 1 << 1) }
  static var isTransitioning: Self { Self(rawValue: 1 << 2) }
  static var appearance: Self { Self(rawValue: 1 << 3) }
  /// Whether there has been a transition to a state.
  static var hasState: Self { Self(rawValue: 1 << 4) }
}
