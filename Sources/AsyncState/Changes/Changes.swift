// SPDX-License-Identifier: MIT
// The changes that are displayed before they are confirmed.
//
// Events change them, so they are a feature. They also transform each value that arrives from below, so code that brings a
// value calls `receive` (Arriving.swift), whether or not there are changes.

/// The undecided changes of data, and the commits that run or wait.
final class Changes<Value>: DataFeature {
  /// The patches; nil if all are decided.
  fileprivate(set) var stored: StoredPatches<Value>?
  /// The number of changes that were made.
  private var count = 0
  var lanes = Lanes<LoadID, Commit>()
  /// The commits that have not ended, by number. Some of them may not be displayed any more: a value that is written removes
  /// the displayed changes, and lets their commits continue.
  private var commits: [Int: Commit] = [:]
  /// The calls that wait for their commit.
  var callCount = 0
  /// The time of the last confirmation, in a family.
  var confirmedAt: Duration?

  var place: FeaturePlace { .changes }
  var isBusy: Bool { callCount > 0 }

  func take(_ event: DataEvent, _ ends: DataEnds, of request: LoadRun?, _ record: DataRecord, in step: inout DataStep) {
    switch ends {
    case .nothing: break
    case .request, .requests: if let former = forgetLoad() { step.lose(former) }
    case .everything:
      if let former = stored.take() {
        for entry in former.patches.order.undecided { entry.commit.drop() }
        step.lose(former)
      }
      // A value that is written by hand does not end the commits that wait. A log-out does.
      if case .set = event { return }
      let waiting = commits.values.filter { $0.ending == nil }
      if !waiting.isEmpty { step.lose(EndedCommits(waiting)) }
      switch event {
      // A commit that is being sent holds up none of the next user or key.
      case .keyChanged, .keyRemoved, .forgotten: lanes = Lanes()
      default: break
      }
    }
  }

  var hasCommits: Bool { !commits.isEmpty }

  /// Makes the commit of a change that is about to be displayed.
  func makeCommit() -> Commit {
    count += 1
    let commit = Commit(number: count)
    commits[count] = commit
    return commit
  }

  /// Removes a commit that has ended.
  func forget(_ commit: Commit) {
    commits[commit.number] = nil
  }

  /// Lets the patches forget a load that has ended.
  ///
  /// - Returns: The patches as they were, to be released after the event.
  private func forgetLoad() -> StoredPatches<Value>? {
    guard let stored, stored.patches.remembersLoad else { return nil }
    let former = StoredPatches(stored.patches)
    stored.patches.forgetLoad()
    dropSettled()
    return former
  }

  /// Notes that the operation of the running load has read the value that it can rely on.
  ///
  /// - Returns: The patches that are not applied to it again, to be released when nothing is being changed.
  func noteKnownIsRead() -> [Patches<Value>.Entry] {
    guard let stored else { return [] }
    return stored.patches.noteKnownIsRead()
  }

  func dropSettled() {
    if stored?.patches.isSettled == true { stored = nil }
  }

  /// Removes the patches, because all of them are part of the value.
  fileprivate func forgetPatches() {
    stored = nil
  }
}

/// The patches of data, in an object, so that they are changed in place.
final class StoredPatches<Value>: LostPart {
  // Justified: as for `AsyncData.state`. No patch runs and nothing is released while this is changed.
  var patches: Patches<Value>

  init(_ patches: Patches<Value>) {
    self.patches = patches
  }

  func finish() {}
}

/// Commits that are superseded: waiting ones never run, and running ones write nothing.
private final class EndedCommits: LostPart {
  private let commits: [Commit]

  init(_ commits: [Commit]) {
    self.commits = commits
  }

  func finish() { for commit in commits { commit.end(.superseded) } }
}

extension AsyncData {
  /// The changes; nil until one is made.
  var knownChanges: Changes<Value>? { state.core.features.feature(at: .changes) }

  /// The changes, made when first needed.
  var changes: Changes<Value> {
    if let changes = knownChanges { return changes }
    let changes = Changes<Value>()
    state.core.features.set(changes)
    return changes
  }

  var storedPatches: StoredPatches<Value>? { knownChanges?.stored }

  var hasPatches: Bool { storedPatches != nil }

  /// True if a change is displayed and not decided, or waits or is being sent, even if it is not displayed.
  var hasOpenChanges: Bool { knownChanges?.hasCommits == true }

