public import Observation

// The state of an AsyncData, what guards it, and its invariants.
//
// - `known`: value, error, activity and when they were written. Changed only by `change`, as a whole.
// - `order`: the requests. A request in it is current; `change` takes one out and ends it in the same step.
// - `extras`: what few data have: a seed, an age limit, a clock, undecided changes, lanes, callers of `settled()`.
// - `isNotifying` and `pending`: changes made during a notification are delivered after it, in order.
//
// The owner's actor guards all of it. `deinit` runs anywhere; it only reads, when no one else can.
// Invariants: a load in `order` has an activity in the snapshot; a page request in `order` is marked as running there;
// the displayed value is the base with every patch, in order, while there are patches.
// User code (clocks, `==`, patches, observers) runs before a change or after it, never inside.

/// Loads a value from a slow source, and holds it: the value, the error, and the load that is running.
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
/// reference may be released on any thread: a running load is then cancelled, and its callers get `.cancelled`.
public final class AsyncData<Value>: Observable {
  // Justified: no method calls out during an access. What checks would cost a write has still to be measured.
  @exclusivity(unchecked) @usableFromInline var state: State

  @usableFromInline
  struct State {
    // What depends on the layout of `Value` is last: code that is not specialised finds the rest at fixed places.
    @usableFromInline weak var delegate: (any AsyncDataDelegate<Value>)?
    @usableFromInline var order = LoadOrder()
    @usableFromInline var tracking = Tracking<AsyncDataParts>()
    /// Where ``AsyncData/observed`` begins; nil until it is first used.
    @usableFromInline var source: InputNode<AsyncSnapshot<Value>>?
    @usableFromInline var observers: [WeakObserver] = []
    @usableFromInline var extras: Extras?
    /// How values are compared; nil until two are.
    @usableFromInline var sameness: Sameness<Value>?
    /// The changes made during a notification that have not been delivered: whether each is forced.
    @usableFromInline var pending: [Bool] = []
    @usableFromInline var isNotifying = false
    /// The operations that have not returned, those of superseded loads included.
    @usableFromInline var operationCount = 0
    @usableFromInline var known: Known

    @inlinable
    init(_ snapshot: AsyncSnapshot<Value>, extras: Extras?) {
      known = Known(snapshot)
      self.extras = extras
    }
  }

  // MARK: Creating

  /// Creates data without a value, which never become stale by age.
  @inlinable
  public init() {
    state = State(AsyncSnapshot(), extras: nil)
  }

  /// Creates data without a value, or with a seed.
  ///
  /// - Parameters:
  ///   - seed: A value to display before the first answer, and again after a ``reset()``. It is provisional and does
  ///     not count as an answer.
  ///   - staleAfter: The age at which an answer is stale; nil: never by age.
  ///   - clock: Measures ages, back-offs, timeouts and polling intervals.
  public init(seed: Value? = nil, staleAfter: Duration? = nil, clock: any Clock<Duration> = ContinuousClock()) {
    state = State(
      AsyncSnapshot(value: seed, isValueSet: false),
      extras: Extras(seed: seed, staleAfter: staleAfter, timeline: Timeline(clock)))
  }

  /// Creates data in any state, without a load: for previews, tests and restored state.
  ///
  /// Their ``age`` is nil, so they are stale until the next answer. An activity in the snapshot is displayed until a
  /// load, a ``cancel()``, or a write of value or error replaces it.
  ///
  /// - Parameters:
  ///   - snapshot: The state. A value in it that is not set is the seed.
  ///   - staleAfter: The age at which an answer is stale; nil: never by age.
  ///   - clock: Measures ages, back-offs, timeouts and polling intervals.
  public init(
    snapshot: AsyncSnapshot<Value>, staleAfter: Duration? = nil, clock: any Clock<Duration> = ContinuousClock()
  ) {
    let seed = snapshot.isValueSet ? nil : snapshot.value
    state = State(snapshot, extras: Extras(seed: seed, staleAfter: staleAfter, timeline: Timeline(clock)))
  }

  deinit {
    state.order.takeAll().abandon()
    state.source?.close()
  }

  // MARK: Reading

  /// Is notified of every change. Held weakly.
  @inlinable
  public var delegate: (any AsyncDataDelegate<Value>)? {
    get { state.delegate }
    set { state.delegate = newValue }
  }

  /// The value, the error and the activity in one reading.
  @inlinable
  public var snapshot: AsyncSnapshot<Value> {
    state.tracking.access(.all)
    return state.known.snapshot
  }

  /// The last known value.
  ///
  /// Setting it is an answer by hand: the error is removed, a running load is superseded, and nil means that there is
  /// no data. Setting the same value again notifies with `forced: true`; the same value is the same object for class
  /// instances, else an equal one where the type is `Equatable`.
  @inlinable
  public var value: Value? {
    get {
      state.tracking.access(.value)
      return state.known.snapshot.value
    }
    set {
      let now = now
      let isForced = state.known.snapshot.isValueSet && isSame(state.known.snapshot.value, newValue)
      change(ending: .everything, as: .ended(.superseded), forced: isForced) {
        $0.set(newValue, at: now)
      }
    }
  }

  /// The last error.
  ///
  /// Setting one supersedes a running load and keeps the value. Setting nil removes the error and nothing else.
  @inlinable
  public var error: (any Error)? {
    get {
      state.tracking.access(.error)
      return state.known.snapshot.error
    }
    set {
      change(ending: newValue == nil ? .nothing : .requests, as: .ended(.superseded)) { $0.set(newValue) }
    }
  }

