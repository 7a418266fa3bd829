// The one way in which data change, and how each change is delivered.

extension AsyncData {
  /// Writes the value, with whatever else belongs to the same change.
  ///
  /// - Parameter value: The value from now on. What it replaces is released when everything is delivered, because it
  ///   may be an object of the user's.
  func write(
    _ value: Value?, ending reach: DataCore.Reach = .nothing, as ending: LoadEnding = .ended(.superseded),
    by writer: LoadRun? = nil, forced isForced: Bool = false, alongside: () -> Void = {},
    _ apply: (inout DataRecord) -> Void
  ) {
    var exchanged = value
    change(
      ending: reach, as: ending, by: writer, forced: isForced, hasValue: value != nil,
      alongside: {
        swap(&exchanged, &state.value)
        alongside()
      }, apply)
  }

  /// Changes the data: one cause, one change, one notification.
  ///
  /// - Parameters:
  ///   - reach: What the change ends.
  ///   - ending: How that ends.
  ///   - load: The load that runs from now on.
  ///   - writer: A request on whose behalf this is written. If it is not current any more nothing happens.
  ///   - isForced: Passed on to the delegate and to hosts.
  ///   - hasValue: Whether there is a value from now on; nil if the value is not written.
  ///   - alongside: A further part of the change. Must not call user code.
  ///   - apply: Changes the record. Must be pure, because it is applied to a copy, too, to see what will change.
  func change(
    ending reach: DataCore.Reach = .nothing, as ending: LoadEnding = .ended(.superseded),
    starting load: LoadRun? = nil, by writer: LoadRun? = nil, forced isForced: Bool = false, hasValue: Bool? = nil,
    alongside: () -> Void = {}, _ apply: (inout DataRecord) -> Void
  ) {
    if let tracker = state.core.tracking.tracker, tracker.read != 0 {
      return change(reach, ending, load, writer, isForced, hasValue, alongside, apply, reportingTo: tracker)
    }
    let former = state.core.record.context.objects
    if let step = take(reach, ending, load, writer, hasValue, alongside, apply) {
      deliver(step, ending, forced: isForced)
    }
    withExtendedLifetime(former) {}
  }

  /// Changes the data, and reports it to Observation, which calls its observers before the change. They may write, too,
  /// so the change is made to what is there by then.
  private func change(
    _ reach: DataCore.Reach, _ ending: LoadEnding, _ load: LoadRun?, _ writer: LoadRun?, _ isForced: Bool,
    _ hasValue: Bool?, _ alongside: () -> Void, _ apply: (inout DataRecord) -> Void, reportingTo tracker: Tracker
  ) {
    var former = state.core.record.context.objects
    var step: DataCore.Step?
    tracker.changing({
      state.core.record.partsChanged(by: apply, hasValue: hasValue).rawValue
    }) {
      former = state.core.record.context.objects
      step = take(reach, ending, load, writer, hasValue, alongside, apply)
    }
    if let step = step.take() { deliver(step, ending, forced: isForced) }
    withExtendedLifetime(former) {}
  }

  /// The change itself. No user code runs in here.
  func take(
    _ reach: DataCore.Reach, _ ending: LoadEnding, _ load: LoadRun?, _ writer: LoadRun?, _ hasValue: Bool?,
    _ alongside: () -> Void, _ apply: (inout DataRecord) -> Void
  ) -> DataCore.Step? {
    guard let extras = state.extras else {
      let step = state.core.change(ending: reach, starting: load, by: writer, hasValue: hasValue, apply)
      if step != nil { alongside() }
      return step
    }
    guard let hook = extras.hook else { return take(extras, reach, load, writer, hasValue, alongside, apply) }
    let former = state.core.record
    guard var step = take(extras, reach, load, writer, hasValue, alongside, apply) else { return nil }
    step.number = hook.dataDidChange(
      DataChange(
        former: former, record: state.core.record, reach: reach, ending: ending, isStart: load != nil,
        isByRequest: writer != nil, writesValue: hasValue != nil, patch: extras.changedPatch.take()))
    return step
  }

  private func take(
    _ extras: Extras, _ reach: DataCore.Reach, _ load: LoadRun?, _ writer: LoadRun?, _ hasValue: Bool?,
    _ alongside: () -> Void, _ apply: (inout DataRecord) -> Void
  ) -> DataCore.Step? {
    guard
      var step = state.core.change(ending: reach, starting: load, by: writer, hasValue: hasValue, apply)
    else { return nil }
    step.patches = extras.patchesToRelease(after: reach)
    step.delay = extras.delayEnded(by: reach)
    alongside()
    return step
  }

  // MARK: Delivering

  /// Ends what the change took out, and notifies; or, during another notification, leaves that to its loop.
  private func deliver(_ step: consuming DataCore.Step, _ ending: LoadEnding, forced isForced: Bool) {
    state.stageSource?(self)
    if let round = state.extras?.earlyRound { return deliver(step, ending, forced: isForced, in: round) }
    deliverStaged(step, ending, forced: isForced)
  }

  /// Calls `body`, whose changes are visible at once, and are delivered by the round.
  func changing(in round: EarlyRound, _ body: () -> Void) {
    let extras = requiredExtras
    let former = extras.earlyRound
    extras.earlyRound = round
    body()
    extras.earlyRound = former
  }

