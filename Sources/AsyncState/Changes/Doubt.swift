// SPDX-License-Identifier: MIT
// Whether it is known that a value contains a change. Nothing else decides that.

/// How a change has ended.
enum ChangeEnd<Value> {
  /// - Parameter patch: What the answer makes of it; nil: it is what is displayed.
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

/// The same without the values, which do not decide about doubt: to look up the metadata of a generic type takes longer than
/// to decide.
enum ChangeEndKind {
  case confirmed
  case replaced
  case removed
}

extension AsyncData {
  /// It is not known whether the value contains a change that has ended. One that was never sent is in no value.
  func isInDoubt(_ commit: Commit, _ end: ChangeEndKind) -> Bool {
    guard let sentAt = commit.sentAt else { return false }
    guard !commit.isDropped else { return true }
    switch end {
    case .removed: return true
    // Without a value there was nothing to change: what is loaded, or found in a store, may be from before. An update that was
    // made before it was sent may have written over it.
    case .confirmed:
      return sentAt.writes != mark.writes || displayed == nil
        || storedPatches?.patches.order.hasUpdate(above: commit) == true
    case .replaced: return sentAt != mark
    }
  }

  /// What the value is now, for a change that is sent.
  var mark: ValueMark {
    ValueMark(writes: state.core.record.writes, confirmations: state.core.record.confirmations)
  }

  /// Nothing is displayed of it, and nothing is written. Where nothing is known, what is stored is in doubt; what is loaded
  /// after this contains it.
  func settleDropped(_ commit: Commit, _ end: ChangeEndKind) {
    if commit.sentAt != nil { noteEnded(commit, as: nil) }
    if isInDoubt(commit, end) { doubt(by: .patchDoubted(number: commit.number)) }
  }

  /// Something is true of the value that it perhaps does not contain.
  func doubt(by event: DataEvent) {
    if context.isSettled || context.isRunning { apply(event) }
    doubtStored()
  }

  /// What is stored is in doubt where nothing is known here that would be stored in its place: nothing, a seed, or a part.
  func doubtStored() {
    if !state.core.record.isConfirmed { features.source?.doubtStored() }
  }

  /// A change that was sent, or is true already, has ended. A page that is being requested was perhaps made before it.
  ///
  /// - Parameter patch: Looked up only while a page is requested. Nil: it is not known any more which rows it concerns.
  func noteEnded(_ commit: Commit, as patch: @autoclosure () -> ((inout Value) -> Void)?) {
    if isPageRequested { changes.noteSincePage(commit, patch()) }
  }

  /// What has ended is in each page that is requested from now on.
  func forgetEnded() {
    guard !isPageRequested, let changes = knownChanges else { return }
    withExtendedLifetime(changes.takeSincePage()) {}
  }

  private var isPageRequested: Bool { state.core.order[.next] != nil || state.core.order[.previous] != nil }

  /// A page has arrived. It is in doubt if a change of its rows was confirmed since it was requested, or perhaps done.
  ///
  /// - Parameter isOfAll: It is made of all rows.
  func doubt(_ page: Value, isOfAll: Bool) {
    let doubted = knownChanges?.sincePage.first { _, patch in
      guard !isOfAll, let patch else { return true }
      var changed = page
      patch(&changed)
      return !isEqual(page, changed)
    }
    if let doubted { doubt(by: .patchDoubted(number: doubted.number)) }
  }

  /// The undecided changes that leave a page as it is: they are of other rows, so the page is nothing to doubt them for. What is
  /// confirmed is below them from now on: none does where that is seen.
  func commits(leaving page: Value, in patches: Patches<Value>) -> [Commit] {
    if patches.order.hasConfirmed {
      var folded = patches
      folded.replaceConfirmed(with: patches.confirmedValue)
      if !isEqual(folded.value, patches.value) { return [] }
    }
    return patches.order.undecided.filter { entry in
      var changed = page
      patches.patch(of: entry)(&changed)
      return isEqual(page, changed)
    }.map(\.commit)
  }
}
