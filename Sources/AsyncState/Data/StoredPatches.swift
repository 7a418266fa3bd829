// SPDX-License-Identifier: MIT
// The patches of data: how they are stored, run, and changed together with the value.

/// Patches that data does not have any more, without the type of its value.
protocol FormerPatches: AnyObject {
  /// The value was set otherwise: running commits write nothing any more, and waiting ones never run.
  func supersede()
}

final class StoredPatches<Value>: FormerPatches {
  // Justified: as for `AsyncData.state`. No patch runs and nothing is released while this is changed.
  var patches: Patches<Value>

  init(_ patches: Patches<Value>) {
    self.patches = patches
  }

  func supersede() { patches.supersede() }
}

extension AsyncData {
  var hasPatches: Bool { state.extras?.patches != nil }

  /// The displayed value. After a change was removed, the others are applied again when this is next read.
  @inlinable var displayed: Value? {
    bringDisplayUpToDate()
    return state.value
  }

  // Apart from the value: code that is not specialised would copy that by way of its type.
  @inlinable
  func bringDisplayUpToDate() {
    if state.core.isDisplayOutdated { renewDisplay() }
  }

  @usableFromInline
  func renewDisplay() {
    // First, because a patch that reads the data reads what was there before.
    state.core.isDisplayOutdated = false
    var exchanged = editedPatches { $0.value }.result
    swap(&exchanged, &state.value)
  }

  /// Runs patches: those that are stored, or a copy that `edit` changes.
  ///
  /// - Parameter edit: Changes the copy, and says what follows from it.
  /// - Returns: The copy, to store in the same step as what follows from it.
  func editedPatches<Result>(_ edit: (inout Patches<Value>) -> Result) -> (patches: Patches<Value>, result: Result) {
    let extras = requiredExtras
    for _ in 0..<1_000 {
      let version = (extras.patchesVersion, revision)
      var copy = extras.patches?.patches ?? Patches(base: state.value)
      let result = edit(&copy)
      // A patch that wrote to the data has made the copy old.
      if version == (extras.patchesVersion, revision) { return (copy, result) }
    }
    fatalError(
      """
      AsyncState: a patch given to AsyncData.mutate changed the same data each time it was applied, so its result was \
      never current. A patch may only change the value that it is given: move the other change out of it.
      """)
  }

  /// Confirmed changes with nothing undecided before them become part of the base. Nothing that can be read changes.
  func foldPatches() {
    guard let extras = state.extras, extras.patches?.patches.canFold == true else { return }
    let (base, next) = foldedPatches(extras)
    guard let stored = extras.patches else { return }
    let former = stored.patches.fold(into: base, before: next)
    extras.patchesVersion += 1
    extras.dropSettledPatches()
    withExtendedLifetime(former) {}
  }

  private func foldedPatches(_ extras: Extras) -> (base: Value?, next: Int) {
    // Without an undecided change the displayed value has all of them.
    if extras.patches?.patches.hasUndecided == false {
      let value = displayed
      if let patches = extras.patches?.patches, !patches.hasUndecided { return (value, patches.end) }
    }
    return editedPatches { $0.folded }.result
  }

  /// The patches, to be changed in place, in the middle of an event: no code of the user's runs.
  func patchesToChange() -> StoredPatches<Value> {
    let extras = requiredExtras
    let stored = extras.patches ?? StoredPatches(Patches(base: state.value))
    extras.patches = stored
    extras.patchesVersion += 1
    return stored
  }

  /// Delivers an event that has brought other patches.
  ///
  /// - Parameter value: What is displayed with them; nil: the value stays as it is.
  func deliver(_ step: consuming DataStep, storing patches: Patches<Value>, displaying value: Value??) {
    // What it replaces is released when everything is delivered: patches hold closures and values of the user's.
    var exchanged = patches.isSettled ? nil : StoredPatches(patches)
    let extras = requiredExtras
    extras.patchesVersion += 1
    swap(&exchanged, &extras.patches)
    if let value {
      state.core.isDisplayOutdated = false
      deliver(step, exchanging: value)
    } else {
      deliver(step)
    }
    withExtendedLifetime(exchanged) {}
  }
}

extension AsyncData.Extras {
  func dropSettledPatches() {
    if patches?.patches.isSettled == true { patches = nil }
  }

  /// The undecided changes are superseded by a value, or by a reset.
  ///
  /// - Returns: The patches.
  func dropPatches() -> (any FormerPatches)? {
    patchesVersion += 1
    dropCount += 1
    // First without the type, which takes longer to look up than all else here.
    guard patches != nil else { return nil }
    return patches.take()
  }

  /// A load has ended, so patches need not remember it any more.
  ///
  /// - Returns: The patches as they were, to be released after the event.
  func forgetLoad() -> (any FormerPatches)? {
    guard patches != nil, let stored = patches, stored.patches.remembersLoad else { return nil }
    let former = StoredPatches(stored.patches)
    stored.patches.forgetLoad()
    patchesVersion += 1
    dropSettledPatches()
    return former
  }
}