  /// The same for a change that early observers make. First those are called that it leads to.
  @inline(never)
  private func deliver(
    _ step: consuming DataCore.Step, _ ending: LoadEnding, forced isForced: Bool, in round: EarlyRound
  ) {
    let (delivery, isFirst) = begin(step, ending, isForced)
    round.call { [self] round in
      notifying(of: delivery) {
        var round: EarlyRound? = round
        state.source?.callEarlyObservers(in: &round)
      }
    }
    if isFirst { round.deliver { [self] in deliverAll(from: delivery) } }
  }

  /// The same after the source of `observed` has the new state, so that its readers do.
  ///
  /// - Parameter ending: Nil if what the change took out was closed before.
  func deliverStaged(_ step: consuming DataCore.Step, _ ending: LoadEnding?, forced isForced: Bool) {
    guard state.core.beginDelivery() else { return deliverInTurn(step, ending, isForced) }
    step.end(ending)
    state.extras?.keeper?.didChange()
    notify(forced: isForced)
    endDelivery()
  }

  /// The same where another delivery may be under way, or a journal records.
  @inline(never)
  private func deliverInTurn(_ step: consuming DataCore.Step, _ ending: LoadEnding?, _ isForced: Bool) {
    let (delivery, isFirst) = begin(step, ending, isForced)
    if isFirst { deliverAll(from: delivery) } else { state.source?.callEarlyObservers() }
  }

  /// Ends what the change took out.
  ///
  /// - Returns: The change as it is to be delivered, and whether no other delivery is under way, which would do that.
  private func begin(
    _ step: consuming DataCore.Step, _ ending: LoadEnding?, _ isForced: Bool
  ) -> (delivery: DataCore.Delivery, isFirst: Bool) {
    let delivery = DataCore.Delivery(isForced: isForced, number: step.number)
    let isFirst = state.core.begin(delivery)
    step.end(ending)
    state.extras?.hook?.didBecomeVisible()
    state.extras?.keeper?.didChange()
    return (delivery, isFirst)
  }

  private func deliverAll(from first: DataCore.Delivery) {
    notify(of: first)
    endDelivery()
  }

  /// Delivers what was changed meanwhile.
  @inline(__always)
  private func endDelivery() {
    while let delivery = state.core.takePending() { notify(of: delivery) }
    guard let extras = state.extras else { return }
    extras.keeper?.didNotify()
    resumeIfSettled()
  }

  private func notify(of delivery: DataCore.Delivery) {
    notifying(of: delivery) { notify(forced: delivery.isForced) }
  }

  /// Calls `body`, whose effects follow from the change.
  private func notifying(of delivery: DataCore.Delivery, _ body: () -> Void) {
    guard delivery.number != 0, let hook = state.extras?.hook else { return body() }
    hook.notifying(of: delivery.number, body)
  }

  /// Notifies the observers of ``observed``, then the hosts, then the delegate.
  private func notify(forced isForced: Bool) {
    state.source?.deliverNext()
    for place in 0..<state.core.observerCount { state.core.observer(at: place)?.dataDidChange(forced: isForced) }
    state.delegate?.asyncData(self, didInvalidateStateForced: isForced)
  }
}

// MARK: - For hosts

extension AsyncData {
  /// Notifies `observer` of each change that is made from now on. It is held weakly, and may be released on any thread.
  func addObserver(_ observer: any AsyncDataObserver) {
    state.core.addObserver(observer)
  }

  /// `observer` is not notified any more, not even of a change that is being delivered.
  func removeObserver(_ observer: any AsyncDataObserver) {
    state.core.removeObserver(observer)
  }

  /// What a reload control calls: the delegate reloads, or without one the first host.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  func requestReload() -> Bool {
    if let delegate = state.delegate {
      delegate.reloadAsyncData()
      return true
    }
    for place in 0..<state.core.observerCount where state.core.observer(at: place)?.reloadRequested() == true {
      return true
    }
    return false
  }

  /// Becomes what several other data are together.
  ///
  /// - Parameters:
  ///   - revision: How often that was written.
  func follow(_ snapshot: AsyncSnapshot<Value>, _ revision: DataRevision, forced isForced: Bool) {
    write(snapshot.value, ending: .everything, forced: isForced) {
      $0.context = snapshot.context
      $0.revision = revision
    }
  }

  /// The snapshot, for the library: a read that Observation does not track.
  var facts: AsyncSnapshot<Value> { AsyncSnapshot(context, displayed) }

  /// How often value and error were written: hosts compare it with what they display.
  var revision: DataRevision { state.core.record.revision }

  /// Everything of the snapshot but the value.
  @usableFromInline var context: SnapshotContext { state.core.record.context }

  /// The value is read now, for Observation.
  @usableFromInline
  func noteValueRead() {
    state.core.noteRead(.value)
  }

  @usableFromInline var seed: Value? { state.extras?.seed }

  /// The handle of the load that is running; without one, of a load that has ended with what the data hold.
  var currentLoad: LoadTask<Value> {
    if let running = state.core.order.running as? Load<Value> { return LoadTask(running) }
    if let error = context.error { return LoadTask(endedWith: .failed(error)) }
    return context.isValueSet ? answeredLoad : .cancelled
  }

  // By itself: it looks up the type of an optional value, which most callers of the above do without.
  @inline(never)
  private var answeredLoad: LoadTask<Value> { LoadTask(endedWith: .answered, answer: displayed) }
}
