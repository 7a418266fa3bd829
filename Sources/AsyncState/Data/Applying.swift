// SPDX-License-Identifier: MIT
// The only way in which data changes: an event happens, and is delivered.
//
// - `begin` takes the step: record, requests and features. Nothing of the user's runs in there.
// - Then a value is exchanged, if one is written. This is written out, because the client's compiler specialises it.
// - `deliver` ends the requests that the event took out, and notifies: Observation first.
//
// So what was decided about an event stays decided: no code of the user's is called between the two.

extension AsyncData {
  /// Applies an event that leaves the value as it is. Without effect if the request has ended.
  func apply(_ event: DataEvent, for request: LoadRun? = nil) {
    if let step = begin(event, for: request) { deliver(step) }
  }

  /// Applies an event that writes the value.
  func apply(_ event: DataEvent, writing value: Value?) {
    deliver(begin(event, hasValue: value != nil), exchanging: value)
  }

  /// Delivers an event that writes the value. The replaced value is released when everything is delivered, because it may be an
  /// object of the user's.
  func deliver(_ step: consuming DataStep, exchanging value: Value?) {
    var exchanged = value
    swap(&exchanged, &latest)
    deliver(step)
    withExtendedLifetime(exchanged) {}
  }

  // MARK: Events

  /// Begins an event: the data changes, except for the value. No code of the user's runs in here.
  ///
  /// - Parameter hasValue: True if there is a value from now on; nil if the value is not written.
  /// - Returns: The step, to be delivered.
  @inline(__always)
  func begin(_ event: DataEvent, hasValue: Bool? = nil) -> DataStep {
    state.core.change(event, event.ends, for: nil, hasValue: hasValue)
  }

  /// The same for an event that is about a request, or begins with it.
  ///
  /// - Returns: Nil if the request has ended, and nothing has changed.
  func begin(_ event: DataEvent, for request: LoadRun?, hasValue: Bool? = nil) -> DataStep? {
    if let request, !request.isCurrent { return nil }
    return state.core.change(event, event.ends, for: request, hasValue: hasValue)
  }

  // MARK: Delivering

  /// Ends the requests that the event took out, and notifies; or, during another notification, leaves that to its loop.
  @usableFromInline
  func deliver(_ step: consuming DataStep) {
    state.stageSource?(self)
    if let round = state.extras?.earlyRound { return deliver(step, in: round) }
    deliverStaged(step)
  }

  /// Calls `body`, whose changes are visible to readers at once, and are delivered by the round.
  func changing(in round: EarlyRound, _ body: () -> Void) {
    let extras = requiredExtras
    let former = extras.earlyRound
    extras.earlyRound = round
    body()
    extras.earlyRound = former
  }

  /// The same for a change that early observers make. First the early observers that it leads to are called.
  @inline(never)
  private func deliver(_ step: consuming DataStep, in round: EarlyRound) {
    state.core.noteStep(-1)
    let (delivery, isFirst) = finish(step)
    round.call { [self] round in
      notifying(of: delivery) {
        var round: EarlyRound? = round
        state.source?.callEarlyObservers(in: &round)
      }
    }
    if isFirst { round.deliver { [self] in deliverAll(from: delivery) } }
    _ = consume step
  }

  /// The same after the source of `observed` has the new state, which is then the one that its readers see.
  @inline(__always)
  func deliverStaged(_ step: consuming DataStep) {
    state.core.noteStep(-1)
    let (delivery, isFirst) = finish(step)
    if isFirst { deliverAll(from: delivery) } else { followStaged() }
    // Former contents of the record, and requests that were taken out, are released last: they may be the user's.
    _ = consume step
  }

  /// Ends the requests that the event took out.
  ///
  /// - Returns: The change to deliver, and true if no other delivery is in progress that would deliver it.
  @inline(__always)
  private func finish(_ step: borrowing DataStep) -> (delivery: DataCore.Delivery, isFirst: Bool) {
    let delivery = DataCore.Delivery(isForced: step.isForced, caller: step.caller, number: step.number)
    let isFirst = state.core.begin(delivery)
    state.core.settlingCount += 1
    step.finish()
    if !state.core.features.isEmpty { features.didBecomeConsistent() }
    state.core.settlingCount -= 1
    return (delivery, isFirst)
  }

