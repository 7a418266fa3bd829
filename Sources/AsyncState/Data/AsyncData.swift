public import Observation

/// What is known of a value that comes from somewhere slow: the value, the error, and the load that is on its way.
///
/// ```swift
/// let articles = AsyncData<[Article]>()
/// articles.start { try await service.articles() }
/// ```
///
/// Value, error and activity are independent facts. A load owns only the activity until it answers, so cancelling one
/// leaves everything as it was. The newest load wins: what an older one answers, however late, changes nothing.
///
/// Each change is told once, synchronously: to Observation, to whoever observes ``observed``, and to the ``delegate``.
///
/// Facts belong to the actor that made them and are not `Sendable`; nor need `Value` be.
public final class AsyncData<Value>: Observable {
  /// Hears of every change. Held weakly.
  @exclusivity(unchecked) public weak var delegate: (any AsyncDataDelegate<Value>)?

  @exclusivity(unchecked) @usableFromInline var facts: AsyncSnapshot<Value>
  @exclusivity(unchecked) @usableFromInline var tracking = Tracking<AsyncDataParts>()

  /// The load that counts, if one runs.
  @exclusivity(unchecked) @usableFromInline var runningLoad: (any RunningLoad)?

  /// The hosts that display these data, in the order in which they were added.
  @exclusivity(unchecked) @usableFromInline var observers: [WeakObserver] = []

  /// Where ``observed`` begins; nil until somebody asks for it.
  @exclusivity(unchecked) @usableFromInline var source: InputNode<AsyncSnapshot<Value>>?

  /// The changes that are shown before they are confirmed; nil for none.
  @exclusivity(unchecked) @usableFromInline var patches: PendingPatches?

  /// What is not as in most: a seed, an age, a clock of one's own. Nil for none of it.
  @exclusivity(unchecked) @usableFromInline var settings: Settings?

  @usableFromInline let isSame: (Value, Value) -> Bool

  /// The changes that were made while one was being told: whether each is forced.
  @exclusivity(unchecked) @usableFromInline var untold: [Bool] = []
  @exclusivity(unchecked) @usableFromInline var isTelling = false

  /// The last load failed, though the error may have been taken away since.
  @exclusivity(unchecked) @usableFromInline var hasFailed = false

  /// How often value and error were written: whoever shows them compares.
  @exclusivity(unchecked) @usableFromInline var revision = Revision()

  // MARK: Making

  /// Facts with nothing known yet, that never grow stale by age.
  @inlinable
  public init() {
    facts = AsyncSnapshot()
    isSame = { Sameness.byIdentity($0, $1) }
  }

  /// Facts with nothing known yet, that never grow stale by age.
  @inlinable
  public init() where Value: Equatable {
    facts = AsyncSnapshot()
    isSame = { Sameness.byEquality($0, $1) }
  }

  /// Facts with nothing known yet but, perhaps, a seed.
  ///
  /// - Parameters:
  ///   - seed: What can be shown before the first answer, and again after a ``reset()``. It is provisional, and no
  ///     answer.
  ///   - staleAfter: The age at which an answer is stale; nil: never by age.
  ///   - clock: What measures ages, back-offs, timeouts and polling intervals of these facts.
  @inlinable
  public init(seed: Value? = nil, staleAfter: Duration? = nil, clock: any Clock<Duration> = ContinuousClock()) {
    facts = AsyncSnapshot(value: seed, isValueSet: false)
    settings = Settings(seed: seed, freshness: Freshness(staleAfter: staleAfter, clock: clock))
    isSame = { Sameness.byIdentity($0, $1) }
  }

  /// Facts with nothing known yet but, perhaps, a seed.
  ///
  /// - Parameters:
  ///   - seed: What can be shown before the first answer, and again after a ``reset()``. It is provisional, and no
  ///     answer.
  ///   - staleAfter: The age at which an answer is stale; nil: never by age.
  ///   - clock: What measures ages, back-offs, timeouts and polling intervals of these facts.
  @inlinable
  public init(seed: Value? = nil, staleAfter: Duration? = nil, clock: any Clock<Duration> = ContinuousClock())
  where Value: Equatable {
    facts = AsyncSnapshot(value: seed, isValueSet: false)
    settings = Settings(seed: seed, freshness: Freshness(staleAfter: staleAfter, clock: clock))
    isSame = { Sameness.byEquality($0, $1) }
  }

