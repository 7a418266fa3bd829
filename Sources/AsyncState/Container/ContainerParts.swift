// SPDX-License-Identifier: MIT
// The fields of a container besides its states.
//
// `queue` holds the appearance, the open transition's flag, and the waiting work. `surface` holds the children. `moving` holds
// one record for each child whose arrival or departure outlasts the step that began it: it is animated, or is added while the
// container itself appears. `open` holds the data for the end of such a transition.
//
// Guard. `queue.isStepping` is true while callbacks are called, so that their requests are queued: no step sees another half
// done. Each function changes the state first and calls out afterwards, and iterates over copies.
//
// Invariants, asserted in debug builds:
//   1. Between two steps, no transition is open unless `open` is set, and `open` is set only in an open transition.
//   2. With no open transition nothing moves, and the surface is exactly the children of the last state.
//   3. A child that receives `didDisappear` and `didDetach` on leaving is not on the surface (see `Step.leave`).

extension StateContainer {
  // Without methods: a call of a generic structure's method looks its type up.
  struct Parts {
    // In this order they take the least room.
    weak var delegate: (any StateContainerDelegate<State>)?
    /// Records the steps of the container; nil without a journal.
    var hook: (any ContainerHook<State>)?
    var queue = StepQueue()
    /// True after the first transition has begun: there is a state.
    var hasEntered = false
    /// The number of animated transitions from one state to another. Views animate the changes that depend on it.
    var animatedTransitions = 0
    let animatorTakesNoTime: Bool
    /// True if a reappearance displays the children again, without a transition.
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

/// An object that has a container to display its content.
protocol ContainerOwner: AnyObject {
  /// Called when the container has become visible or is appearing, or is not any more. During a life-cycle call.
  func visibilityDidChange(to isShown: Bool)
}

/// A transition that outlasts the step that began it. It closes with its own flag.
struct OpenTransition {
  let waiter: TransitionWaiter?
  let animated: Bool
  /// True while the animations are being handed over one after another: it is too early for the end.
  var isHandingOver: Bool
}

/// The parts of a container that Observation tracks separately.
struct ContainerParts: OptionSet {
  let rawValue: UInt16

  static var state: Self { Self(rawValue: 1 << 0) }
  static var children: Self { Self(rawValue: 1 << 1) }
  static var isTransitioning: Self { Self(rawValue: 1 << 2) }
  static var appearance: Self { Self(rawValue: 1 << 3) }
  /// True after a transition to a state.
  static var hasState: Self { Self(rawValue: 1 << 4) }
}
