// The one way in which data change, and how each change is delivered.

extension AsyncData {
  /// What a change ends.
  @usableFromInline
  enum Reach {
    case nothing
    /// One request.
    case only(LoadRun)
    /// The running load, the waiting one, and page requests.
    case requests
    /// All requests, and the changes that are not decided.
    case everything
  }

  /// Changes the data: one cause, one change, one notification.
  ///
  /// - Parameters:
  ///   - reach: What the change ends.
  ///   - ending: How that ends.
  ///   - load: The load that runs from now on.
  ///   - writer: A request on whose behalf this is written. If it is not current any more nothing happens.
  ///   - isForced: Passed on to the delegate and to hosts.
  ///   - alongside: A further part of the change. Must not call user code.
  ///   - apply: Changes the snapshot. Must be pure, because it is applied to a copy, too, to see what will change.
  /// - Returns: Whether the change was made.
  @inlinable
  @discardableResult
  func change(
    ending reach: Reach = .nothing, as ending: LoadEnding = .ended(.superseded), starting load: LoadRun? = nil,
    by writer: LoadRun? = nil, forced isForced: Bool = false, alongside: () -> Void = {},
    _ apply: (inout Known) -> Void
  ) -> Bool {
    if let tracker = state.tracking.tracker, tracker.read != 0 {
      // Observation calls its observers before the change, and they may write, too. So the change is made to what is
      // there by then.
      var step: Step?
      tracker.changing(partsChanged(by: apply).rawValue) { step = take(reach, load, writer, alongside, apply) }
      guard let step else { return false }
      deliver(step, ending, forced: isForced)
    } else {
      guard let step = take(reach, load, writer, alongside, apply) else { return false }
      deliver(step, ending, forced: isForced)
    }
    return true
  }

  /// What a change took out, to be ended and released when the new state stands: user code may run then.
  @usableFromInline
  struct Step {
    @usableFromInline let former: Known
    @usableFromInline let ended: LoadOrder.Ended
    /// What the patches were, if they have changed. In an array because few data have any: a step stays small.
    @usableFromInline let patches: [Patches<Value>]
    @usableFromInline let supersedesPatches: Bool

    @inlinable
    init(former: Known, ended: LoadOrder.Ended, patches: [Patches<Value>], supersedesPatches: Bool) {
      self.former = former
      self.ended = ended
      self.patches = patches
      self.supersedesPatches = supersedesPatches
    }
  }

  /// The change itself. No user code runs in here.
  @inlinable
  func take(
    _ reach: Reach, _ load: LoadRun?, _ writer: LoadRun?, _ alongside: () -> Void, _ apply: (inout Known) -> Void
  ) -> Step? {
    if let writer, !writer.isCurrent { return nil }
    let former = state.known
    apply(&state.known)
    var ended = LoadOrder.Ended()
    var supersedesPatches = false
    switch reach {
    case .nothing: break
    case .only(let run): ended = state.order.take(run)
    case .requests: if !state.order.isEmpty { ended = state.order.takeAll() }
    case .everything:
      if !state.order.isEmpty { ended = state.order.takeAll() }
      supersedesPatches = true
    }
    if let load { state.order.begin(load) }
    let patches = state.extras?.patchesToRelease(after: reach) ?? []
    alongside()
    return Step(former: former, ended: ended, patches: patches, supersedesPatches: supersedesPatches)
  }

  // MARK: Delivering

  /// Ends what the change took out, and notifies; or, during another notification, leaves that to its loop.
  @inlinable
  func deliver(_ step: consuming Step, _ ending: LoadEnding, forced isForced: Bool) {
    if let source = state.source { _ = source.stage(state.known.snapshot) }
    guard !state.isNotifying else {
      state.pending.append(isForced)
      return step.end(ending)
    }
    state.isNotifying = true
    step.end(ending)
    notify(forced: isForced)
    while !state.pending.isEmpty {
      var pending: [Bool] = []
      swap(&pending, &state.pending)
      for isForced in pending { notify(forced: isForced) }
    }
    state.isNotifying = false
    if state.extras != nil { resumeIfSettled() }
  }

  /// Notifies the observers of ``observed``, then the hosts, then the delegate.
  @inlinable
  func notify(forced isForced: Bool) {
    if let source = state.source { source.deliverNext() }
    if !state.observers.isEmpty { notifyObservers(forced: isForced) }
    if let delegate = state.delegate { delegate.asyncData(self, didInvalidateStateForced: isForced) }
  }
}

extension AsyncData.Step {
  @inlinable
  consuming func end(_ ending: LoadEnding) {
    ended.finish(ending)
    if supersedesPatches { for former in patches { former.supersede() } }
  }
}

// MARK: - Observation

/// The parts of an ``AsyncData`` that Observation tracks apart from each other.
@usableFromInline
struct AsyncDataParts: OptionSet {
  @usableFromInline let rawValue: UInt8