  deinit {
    runningLoad?.end(.cancelled)
    source?.close()
  }

  // MARK: Reading

  /// All that is known, in one reading.
  @inlinable
  public var snapshot: AsyncSnapshot<Value> {
    tracking.access(.facts)
    return facts
  }

  /// The last known value.
  ///
  /// Setting it is an answer by hand: the error goes, a load that runs is superseded, and nil means that there is
  /// nothing. Setting the same value again is told as forced: the same object for class instances, else `==` where
  /// `Value` is `Equatable`, else never.
  @inlinable
  public var value: Value? {
    get { snapshot.value }
    set {
      let isForced = facts.isValueSet && Sameness.holds(facts.value, newValue, by: isSame)
      change(ending: .superseded, forced: isForced) {
        $0.set(newValue)
        patches = nil
        noteAnswer()
      }
    }
  }

  /// The error that came last.
  ///
  /// Setting one supersedes a load that runs, and keeps the value. Setting nil takes the error away and nothing else.
  @inlinable
  public var error: (any Error)? {
    get { snapshot.error }
    set {
      change(ending: newValue == nil ? nil : .superseded) {
        $0.set(newValue)
        revision.error &+= 1
        if newValue != nil { hasFailed = true }
      }
    }
  }

  /// A load is running, or nothing is known yet.
  @inlinable
  public var isLoading: Bool { snapshot.isLoading }

  /// A load is running.
  @inlinable
  public var isRunning: Bool { snapshot.isRunning }

  /// There is reason to ask again: never settled, or invalidated, or the last load failed, or the age is reached.
  ///
  /// The age is compared with the clock when this is read. Nothing tells when it is reached.
  public var isStale: Bool {
    let snapshot = snapshot
    return !snapshot.isSettled || snapshot.isInvalidated || hasFailed || settings?.freshness.isExpired == true
  }

  /// The facts as an observed value, to bind to and to derive others from: `data.observed.isLoading`.
  ///
  /// Its ``Observed/value`` is the whole snapshot. The value in it is observed as `data.observed.map { $0.value }`.
  ///
  /// A token on it keeps the values, not the `AsyncData`.
  @inlinable
  public var observed: Observed<AsyncSnapshot<Value>> {
    if let source { return Observed(source) }
    let node = InputNode(facts, isEqual: nil)
    source = node
    return Observed(node)
  }

  // MARK: Writing

  /// Forgets everything but the seed. A load that runs is cancelled.
  @inlinable
  public func reset() {
    change(ending: .cancelled) {
      $0.reset(to: settings?.seed)
      patches = nil
      revision.value &+= 1
      hasFailed = false
    }
  }

  /// Declares what is known out of date, and tells it as forced. Only a load that starts from here on can settle that.
  @inlinable
  public func invalidate() {
    change(forced: true) { $0.invalidate() }
  }

  /// Ends the load that runs, if one does. Every fact but the activity stays as it is: a cancel is no error.
  @inlinable
  public func cancel() {
    guard runningLoad != nil else { return }
    change(ending: .cancelled) { $0.end() }
  }

  /// Value and error were answered, by hand or by a load.
  @inlinable
  func noteAnswer() {
    revision.value &+= 1
    hasFailed = false
    settings?.freshness.renew()
  }

  // MARK: Changing and telling

  /// The one way in which facts change: one cause, one change, one notification.
  ///
  /// - Parameters:
  ///   - reason: Why the load that runs is over, if somebody else ends it.
  ///   - newLoad: The load that runs instead.
  ///   - isForced: What the delegate hears.
  ///   - apply: Changes the facts. Runs no code of the user's.
  @inlinable
  func change(
    ending reason: LoadEnd? = nil, starting newLoad: (any RunningLoad)? = nil, forced isForced: Bool = false,
    _ apply: (inout AsyncSnapshot<Value>) -> Void
  ) {
    var ended = newLoad
    tracking.changing(.facts) {
      // What the former facts held is let go of when the new ones stand: code of the user's may run then.
      let former = (facts.value, facts.error, facts.activity)
      apply(&facts)
      if reason != nil { swap(&runningLoad, &ended) }
      withExtendedLifetime(former) {}
    }
    if let reason { ended?.end(reason) }
    tell(forced: isForced)
  }