  /// Delivers a change, and then the changes that were made during the delivery.
  @inline(__always)
  private func deliverAll(from first: DataCore.Delivery) {
    notify(of: first)
    while let delivery = state.core.takePending() { notify(of: delivery) }
    if state.core.hasNewObservers { state.core.removeReleasedObservers() }
    if !state.core.features.isEmpty { features.didNotify() }
    resumeIfSettled()
  }

  private func notify(of delivery: DataCore.Delivery) {
    notifying(of: delivery) { notify(forced: delivery.isForced) }
  }

  /// Calls `body`, whose effects follow from the change.
  private func notifying(of delivery: DataCore.Delivery, _ body: () -> Void) {
    if let caller = delivery.caller { caller.notifying(of: delivery.number, body) } else { body() }
  }

  /// Notifies what must not wait for the delivery in progress: early observers, and readers, which then see the change in the
  /// transaction of the one who has made it. Within a change that is not consistent readers wait.
  private func followStaged() {
    if state.core.hasChangedParts, state.core.settlingCount == 0 {
      reportChangedParts()
    } else {
      state.source?.callEarlyObservers()
    }
  }

  /// Notifies Observation, after everything that follows the data has followed it: a reader sees no data of a previous key.
  @inline(never)
  private func reportChangedParts() {
    state.source?.callEarlyObservers()
    let (changed, tracking) = (state.core.takeChangedParts(), state.core.tracking)
    tracking.report(changed)
  }

  /// Notifies Observation, then the observers of ``observed``, then the hosts, then the delegate.
  private func notify(forced isForced: Bool) {
    if state.core.hasChangedParts { reportChangedParts() }
    state.source?.deliverNext()
    for place in 0..<state.core.observerCount { state.core.observer(at: place)?.dataDidChange(forced: isForced) }
    state.delegate?.asyncDataDidChange(self, forced: isForced)
  }
}

// MARK: - For hosts

extension AsyncData {
  /// Notifies `observer` of each change that is made from now on. It is held weakly, and may be released on any thread.
  func addObserver(_ observer: any AsyncDataObserver) {
    state.core.addObserver(observer)
  }

  /// Ends the notifications of `observer`, even of a change that is being delivered.
  func removeObserver(_ observer: any AsyncDataObserver) {
    state.core.removeObserver(observer)
  }

  /// The action of a reload control: the first host reloads.
  ///
  /// - Returns: True if there was one.
  @discardableResult
  func requestReload() -> Bool {
    for place in 0..<state.core.observerCount where state.core.observer(at: place)?.reloadRequested() == true {
      return true
    }
    return false
  }

  /// The snapshot, for the library: Observation does not track this read.
  var facts: AsyncSnapshot<Value> { AsyncSnapshot(context, displayed) }

  /// The value, unless it is that of a previous key.
  var valueOfKey: Value? { state.core.record.isOfFormerKey ? nil : displayed }

  /// The numbers of writes of value and error: hosts compare them with what they display.
  var revision: DataRevision { state.core.record.revision }

  /// Everything of the snapshot but the value.
  @usableFromInline var context: SnapshotContext { state.core.record.context }

  /// Notes a read of the value for Observation.
  @usableFromInline
  func noteValueRead() {
    state.core.noteRead(.value)
  }

  @usableFromInline var seed: Value? { state.extras?.seed }

  /// The features of the data. A copy, because a feature may change the data when it is called.
  var features: DataFeatures { state.core.features }

  /// True if there is neither a value nor an error, apart from a seed, no request runs, and none follows by itself.
  var isWithoutRequestAndAnswer: Bool {
    !context.isSettled && !context.isRunning && state.core.order.isEmpty && !isRequestComing
  }

  /// True if a request follows by itself: at the end of a delay, or of the notification of a key's change.
  var isRequestComing: Bool { context.awaitsRequest || features.isRequestComing }
}
