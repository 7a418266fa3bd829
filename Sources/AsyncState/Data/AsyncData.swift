// SPDX-License-Identifier: MIT
public import Observation

// The state of an AsyncData, its protection, and its invariants.
//
// - `core`: everything that does not depend on the type of the value; see DataCore.swift.
// - `extras`: the fields of few objects: a seed, options, callers of `settled()`.
// - `latest`: the displayed value. It and the record of the core change together, by an event: see Applying.swift. Outside of the
//   state, whose layout would depend on it, so that it would be looked up at each use of the value.
//
// Features of few data stand beside the core: see DataFeature.swift.
//
// The owner's actor guards all of it. `deinit` runs anywhere; it only reads, when there is no other access.
// Invariant: the displayed value is the base with every patch, in order, while there are patches; `displayed`, through which it
// is read, brings it up to date.
// User code (clocks, `==`, patches, observers, the release of a value) runs before a change or after it, never inside.

/// Loads a value from a slow source, and holds it: the value, the error, and the running load.
///
/// ```swift
/// let articles = AsyncData<[Article]>()
/// articles.start { try await service.articles() }
/// ```
///
/// Value, error and activity are independent. A load owns only the activity until it answers, so cancelling one leaves
/// everything else as it was. The newest load wins: the answer of an older one changes nothing, however late it arrives.
///
/// Each change is delivered once, synchronously: to Observation, to the observers of ``observed``, and to the
/// ``delegate``.
///
/// An `AsyncData` belongs to the actor that created it and is not `Sendable`; `Value` need not be, either. The last
/// reference may be released on any thread: a running load is then cancelled, and its callers get `.cancelled` as soon as
/// the actor is free.
public final class AsyncData<Value>: Observable {
  // Justified: no method calls out during an access. Checks would cost a load 15 % of its instructions. Noticed: every
  // test, because debug builds check.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  @usableFromInline var state: State

  // Justified: as above.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  @usableFromInline var latest: Value?

  @usableFromInline
  struct State {
    @usableFromInline var core: DataCore
    weak var delegate: (any AsyncDataDelegate<Value>)?
    /// The source of ``AsyncData/observed``; nil until it is first used.
    @usableFromInline var source: InputNode<AsyncSnapshot<Value>>?
    /// Writes the present snapshot to the source. A closure, because the client's compiler specialises it.
    @usableFromInline var stageSource: ((AsyncData) -> Void)?
    var extras: Extras?
    /// Compares values; nil until two are compared.
    var sameness: Sameness<Value>?

    init(_ context: SnapshotContext, _ extras: Extras? = nil) {
      core = DataCore(context)
      self.extras = extras
    }
  }

  // MARK: Creating

  /// Creates data without a value. Answers never become stale by age.
  public init() {
    state = State(SnapshotContext())
  }

  /// Creates data without a value, or with a seed.
  ///
  /// - Parameters:
  ///   - seed: A value to display before the first answer, and again after a ``reset()``. It is provisional and does
  ///     not count as an answer.
  ///   - options: The options of requests, and the time for which answers are fresh; a call may be given others.
  public convenience init(seed: Value? = nil, options: LoadOptions = LoadOptions()) {
    self.init(seed: seed, DataOptions.of(options))
  }

  init(seed: Value?, _ options: DataOptions) {
    state = State(SnapshotContext(.initial(hasSeed: seed != nil)), Extras(seed: seed, options))
    latest = seed
  }

  /// Creates data in any state, without a load: for previews, tests and restored state.
  ///
  /// Its ``age`` is nil, so it is stale until the next answer. An activity in the snapshot is displayed until a load, a
  /// ``cancel()``, or a write of value or error replaces it.
  ///
  /// - Parameters:
  ///   - snapshot: The state. A value in it that is not set is the seed.
  ///   - options: The options of requests, and the time for which answers are fresh; a call may be given others.
  init(snapshot: AsyncSnapshot<Value>, options: LoadOptions = LoadOptions()) {
    let seed = snapshot.isValueSet ? nil : snapshot.value
    state = State(snapshot.context, Extras(seed: seed, DataOptions.of(options)))
    latest = snapshot.value
  }

  deinit {
    state.core.assertDelivered()
    state.core.order.takeAll().abandon()
  }

  // MARK: Reading

  /// Is notified of every change. Held weakly.
  public var delegate: (any AsyncDataDelegate<Value>)? {
    get { state.delegate }
    set { state.delegate = newValue }
  }

  /// The value, the error and the activity in one reading.
  public var snapshot: AsyncSnapshot<Value> {
    state.core.noteRead(.snapshot)
    return facts
  }

  /// The meaning of the snapshot for a screen, by the default policy. A view that reads it is not invalidated by progress.
  public var status: AsyncStatus<Value> { status(policy: DisplayPolicy()) }

