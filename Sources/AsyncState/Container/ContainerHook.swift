// How a journal records what a container does. Containers and hosts know this class, and nothing of the journal.

/// Is notified of what a container does, on its actor. The container holds it.
class ContainerHook {
  /// Calls `body`, which carries out a step and records what the step has for the delegate.
  func carryOut(_ body: () -> Void) { preconditionFailure("ContainerProbe overrides this.") }

  /// The step has something for the delegate, which is notified next.
  func willNotify(of event: ContainerEvent) { preconditionFailure("ContainerProbe overrides this.") }

  /// A request or a life-cycle call has to wait for its turn.
  func willWait(_ step: WaitingStep) { preconditionFailure("ContainerProbe overrides this.") }

  /// The step that begins has waited.
  func didWait(_ step: WaitingStep) { preconditionFailure("ContainerProbe overrides this.") }

  /// The host has determined another status, or the same one with another value or error.
  func statusDidChange(to kind: StatusKind) { preconditionFailure("ContainerProbe overrides this.") }
}

/// What may wait for its turn in a container.
enum WaitingStep {
  case request
  case call
}

extension ContainerHook {
  func didWait(_ step: StepQueue.Step) {
    switch step {
    case .transition: didWait(.request)
    case .lifecycle, .ignore: didWait(.call)
    case .endAnimation: break
    }
  }
}
