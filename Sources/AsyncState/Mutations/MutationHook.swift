// SPDX-License-Identifier: MIT
// The connection from a mutation to a journal. Mutations use this protocol, and do not depend on the journal.

/// An event of a performed input.
package enum MutationEvent {
  case performed
  /// It has its turn, and waits for its delay.
  case delayed
  /// It waits at its gate until fewer requests run.
  case queued
  /// It waits for its gate to open.
  case waits
  /// The operation is called.
  case sent
  /// The operation has reported how far it is, in 0...1; nil: unknown.
  case progressed(Double?)
  /// An attempt has failed, and another one follows.
  case retries(failures: Int, any Error)
  case succeeded
  case failed(any Error)
  case cancelled
  case superseded

  init<Output>(_ outcome: AsyncOutcome<Output>) {
    self =
      switch outcome {
      case .success, .notRequested: .succeeded
      case .failure(let error): .failed(error)
      case .cancelled: .cancelled
      case .superseded: .superseded
      }
  }
}

/// Is notified of each event of a mutation's inputs, on its actor. The mutation holds it.
package protocol MutationHook: AnyObject {
  /// Calls `body`, whose effects follow from the event of this input.
  func noting(_ event: MutationEvent, of input: ObjectIdentifier, _ body: () -> Void)
}