  /// The meaning of the snapshot for a screen. A view that reads it is not invalidated by progress.
  public func status(policy: DisplayPolicy<Value>) -> AsyncStatus<Value> {
    state.core.noteRead(.status)
    return computedStatus(by: policy)
  }

  /// The same; Observation does not track this read.
  func computedStatus(by policy: DisplayPolicy<Value>) -> AsyncStatus<Value> {
    computing { facts.status(policy: policy) }
  }

  /// The last known value.
  ///
  /// Setting it is an answer by hand: the error is removed, a running load is superseded, and nil means that there is
  /// no data. Setting the same value again notifies with `forced: true`; the same value is the same object for class
  /// instances, else an equal one where the type is `Equatable`.
  @inlinable
  public var value: Value? {
    get {
      noteValueRead()
      return displayed
    }
    set {
      if refusesWrites { return }
      let isSame = isSame(displayed, newValue)
      let step = beginSet(isSame: isSame, hasValue: newValue != nil)
      var exchanged = newValue
      swap(&exchanged, &latest)
      deliver(step)
      withExtendedLifetime(exchanged) {}
    }
  }

  /// The last error.
  ///
  /// Setting one supersedes a running load and keeps the value. Setting nil removes the error and nothing else; without an
  /// error it does nothing.
  public var error: (any Error)? {
    get {
      state.core.noteRead(.error)
      return state.core.record.context.error
    }
    set {
      if refusesWrites { return }
      if let newValue {
        applyError(.errorSet(newValue))
      } else if state.core.record.context.error != nil {
        apply(.errorRemoved)
      }
    }
  }

  /// True if a load is running, or is expected: nothing was requested since the data was created or reset, and there is no
  /// seed. For an indicator in the place of content. While content is displayed, and for a button, use ``isRunning``.
  public var isLoading: Bool {
    state.core.noteRead([.running, .settled])
    return state.core.record.isLoading
  }

  /// True while a load is running.
  public var isRunning: Bool {
    state.core.noteRead(.running)
    return state.core.record.context.isRunning
  }

  /// True while the running load waits for its ``LoadGate``, so that nothing is being requested.
  public var isWaiting: Bool {
    state.core.noteRead(.mode)
    return state.core.record.context.load?.isWaiting == true
  }

  /// True while a change made with ``mutate(isolation:_:commit:)`` is displayed
  /// and not yet decided.
  public var hasPendingChanges: Bool {
    state.core.noteRead(.pendingChanges)
    return state.core.record.hasUndecidedChanges
  }

  /// The number of errors that were written: another number is another failure.
  package var failureCount: UInt32 {
    state.core.noteRead(.error)
    return state.core.record.revision.error
  }

  /// The value, error and activity as an observed value, to bind and to derive others from.
  ///
  /// ```swift
  /// let count = articles.observed.map { $0.value?.count ?? 0 }
  /// ```
  ///
  /// A token on it keeps the values alive, not the `AsyncData`.
  @inlinable
  public var observed: Observed<AsyncSnapshot<Value>> {
    if let source = state.source { return Observed(source) }
    let source = InputNode(AsyncSnapshot(context, displayed), isEqual: nil)
    state.source = source
    state.stageSource = { data in
      _ = data.state.source?.stage(AsyncSnapshot(data.context, data.displayed))
    }
    return Observed(source)
  }

  // MARK: Writing

  /// Begins to set a value by hand; the caller exchanges it.
  ///
  /// - Parameter isSame: True if it is the same as the present one.
  @usableFromInline
  func beginSet(isSame: Bool, hasValue: Bool) -> DataStep {
    begin(.set(at: now, isSame: isSame), hasValue: hasValue)
  }

  /// Removes everything but the seed. A running load is cancelled. A request is expected next, unless there is no key, so the
  /// status is that of new data: for a log-out, after which no request follows, call ``forget()``.
  @inlinable
  public func reset() {
    if refusesWrites || performReset() { return }
    var exchanged = seed
    let step = beginReset(hasSeed: exchanged != nil)
    swap(&exchanged, &latest)
    deliver(step)
    withExtendedLifetime(exchanged) {}
  }

  /// - Returns: True if a feature has done it in the place of the data.
  @usableFromInline
  func performReset() -> Bool { features.perform(.reset) }

  /// Begins to remove everything but the seed; the caller exchanges the value.
  @usableFromInline
  func beginReset(hasSeed: Bool) -> DataStep {
    begin(features.lacksKey ? .forgotten : .reset(leavesKey: false), hasValue: hasSeed)
  }

  /// The same for a row that is about to display another model: nothing of the former one stays displayed.
  package func leaveModel() {
    if !refusesWrites, !performReset() { apply(.reset(leavesKey: true), writing: seed) }
  }