  /// The numbers of the changes that are not decided.
  var undecidedChanges: [Int] { storedPatches?.patches.order.undecided.map(\.commit.number).sorted() ?? [] }

  /// The displayed value. After a change was removed, the others are applied again when this is next read.
  @inlinable var displayed: Value? {
    bringDisplayUpToDate()
    return state.value
  }

  // Apart from the value: unspecialised code would copy the value through the metadata of its type.
  @inlinable
  func bringDisplayUpToDate() {
    if state.core.isDisplayOutdated { renewDisplay() }
  }

  @usableFromInline
  func renewDisplay() {
    // First, because a patch that reads the data must read the former value.
    state.core.isDisplayOutdated = false
    var exchanged = editedPatches { $0.value }.result
    swap(&exchanged, &state.value)
  }

  /// The value without changes that are not confirmed.
  func confirmedValue(for load: Load<Value>) -> Value? {
    // The value of a former key is no value of this one.
    if state.core.record.isOfFormerKey { return nil }
    return hasPatches ? editedPatches { $0.valueForLoad }.result : state.value
  }

  /// The same for the operation of a load, which may return it.
  func knownValue(to load: Load<Value>) -> Value? {
    let value = confirmedValue(for: load)
    let contained = knownChanges?.noteKnownIsRead()
    withExtendedLifetime(contained) {}
    return value
  }

  /// The value without changes that are not decided.
  var valueBelowChanges: Value? { hasPatches ? editedPatches { $0.confirmedValue }.result : state.value }

  /// Runs patches: those that are stored, or a copy that `edit` changes.
  ///
  /// - Parameter edit: Changes the copy, and returns its result.
  /// - Returns: The copy, to store in the same step in which its result is used.
  func editedPatches<Result>(_ edit: (inout Patches<Value>) -> Result) -> (patches: Patches<Value>, result: Result) {
    var copy = storedPatches?.patches ?? Patches(base: valueOfKey)
    let result = computing { edit(&copy) }
    return (copy, result)
  }

  /// Makes confirmed changes without an undecided one before them a part of the base. No value that can be read changes.
  func foldPatches() {
    guard let changes = knownChanges, let stored = changes.stored, stored.patches.order.canFold else { return }
    fold(stored, of: changes)
    // What such a change displays is the list that pages extend from now on, and no event says so.
    if !state.core.isNotifying { pageWish?.didNotify() }
  }

  private func fold(_ stored: StoredPatches<Value>, of changes: Changes<Value>) {
    if stored.patches.isDecided, !state.core.isDisplayOutdated {
      // The displayed value has all of them, and no load needs them.
      changes.forgetPatches()
      // Released only now: patches hold objects of the user's.
      return withExtendedLifetime(stored) {}
    }
    let (base, next) = foldedPatches(changes)
    guard let stored = changes.stored else { return }
    let former = stored.patches.fold(into: base, before: next)
    changes.dropSettled()
    withExtendedLifetime(former) {}
  }

  private func foldedPatches(_ changes: Changes<Value>) -> (base: Value?, next: Int) {
    // Without an undecided change the displayed value has all of them.
    if changes.stored?.patches.order.hasUndecided == false {
      let value = valueOfKey
      if let order = changes.stored?.patches.order, !order.hasUndecided { return (value, order.end) }
    }
    return editedPatches { $0.folded }.result
  }

  /// The patches, to be changed in place during an event: no code of the user's runs.
  func patchesToChange() -> StoredPatches<Value> {
    let changes = changes
    let stored = changes.stored ?? StoredPatches(Patches(base: state.value))
    changes.stored = stored
    return stored
  }

  /// Delivers an event together with new patches.
  ///
  /// - Parameter value: The value that is displayed with them; nil: the value stays as it is.
  func deliver(_ step: consuming DataStep, storing patches: Patches<Value>, displaying value: Value??) {
    // The former patches are released when everything is delivered: they hold closures and values of the user's.
    var exchanged = patches.isSettled ? nil : StoredPatches(patches)
    if exchanged != nil || knownChanges != nil {
      swap(&exchanged, &changes.stored)
    }
    if let value {
      state.core.isDisplayOutdated = false
      deliver(step, exchanging: value)
    } else {
      deliver(step)
    }
    withExtendedLifetime(exchanged) {}
  }
}