  @inlinable
  init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  @usableFromInline static var value: Self { Self(rawValue: 1) }
  @usableFromInline static var error: Self { Self(rawValue: 2) }
  /// Whether a load is running.
  @usableFromInline static var running: Self { Self(rawValue: 4) }
  /// The mode and the details of the activity.
  @usableFromInline static var activity: Self { Self(rawValue: 8) }
  /// Whether anything is known: a value was set, there is an error, or a seed.
  @usableFromInline static var settled: Self { Self(rawValue: 16) }
  /// What makes the data stale, and whether the value is provisional.
  @usableFromInline static var freshness: Self { Self(rawValue: 32) }
  /// The page requests.
  @usableFromInline static var pages: Self { Self(rawValue: 64) }
  @usableFromInline static var pendingChanges: Self { Self(rawValue: 128) }
  @usableFromInline static var all: Self { Self(rawValue: 127) }
}

extension AsyncData {
  /// The parts that a change will change.
  @usableFromInline
  func partsChanged(by apply: (inout Known) -> Void) -> AsyncDataParts {
    let former = state.known
    var next = former
    apply(&next)
    let (old, new) = (former.snapshot, next.snapshot)
    var parts: AsyncDataParts = []
    if former.revision.value != next.revision.value { parts.insert(.value) }
    if former.revision.error != next.revision.error || (old.error == nil) != (new.error == nil) { parts.insert(.error) }
    if old.isRunning != new.isRunning { parts.insert(.running) }
    if old.activity?.mode != new.activity?.mode || old.activity?.details !== new.activity?.details {
      parts.insert(.activity)
    }
    if old.isLoading != new.isLoading || old.isSettled != new.isSettled { parts.insert(.settled) }
    if old.isInvalidated != new.isInvalidated || old.isProvisional != new.isProvisional
      || former.answeredAt != next.answeredAt || former.hasFailed != next.hasFailed
    {
      parts.insert(.freshness)
    }
    if old.pages !== new.pages { parts.insert(.pages) }
    if (former.undecidedCount > 0) != (next.undecidedCount > 0) { parts.insert(.pendingChanges) }
    return parts
  }
}

// MARK: - Observers

/// Is notified of each change of an ``AsyncData``, with the flag that ``AsyncData/observed`` does not carry.
///
/// This is what hosts use, so that `delegate` stays the user's.
@usableFromInline
protocol AsyncDataObserver<Value>: AnyObject {
  associatedtype Value

  /// Called after the observers of ``AsyncData/observed`` and before the delegate.
  func dataDidChange(_ data: AsyncData<Value>, forced: Bool)

  /// A reload control was used, and the data have no delegate.
  ///
  /// - Returns: Whether the observer reloads the data. If so, no other observer is called.
  func reloadRequested() -> Bool
}

extension AsyncData {
  @usableFromInline
  struct WeakObserver {
    weak var observer: (any AsyncDataObserver<Value>)?
  }

  /// Notifies `observer` of each change that is made from now on. It is held weakly, and may be released on any thread.
  func addObserver(_ observer: any AsyncDataObserver<Value>) {
    // While a notification walks through the list, places must stay where they are.
    if !state.isNotifying { state.observers.removeAll { $0.observer == nil } }
    state.observers.append(WeakObserver(observer: observer))
  }

  /// `observer` is not notified any more, not even of a change that is being delivered.
  func removeObserver(_ observer: any AsyncDataObserver<Value>) {
    for index in state.observers.indices where state.observers[index].observer === observer {
      state.observers[index].observer = nil
    }
  }

  @usableFromInline
  func notifyObservers(forced isForced: Bool) {
    // One that is added by another starts with the next change.
    for index in 0..<state.observers.count {
      if let observer = state.observers[index].observer { observer.dataDidChange(self, forced: isForced) }
    }
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
    for index in state.observers.indices where index < state.observers.count {
      if state.observers[index].observer?.reloadRequested() == true { return true }
    }
    return false
  }

  /// Becomes what several other data are together.
  ///
  /// - Parameters:
  ///   - writes: How often that was written.
  func follow(_ snapshot: AsyncSnapshot<Value>, _ writes: Pacing.Writes, forced isForced: Bool) {
    change(ending: .everything, forced: isForced) {
      $0.snapshot = snapshot
      $0.revision.value = writes.value
      $0.revision.error = writes.error
      $0.revision.key = writes.key
    }
  }

  /// How often value and error were written, without the type of the value.
  @usableFromInline var writes: Pacing.Writes {
    Pacing.Writes(value: revision.value, error: revision.error, key: revision.key)
  }

  var seed: Value? { state.extras?.seed }

  /// The handle of the load that is running; without one, of a load that has ended with what the data hold.
  @usableFromInline var currentLoad: LoadTask<Value> {
    if let running = state.order.running as? Load<Value> { return LoadTask(running) }
    if let error = facts.error { return LoadTask(endedWith: .failed(error)) }
    return LoadTask(endedWith: facts.isValueSet ? .answered : .ended(.cancelled), answer: facts.value)
  }
}