  /// Removes everything but the seed, and a running load is cancelled, as at a log-out: no request is expected, so nothing
  /// is displayed as loading.
  public func forget() {
    if refusesWrites || features.perform(.forget) { return }
    apply(.forgotten, writing: seed)
  }

  /// Removes everything but the seed by this event.
  ///
  /// - Parameter happening: Called with true before the event happens, and with false after it, during the change: it must not
  ///   call user code.
  func removeAll(_ event: DataEvent, _ happening: (Bool) -> Void) {
    let seed = seed
    happening(true)
    let step = begin(event, hasValue: seed != nil)
    happening(false)
    deliver(step, exchanging: seed)
  }

  /// Makes the data belong to another key, or to none.
  ///
  /// - Parameters:
  ///   - previous: The display of the previous key's value, if there is one. A value that stays is not written again, so screens
  ///     need not display it again.
  ///   - takeKey: The key's part of the same change. It runs during it, so it must not call user code.
  func changeKey(hasKey: Bool, previous: PreviousValue, _ takeKey: () -> Void = {}) {
    let event: DataEvent = hasKey ? .keyChanged : .keyRemoved
    let seed = seed
    // The present value, with the changes that this drops.
    let keepsValue = hasKey && previous == .untilAnswered && displayed != nil
    let step = begin(event, hasValue: keepsValue ? nil : seed != nil)
    takeKey()
    if keepsValue { deliver(step) } else { deliver(step, exchanging: seed) }
  }

  /// Writes an error. The value of a previous key is removed in the same change, so the two are never displayed together.
  func applyError(_ event: DataEvent, for request: LoadRun? = nil) {
    guard state.core.record.isOfFormerKey else { return apply(event, for: request) }
    let seed = seed
    if let step = begin(event, for: request, hasValue: seed != nil) { deliver(step, exchanging: seed) }
  }

  /// Marks the value stale and notifies with `forced: true`. Only a load that starts after this call clears the mark.
  public func invalidate() {
    if !refusesWrites, !features.perform(.invalidate) { apply(.invalidated) }
  }

  /// Ends the running load, calls that wait for the next one, page requests, the delay of a followed key, and the stream of a
  /// live value. Everything but the activity stays as it is: a cancelled load is not an error. Does nothing when there is
  /// nothing to end.
  public func cancel() {
    if refusesWrites || features.perform(.cancel) { return }
    let context = state.core.record.context
    guard
      context.activity != nil || !state.core.order.isEmpty || isRequestComing
    else {
      _ = features.perform(.cancelRest)
      return
    }
    apply(.cancelledAll)
  }
}

// MARK: - Comparing

extension AsyncData {
  /// True if both have no value, or both have the same one.
  @inlinable
  func isSame(_ former: Value?, _ new: Value?) -> Bool {
    switch (former, new) {
    case (nil, nil): return true
    case (let former?, let new?): return computing { sameness(by: former).areSame(former, new) }
    case (nil, _?), (_?, nil): return false
    }
  }

  /// True if an answer is equal to the present value, by `==` of a type that is no class.
  @inlinable
  func isEqual(_ former: Value?, _ new: Value?) -> Bool {
    guard let former, let new else { return false }
    return computing { sameness(by: former).areEqual(former, new) }
  }

  @usableFromInline
  func sameness(by sample: Value) -> Sameness<Value> {
    if let sameness = state.sameness { return sameness }
    let sameness = Sameness.found(by: sample)
    state.sameness = sameness
    return sameness
  }
}

// MARK: - Fields of few objects

extension AsyncData {
  /// The fields that few objects have, in an object of its own, so that the others stay small.
  final class Extras {
    /// The seed; for a family's entry, the last one that the family has set.
    fileprivate(set) var seed: Value?
    var options: DataOptions
    /// The time for which an answer is fresh, in the place of that of the options; nil: no answer says it.
    fileprivate(set) var lifetime: ((Value) -> Duration?)?
    /// The calls that wait for a condition; nil until there was one.
    var waiters: ConditionWaiters?
    /// The round that delivers the present changes; nil if each is delivered at once.
    var earlyRound: EarlyRound?

    init(seed: Value? = nil, _ options: DataOptions = .none) {
      self.seed = seed
      self.options = options
    }
  }

  /// Makes each answer say for how long it is fresh.
  func setLifetime(_ lifetime: ((Value) -> Duration?)?) {
    if lifetime != nil || state.extras?.lifetime != nil { requiredExtras.lifetime = lifetime }
  }

  /// Sets the value to display before the first answer. It is not displayed yet.
  func setSeed(_ seed: Value?) {
    if seed != nil || self.seed != nil { requiredExtras.seed = seed }
  }

  /// The extras, created when first needed.
  var requiredExtras: Extras {
    if let extras = state.extras { return extras }
    let extras = Extras()
    state.extras = extras
    return extras
  }
}