  /// Tells of a change; or, in the middle of telling another, leaves it to whoever tells that one.
  @inlinable
  func tell(forced isForced: Bool) {
    if let source { _ = source.stage(facts) }
    guard !isTelling else { return untold.append(isForced) }
    isTelling = true
    tellNext(forced: isForced)
    while !untold.isEmpty {
      var batch: [Bool] = []
      swap(&batch, &untold)
      for isForced in batch { tellNext(forced: isForced) }
    }
    isTelling = false
  }

  @inlinable
  func tellNext(forced isForced: Bool) {
    source?.deliverNext()
    if !observers.isEmpty { notifyObservers(forced: isForced) }
    delegate?.asyncData(self, didInvalidateStateForced: isForced)
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
  /// - Returns: Whether the observer reloads the data. If so, no other is asked.
  func reloadRequested() -> Bool
}

extension AsyncData {
  @usableFromInline
  struct WeakObserver {
    weak var observer: (any AsyncDataObserver<Value>)?
  }

  /// Notifies `observer` of each change from now on. It is held weakly.
  func addObserver(_ observer: any AsyncDataObserver<Value>) {
    observers.removeAll { $0.observer == nil }
    observers.append(WeakObserver(observer: observer))
  }

  @usableFromInline
  func notifyObservers(forced isForced: Bool) {
    for entry in observers { entry.observer?.dataDidChange(self, forced: isForced) }
  }
}

extension AsyncData {
  /// What a reload control calls: the delegate reloads, or without one the first host.
  func requestReload() {
    if let delegate { return delegate.reloadAsyncData() }
    _ = observers.contains { $0.observer?.reloadRequested() == true }
  }

  /// How often value and error were written, without the type of the value.
  @usableFromInline var writes: Pacing.Writes { Pacing.Writes(value: revision.value, error: revision.error) }

  /// The handle of the load that is running; without one, of a load that has ended with what the data hold.
  @usableFromInline var currentLoad: LoadTask<Value> {
    if let running = runningLoad as? LoadTask<Value> { return running }
    guard facts.error == nil else { return LoadTask(endedWith: .failed(facts.error!)) }
    let load = LoadTask<Value>(endedWith: facts.isValueSet ? .answered : .ended(.cancelled))
    load.answer = facts.value
    return load
  }

  var seed: Value? { settings?.seed }

  /// A reset that ends the requests for any reason, keeps any value as the seed, and belongs to a greater change.
  ///
  /// - Parameters:
  ///   - value: Displayed until the next answer, provisional.
  ///   - reason: The outcome of the requests that run.
  ///   - write: The library's part of the same change. It runs in the middle of it, so it must not call user code.
  func reset(to value: Value?, ending reason: LoadEnd, alongside write: () -> Void) {
    change(ending: reason) {
      $0.reset(to: value)
      write()
      patches = nil
      revision.value &+= 1
      hasFailed = false
    }
  }
}

extension AsyncData {
  /// How often value and error were written. Only differences mean something.
  @usableFromInline
  struct Revision: Equatable {
    @usableFromInline var value: UInt32 = 0
    @usableFromInline var error: UInt32 = 0

    @inlinable
    init() {}
  }

  /// Changes that are shown before they are confirmed, in a box of their own: few facts ever have any.
  @usableFromInline
  final class PendingPatches {
    var ordered: OrderedPatches<Value>

    init(base: Value?) {
      ordered = OrderedPatches(base: base)
    }

    /// What is to be shown over a new base.
    @usableFromInline
    func rebased(on base: Value?) -> Value? {
      ordered.rebase(on: base)
      return ordered.value
    }
  }

  /// What few facts have: kept apart, so that the many stay small.
  @usableFromInline
  final class Settings {
    @usableFromInline let seed: Value?
    @usableFromInline var freshness: Freshness

    @usableFromInline
    init(seed: Value?, freshness: Freshness) {
      self.seed = seed
      self.freshness = freshness
    }
  }
}

/// The parts of an ``AsyncData`` that Observation tracks apart from each other.
@usableFromInline
struct AsyncDataParts: OptionSet {
  @usableFromInline let rawValue: UInt8

  @inlinable
  init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// All that is known.
  @usableFromInline static var facts: Self { Self(rawValue: 1) }
}
