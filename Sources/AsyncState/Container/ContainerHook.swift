// SPDX-License-Identifier: MIT
// The way of transitions into a journal. Containers and hosts know this protocol, and nothing of the journal.

/// Is notified of what a container does, on its actor. The container holds it.
package protocol ContainerHook<State>: AnyObject {
  associatedtype State

  /// A request has to wait for its turn, in the place of one that has waited.
  func requestWillWait()
  /// A life-cycle call has to wait for its turn, behind others.
  func callWillWait()

  /// A step begins. What it calls until its end was led to by what is recorded of it.
  ///
  /// - Parameter waited: What has waited for its turn; nil for a step that has not waited.
  func stepWillBegin(after waited: WaitingStep?)
  func stepDidEnd()

  func appearanceDidChange(to appearance: Appearance)

  // The notifications of the delegate, just before they are made.
  func willTransition(to state: State, animated: Bool)
  func didTransition(from state: State?, animated: Bool)
  func childWillAppear(_ child: any ChildController)
  func childDidAppear(_ child: any ChildController)
  func childWillDisappear(_ child: any ChildController)
  func childDidDisappear(_ child: any ChildController)
  func didArrange(_ children: [any ChildController])

  /// The host has determined another status, or the same one with another value or error.
  func statusDidChange(to kind: String)

  /// Another journal records from now on.
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
  /// Who was notified of the step that is being carried out, and has to be notified of its end.
  package let hookOfStep: (any ContainerHook<State>)?
}

extension StateContainer {
  /// From now on this one is notified, in the place of another.
  package func attach(_ makeHook: (ContainerWork<State>) -> any ContainerHook<State>) {
    let former = parts.hook
    former?.retire()
    let isStepping = parts.queue.isStepping
    let work = ContainerWork(isTransitioning: parts.queue.isTransitioning, hookOfStep: isStepping ? former : nil)
    parts.hook = makeHook(work)
  }
}
