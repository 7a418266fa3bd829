// SPDX-License-Identifier: MIT
// The changes that are displayed before they are confirmed: the overlay of data, as a feature.

final class Changes<Value>: DataFeature {
  // The data holds this, and alone calls it.
  private unowned let data: AsyncData<Value>
  // Justified, here and below: no code of the user's runs during an access. Checks would cost a change a tenth of its instructions.
  // Noticed: every test of changes, because debug builds check.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  /// Empty if there is nothing to remember: the value is that of the data.
  fileprivate(set) var list = ChangeList()
  /// The number of changes that were made.
  private var count = 0
  /// The number of changes that have not ended, displayed or not.
  var openCount = 0
  /// The calls that wait for their commit.
  private(set) var calls: [Commit] = []
  /// The time of the last confirmation, in a family.
  var confirmedAt: Duration?
  // The last one, because its place depends on the type of the value.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  /// The value below the changes. Nil without any.
  fileprivate var base: Value?

  fileprivate init(_ data: AsyncData<Value>) { self.data = data }

  var place: FeaturePlace { .changes }
  var isBusy: Bool { !calls.isEmpty }

  func take(_ event: DataEvent, _ ends: DataEnds, of request: LoadRun?, _ record: DataRecord, in step: inout DataStep) {
    switch ends {
    // The value of an answer is put below first.
    case .nothing, .request(.answered): break
    case .request, .requests: list.requestDidEnd()
    case .everything:
      if !list.isEmpty { step.lose(dropAll()) }
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

  private func dropAll() -> any LostPart {
    for change in list.all { change.drop() }
    return DroppedChanges(Overlay(base: takeBase(), list: takeList()))
  }

  /// Begins a list of changes on the value of the data.
  fileprivate func begin(over data: AsyncData<Value>) {
    if !data.state.core.record.isOfFormerKey { base = data.latest }
    list = ChangeList(isOverValue: base != nil)
  }

  /// Removes all changes. No code of the user's runs in here: what is returned is released by the caller, as the value below is.
  fileprivate func takeList() -> ChangeList {
    let former = list
    list = ChangeList()
    return former
  }

  fileprivate func takeBase() -> Value? {
    var taken: Value?
    swap(&taken, &base)
    return taken
  }
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

  /// The value with its changes; nil: there are none.
  private var overlay: Overlay<Value>? {
    guard let changes = knownChanges, !changes.list.isEmpty else { return nil }
    return Overlay(base: changes.base, list: changes.list)
  }

  /// The changes that are not in an answer, above a value that would be one. No patch runs in here.
  func changes(above value: Value) -> Overlay<Value> {
    var list = knownChanges?.list ?? ChangeList()
    _ = list.receive(hasValue: true, isNewest: false)
    return Overlay(base: value, list: list)
  }

  var hasPatches: Bool { knownChanges?.list.isEmpty == false }

  /// True if a change is displayed and not decided, or waits or is being sent, even if it is not displayed.
  var hasOpenChanges: Bool { knownChanges.map { $0.openCount > 0 } == true }

  /// The numbers of the changes that are not decided.
  var undecidedChanges: [Int] {
    knownChanges?.list.all.filter { $0.state == .undecided }.map(\.number).sorted() ?? []
  }

  // MARK: Values. Patches run in here.

  /// The displayed value. After a change, it is computed when it is next read.
  @inlinable var displayed: Value? {
    bringDisplayUpToDate()
    return latest
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
    guard let changes = knownChanges, !changes.list.isEmpty else { return }
    var exchanged: Value?
    computing { exchanged = changes.list.displayed(over: changes.base, from: latest) }
    swap(&exchanged, &latest)
    changes.list.noteDisplayed()
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
    guard let changes = knownChanges, changes.list.foldableCount > 0 else { return }
    if changes.list.foldableCount < changes.list.all.count { return foldFirst(of: changes) }
    // The displayed value has all of them.
    bringDisplayUpToDate()
    let list = changes.takeList()
    _ = changes.takeBase()
    withExtendedLifetime(list) {}
  }

  private func foldFirst(of changes: Changes<Value>) {
    var exchanged = overlay.flatMap { overlay in computing { overlay.folded } }
    let removed = changes.list.fold()
    swap(&exchanged, &changes.base)
    withExtendedLifetime((exchanged, removed)) {}
  }

  // MARK: Events

  /// True if there is a value to change.
  var hasBase: Bool {
    if let changes = knownChanges, !changes.list.isEmpty { return changes.list.isOverValue }
    return !state.core.record.isOfFormerKey && latest != nil
  }

  /// Changes the list of changes, which is displayed when it is next read. No patch runs in here.
  func editChanges(_ edit: (inout ChangeList) -> Void) {
    let changes = changes
    if changes.list.isEmpty { changes.begin(over: self) }
    edit(&changes.list)
    state.core.isDisplayOutdated = changes.list.isDisplayOutdated
  }

  /// Delivers an event that changes the list of changes.
  func deliver(_ step: consuming DataStep, editing edit: (inout ChangeList) -> Void) {
    editChanges(edit)
    // Without changes the value below is the displayed one.
    if changes.list.isEmpty { deliverSettled(step) } else { deliver(step) }
  }

  @inline(never)
  private func deliverSettled(_ step: consuming DataStep) { deliver(step, exchanging: changes.takeBase()) }

  /// Delivers an event that puts a value below the changes.
  func deliver(_ step: consuming DataStep, puttingBelow value: Value?, by event: DataEvent) {
    guard let changes = knownChanges, !changes.list.isEmpty else { return deliver(step, exchanging: value) }
    let isNewest = if case .elementArrived = event { true } else { false }
    let removed = changes.list.receive(hasValue: value != nil, isNewest: isNewest)
    var former = changes.list.isEmpty ? nil : value
    swap(&former, &changes.base)
    if !context.isRequesting { changes.list.requestDidEnd() }
    state.core.isDisplayOutdated = changes.list.isDisplayOutdated
    deliver(step, exchanging: value)
    withExtendedLifetime((former, removed)) {}
  }
}
