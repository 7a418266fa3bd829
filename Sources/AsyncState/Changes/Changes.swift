// SPDX-License-Identifier: MIT
// The changes that are displayed before they are confirmed: the overlay of data, as a feature.

final class Changes<Value>: DataFeature {
  // The data holds this, and alone calls it.
  private unowned let data: AsyncData<Value>
  /// Nil if there is nothing to remember: the value is that of the data.
  fileprivate(set) var overlay: Overlay<Value>?
  /// The number of changes that were made.
  private var count = 0
  /// The number of changes that have not ended, displayed or not.
  var openCount = 0
  /// The calls that wait for their commit.
  private(set) var calls: [Commit] = []
  /// The time of the last confirmation, in a family.
  var confirmedAt: Duration?

  fileprivate init(_ data: AsyncData<Value>) { self.data = data }

  var place: FeaturePlace { .changes }
  var isBusy: Bool { !calls.isEmpty }

  func take(_ event: DataEvent, _ ends: DataEnds, of request: LoadRun?, _ record: DataRecord, in step: inout DataStep) {
    switch ends {
    // The value of an answer is put below first.
    case .nothing, .request(.answered): break
    case .request: if !record.context.isRequesting { overlay?.requestDidEnd() }
    case .requests: overlay?.requestDidEnd()
    case .everything:
      if let overlay = overlay.take() {
        for change in overlay.changes { change.drop() }
        step.lose(DroppedChanges(overlay))
      }
      // A value that is written by hand does not end the commits. A log-out does.
      if case .set = event { return }
      if !calls.isEmpty { step.lose(SupersededCalls(calls)) }
    }
  }

  func didNotify() { data.foldChanges() }

  func make(_ patch: @escaping Change<Value>.Patch) -> Change<Value> {
    count += 1
    return Change(number: count, patch)
  }

  func begin(_ call: Commit) { calls.append(call) }

  func end(_ call: Commit) { calls.removeAll { $0 === call } }

  /// Changes the overlay. No code of the user's runs in here: what is returned is released by the caller.
  fileprivate func edit<Result>(over value: Value?, _ body: (inout Overlay<Value>) -> Result) -> Result {
    if overlay == nil { overlay = Overlay(base: value) }
    return body(&overlay!)
  }

  fileprivate func takeOverlay() -> Overlay<Value>? { overlay.take() }
}

/// Changes that are not displayed any more. Their patches may hold objects of the user's.
private final class DroppedChanges<Value>: LostPart {
  private let overlay: Overlay<Value>

  init(_ overlay: Overlay<Value>) {
    self.overlay = overlay
  }

  func finish() {}
}

/// Commits that are superseded: waiting ones never run, and running ones write nothing.
private final class SupersededCalls: LostPart {
  private let calls: [Commit]

  init(_ calls: [Commit]) {
    self.calls = calls
  }

  func finish() { for call in calls { call.supersede() } }
}

extension AsyncData {
  /// The changes; nil until one is made.
  var knownChanges: Changes<Value>? { state.core.features.feature(at: .changes) }

  /// The changes, made when first needed.
  var changes: Changes<Value> {
    if let changes = knownChanges { return changes }
    let changes = Changes(self)
    state.core.features.set(changes)
    return changes
  }

  var overlay: Overlay<Value>? { knownChanges?.overlay }

  /// The changes that are not in an answer, above a value that would be one. No patch runs in here.
  func changes(above value: Value) -> Overlay<Value> {
    var overlay = overlay ?? Overlay(base: value)
    _ = overlay.receive(value, isNewest: false)
    return overlay
  }

  var hasPatches: Bool { overlay != nil }

  /// True if a change is displayed and not decided, or waits or is being sent, even if it is not displayed.
  var hasOpenChanges: Bool { knownChanges.map { $0.openCount > 0 } == true }

  /// The numbers of the changes that are not decided.
  var undecidedChanges: [Int] { overlay?.changes.filter { $0.state == .undecided }.map(\.number).sorted() ?? [] }

  // MARK: Values. Patches run in here.

  /// The displayed value. After a change, it is computed when it is next read.
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
    // First, because a patch that reads the data must read the previous value.
    state.core.isDisplayOutdated = false
    guard let changes = knownChanges, let overlay = changes.overlay else { return }
    var exchanged = computing { overlay.displayed(from: state.value) }
    swap(&exchanged, &state.value)
    changes.overlay?.noteDisplayed()
  }

  /// The value that the running request may return as "not modified". The value of a previous key is none.
  var knownValue: Value? {
    if let overlay { computing { overlay.known } } else { valueOfKey }
  }

  /// The value without changes that are not decided.
  var valueBelowChanges: Value? {
    if let overlay { computing { overlay.decided } } else { valueOfKey }
  }

  /// Makes decided changes a part of the value below. No value that can be read changes.
  fileprivate func foldChanges() {
    guard let changes = knownChanges, let count = changes.overlay?.foldableCount, count > 0 else { return }
    if count == changes.overlay?.changes.count {
      // The displayed value has all of them.
      bringDisplayUpToDate()
      return withExtendedLifetime(changes.takeOverlay()) {}
    }
    let folded = overlay.flatMap { overlay in computing { overlay.folded } }
    withExtendedLifetime(changes.overlay?.fold(into: folded)) {}
  }

  // MARK: Events

  /// True if there is a value to change.
  var hasBase: Bool {
    if let overlay { overlay.base != nil } else { !state.core.record.isOfFormerKey && state.value != nil }
  }

  /// Delivers an event that changes the overlay. No patch runs in here: the displayed value is computed when it is next read.
  ///
  /// - Parameter edit: Returns what it has removed, to be released when everything is delivered.
  func deliver<Removed>(_ step: consuming DataStep, editing edit: (inout Overlay<Value>) -> Removed) {
    let removed = editOverlay(edit)
    if let base = takeSettledBase() { deliver(step, exchanging: base) } else { deliver(step) }
    withExtendedLifetime(removed) {}
  }

  /// Changes the overlay, which is displayed with the next event.
  func editOverlay<Removed>(_ edit: (inout Overlay<Value>) -> Removed) -> Removed {
    let changes = changes
    let removed = changes.edit(over: state.core.record.isOfFormerKey ? nil : state.value, edit)
    state.core.isDisplayOutdated = changes.overlay?.isDisplayOutdated == true
    return removed
  }

  /// Removes an overlay without changes.
  ///
  /// - Returns: The value below; nil if there are changes, or no value.
  private func takeSettledBase() -> Value? {
    knownChanges?.overlay?.changes.isEmpty == true ? knownChanges?.takeOverlay()?.base : nil
  }

  /// Delivers an event that puts a value below the changes.
  func deliver(_ step: consuming DataStep, puttingBelow value: Value?, by event: DataEvent) {
    guard hasPatches else { return deliver(step, exchanging: value) }
    let isRequesting = context.isRequesting
    let removed = editOverlay { overlay in
      let isNewest = if case .elementArrived = event { true } else { false }
      let removed = overlay.receive(value, isNewest: isNewest)
      if !isRequesting { overlay.requestDidEnd() }
      return removed
    }
    _ = takeSettledBase()
    deliver(step, exchanging: value)
    withExtendedLifetime(removed) {}
  }
}
