// SPDX-License-Identifier: MIT
// The connection from transitions to a journal. Containers and hosts use this protocol, and do not depend on the journal.

/// Is notified of the steps of a container, on its actor, as its delegate is, and just before it. The container holds it.
package protocol ContainerHook<State>: StateContainerDelegate {
  /// A request has to wait for its turn, in the place of the waiting one.
  func requestWillWait()
  /// A life-cycle call has to wait for its turn, behind others.
  func callWillWait()

  /// A step begins. Calls that it makes until its end are recorded as its effects.
  ///
  /// - Parameter waited: The kind of a step that has waited for its turn; nil for a step that has not waited.
  func stepWillBegin(after waited: WaitingStep?)
  func stepDidEnd()

  func appearanceDidChange(to appearance: Appearance)

  /// The host has determined another status, or the same one with another value or error.
  func statusDidChange(to kind: String)

  /// Called when another journal takes its place.
  func retire()
}

/// A step that has waited for its turn.
package enum WaitingStep {
  case request
  case call
  case endOfAnimation
}

/// The step of a container when a journal is attached to it.
package struct ContainerWork<State> {
  package let isTransitioning: Bool
  /// The hook that was notified of the running step, and must be notified of its end.
  package let hookOfStep: (any ContainerHook<State>)?
}

extension StateContainer {
  /// Attaches a hook in the place of another.
  package func attach(_ makeHook: (ContainerWork<State>) -> any ContainerHook<State>) {
    let former = parts.hook
    former?.retire()
    let isStepping = parts.queue.isStepping
    let work = ContainerWork(isTransitioning: parts.queue.isTransitioning, hookOfStep: isStepping ? former : nil)
    parts.hook = makeHook(work)
  }
}
