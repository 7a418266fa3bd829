// SPDX-License-Identifier: MIT
import AsyncState

/// Records what becomes of a mutation's inputs.
final class MutationProbe: JournalProbe, MutationHook {
  func noting(_ event: MutationEvent, of input: ObjectIdentifier, _ body: () -> Void) {
    guard let journal else { return body() }
    let (entry, error) = Self.entry(of: event)
    let number =
      switch entry.role {
      case .begins: journal.record(entry, of: name)
      case .ends, .reports, .other:
        journal.record(
          entry, of: name, ends: entry.role == .ends(.input) ? opened.inputs[input] ?? 0 : 0,
          origin: opened.inputs[input] ?? 0, error: error)
      }
    switch entry.role {
    case .begins: opened.inputs[input] = number
    case .ends: opened.inputs[input] = nil
    case .reports, .other: break
    }
    journal.notifying(of: number, body)
  }

  private static func entry(of event: MutationEvent) -> (event: StateJournal.Event, error: (any Error)?) {
    switch event {
    case .performed: (.inputPerformed, nil)
    case .delayed: (.inputDelayed, nil)
    case .queued: (.inputQueued, nil)
    case .waits: (.inputWaits, nil)
    case .sent: (.inputSent, nil)
    case .progressed(let progress): (.inputProgressed(progress), nil)
    case .retries(let failures, let error): (.inputRetries(failures: failures, error: ""), error)
    case .succeeded: (.inputSucceeded, nil)
    case .failed(let error): (.inputFailed(""), error)
    case .cancelled: (.inputCancelled, nil)
    case .superseded: (.inputSuperseded, nil)
    }
  }
}