  /// A load is running, or nothing is known yet.
  @inlinable
  public var isLoading: Bool {
    state.tracking.access([.running, .settled])
    return state.known.snapshot.isLoading
  }

  /// A load is running.
  @inlinable
  public var isRunning: Bool {
    state.tracking.access(.running)
    return state.known.snapshot.isRunning
  }

  /// A change made with ``mutate(lane:isolation:_:commit:)`` is displayed and not yet decided.
  public var hasPendingChanges: Bool {
    state.tracking.access(.pendingChanges)
    return state.known.undecidedCount > 0
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
    let node = InputNode(state.known.snapshot, isEqual: nil)
    state.source = node
    return Observed(node)
  }

  // MARK: Writing

  /// Removes everything but the seed. A running load is cancelled.
  @inlinable
  public func reset() {
    let seed = state.extras?.seed
    change(ending: .everything, as: .ended(.cancelled)) { $0.reset(to: seed) }
  }

  /// A reset because the data belong to another key from now on.
  ///
  /// - Parameters:
  ///   - value: Displayed until the next answer, provisional.
  ///   - reason: The outcome of the requests that run.
  ///   - write: The library's part of the same change. It runs in the middle of it, so it must not call user code.
  func reset(to value: Value?, ending reason: LoadEnd, alongside write: () -> Void) {
    change(ending: .everything, as: .ended(reason), alongside: write) {
      $0.reset(to: value)
      $0.revision.key &+= 1
    }
  }

  /// Marks the value stale and notifies with `forced: true`. Only a load that starts after this call clears the mark.
  @inlinable
  public func invalidate() {
    change(forced: true, alongside: { state.order.markOutdated() }) { $0.snapshot.invalidate() }
  }

  /// Ends the running load, calls that wait for the next one, and page requests. Everything but the activity stays as
  /// it is: a cancelled load is not an error. Does nothing when no request runs.
  public func cancel() {
    let snapshot = state.known.snapshot
    guard snapshot.isRunning || snapshot.isRequestingPage || !state.order.isEmpty else { return }
    change(ending: .requests, as: .ended(.cancelled)) { $0.snapshot.endAll() }
  }
}

// MARK: - Value, error and activity

extension AsyncData {
  /// The snapshot, and when and how it was written.
  @usableFromInline
  struct Known {
    @usableFromInline var revision = Revision()
    /// The time of the last answer, by the data's clock.
    @usableFromInline var answeredAt: Duration?
    /// An error was written, or a load failed, since the last answer.
    @usableFromInline var hasFailed = false
    /// The number of changes that are displayed and not decided.
    @usableFromInline var undecidedCount = 0
    @usableFromInline var snapshot: AsyncSnapshot<Value>

    @inlinable
    init(_ snapshot: AsyncSnapshot<Value>) {
      self.snapshot = snapshot
    }

    /// An answer by hand.
    @inlinable
    mutating func set(_ value: Value?, at now: Duration) {
      snapshot.set(value)
      undecidedCount = 0
      noteAnswer(at: now)
    }

    @inlinable
    mutating func succeed(with value: Value?, at now: Duration) {
      snapshot.succeed(with: value)
      noteAnswer(at: now)
    }

    @inlinable
    mutating func noteAnswer(at now: Duration) {
      revision.value &+= 1
      hasFailed = false
      answeredAt = now
    }

    @inlinable
    mutating func set(_ error: (any Error)?) {
      snapshot.set(error)
      revision.error &+= 1
      if error != nil { hasFailed = true }
    }

    @inlinable
    mutating func fail(with error: any Error) {
      snapshot.fail(with: error)
      revision.error &+= 1
      hasFailed = true
    }

    @inlinable
    mutating func reset(to seed: Value?) {
      snapshot.reset(to: seed)
      revision.value &+= 1
      hasFailed = false
      answeredAt = nil
      undecidedCount = 0
    }
  }

  /// The number of writes of value and error. Only differences are meaningful.
  @usableFromInline
  struct Revision: Equatable {
    @usableFromInline var value: UInt32 = 0
    @usableFromInline var error: UInt32 = 0
    /// How often the key has changed that the data belong to.
    @usableFromInline var key: UInt32 = 0

    @inlinable
    init() {}
  }

  /// The snapshot, for the library: a read that Observation does not track.
  @inlinable
  var facts: AsyncSnapshot<Value> { state.known.snapshot }

  /// How often value and error were written: hosts compare it with what they display.
  @inlinable
  var revision: Revision { state.known.revision }

  /// What few data have, in an object of its own, so that the others stay small.
  @usableFromInline
  final class Extras {
    let staleAfter: Duration?
    @usableFromInline let timeline: Timeline
    /// The changes that are displayed before they are confirmed; nil when all are decided.
    var patches: Patches<Value>?
    @usableFromInline var hasPatches: Bool { patches != nil }
    /// Incremented whenever `patches` is written.
    var patchesVersion = 0
    /// How often all changes were dropped.
    var dropCount = 0
    /// The number of changes that were made.
    var changeCount = 0
    var lanes = CommitLanes()
    /// The commits that run or wait.
    var commitCount = 0
    var settledWaiters = LoadWaiters()
    @usableFromInline let seed: Value?

    @usableFromInline
    init(seed: Value? = nil, staleAfter: Duration? = nil, timeline: Timeline = .continuous) {
      self.seed = seed
      self.staleAfter = staleAfter
      self.timeline = timeline
    }
  }

  /// The extras, created when first needed.
  var requiredExtras: Extras {
    if let extras = state.extras { return extras }
    let extras = Extras()
    state.extras = extras
    return extras
  }
}
