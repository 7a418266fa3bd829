// SPDX-License-Identifier: MIT
// The one rule that decides whether a value is known to contain a change.

/// The end of a change.
enum ChangeEnd<Value> {
  /// - Parameter patch: The patch that the answer makes of it; nil: the displayed one.
  case confirmed(((inout Value) -> Void)?)
  /// The answer is the value.
  case replaced(Value?)
  /// It has failed, was given up, or was never sent.
  case removed

  var kind: ChangeEndKind {
    switch self {
    case .confirmed: .confirmed
    case .replaced: .replaced
    case .removed: .removed
    }
  }
}

/// The same without the values, which are not needed here: to look up the metadata of a generic type takes longer than to
/// decide.
enum ChangeEndKind {
  case confirmed
  case replaced
  case removed
}

extension AsyncData {
  /// True if it is not known whether the value contains a change that has ended. One that was never sent is in no value.
  func isInDoubt(_ commit: Commit, _ end: ChangeEndKind) -> Bool {
    guard let sentAt = commit.sentAt else { return false }
    guard !commit.isDropped else { return true }
    switch end {
    case .removed: return true
    // Without a value there was nothing to change: a value that is loaded, or found in a store, may be from before. An update
    // that was made before the change was sent may have written over it.
    case .confirmed:
      return sentAt.writes != mark.writes || displayed == nil
        || storedPatches?.patches.order.hasUpdate(above: commit) == true
    case .replaced: return sentAt != mark
    }
  }

  /// The present mark of the value, for a change that is sent.
  var mark: ValueMark {
    ValueMark(writes: state.core.record.writes, confirmations: state.core.record.confirmations)
  }

  /// Ends a change that is not displayed, without writing. If the data has no value, the stored one is in doubt; a value that
  /// is loaded after this contains the change.
  func settleDropped(_ commit: Commit, _ end: ChangeEndKind) {
    if isInDoubt(commit, end) { doubt(by: .patchDoubted(number: commit.number)) }
  }

  /// Notes that a change was made after all, although it had been given up: a value that has arrived since its end may be from
  /// before.
  func noteMade(_ commit: Commit) {
    noteConfirmation()
    RunningOperation.outside { doubt(by: .patchDoubted(number: commit.number)) }
  }

  /// Marks a value that perhaps does not contain a change.
  func doubt(by event: DataEvent) {
    if context.isSettled || context.isRunning { apply(event) }
    doubtStored()
  }

  /// Marks the stored value if no confirmed value would be stored in its place: the data has no value, a seed, or a part.
  func doubtStored() {
    if !state.core.record.isConfirmed { features.source?.doubtStored() }
  }
}
