// SPDX-License-Identifier: MIT
public import Observation

/// Data, and the operation that fills them: written once, requested from anywhere.
///
/// ```swift
/// @MainActor
/// final class ArticlesScreen {
///   let articles = AsyncResource { try await Service.shared.articles() }
///
///   func viewDidLoad() { articles.start() }
///   func pullToRefresh() async { await articles.load() }
/// }
/// ```
///
/// `start` and `load` refresh: the content stays visible. ``reload(isolation:)`` hides it. All calls share one request: while a
/// load runs, another call joins it and does not change its policies. Only ``reload(isolation:)`` and
/// `refresh()` supersede it.
///
/// A resource belongs to the main actor or to the actor that it names when it is created, and its operation always runs
/// there. It does not keep that actor alive, so it can be one of its properties.
public final class AsyncResource<Value>: Observable {
  /// The value, the error and the activity. Use it for everything that the resource itself does not offer.
  public let data: AsyncData<Value>

  typealias Operation = SourceKind<Value>.Operation

  /// The operation for a load that starts now; nil if there is no key to load for, for several resources together, and in a
  /// preview.
  private let makeOperation: () -> Operation?

  /// The pages for a request of a further page; nil for a resource that is not loaded in pages.
  let makePages: (() -> (any PageSource<Value>)?)?

  /// The policy of its requests; nil: that of its data.
  private let policy: RequestPolicy?

  private weak var home: (any Actor)?

  /// The key that the operation depends on; nil for a resource without a key.
  let following: KeyFollower?

  /// Counts the reloads: their loads do not join those from before.
  private var generation = 0

  // MARK: Creating

  /// A resource of the main actor.
  ///
  /// It can be the initial value of a stored or lazy property.
  ///
  /// - Parameters:
  ///   - seed: Displayed before the first answer, and again after a reset. It is provisional, and no answer.
  ///   - options: The options of requests, and the time for which answers are fresh.
  ///   - operation: Gets the value; nil: there is none. It runs on the main actor.
  public convenience init(
    seed: Value? = nil, options: LoadOptions = LoadOptions(), operation: @escaping @MainActor () async throws -> Value?
  ) {
    let operation = operationOnMainActor { (_: LoadReporter<Value>) in try await operation() }
    self.init(
      AsyncData(seed: seed, options: options), MainActor.shared, { operation })
  }

  /// A resource of the main actor, of any source: in pages, as a stream, or with an operation that reports while it runs.
  ///
  /// ```swift
  /// let messages = AsyncResource(.live { try await socket.messages() })
  /// ```
  ///
  /// - Parameters:
  ///   - seed: Displayed before the first answer, and again after a reset. It is provisional, and no answer.
  ///   - options: The options of requests, and the time for which answers are fresh.
  ///   - source: The way in which the value is got.
  public convenience init(seed: Value? = nil, options: LoadOptions = LoadOptions(), _ source: AsyncSource<Value>) {
    self.init(AsyncData(seed: seed, options: options), MainActor.shared, source.kind)
  }

  /// A resource of any actor, of any source.
  ///
  /// As a property of an actor it is lazy, so that the actor can be named, or created in a method:
  ///
  /// ```swift
  /// lazy var rates = AsyncResource(isolation: self) { [bank] in .value { try await bank.rates() } }
  /// ```
  ///
  /// A capture list stands at the closure that makes the source, as there. One whose operation uses the actor itself is created in a
  /// method: in an initial value the compiler does not isolate a closure to the actor.
  ///
  /// - Parameters:
  ///   - isolation: The actor that the resource belongs to. It is not kept alive.
  ///   - seed: Displayed before the first answer, and again after a reset. It is provisional, and no answer.
  ///   - options: The options of requests, and the time for which answers are fresh.
  ///   - source: Makes the way in which the value is got. It is called once, at once.
  public convenience init(
    isolation: isolated any Actor, seed: Value? = nil, options: LoadOptions = LoadOptions(),
    source: () -> ActorSource<Value>
  ) {
    self.init(AsyncData(seed: seed, options: options), isolation, source().kind)
  }

  /// A resource that displays a snapshot and requests nothing: for previews.
  ///
  /// ```swift
  /// let articles = AsyncResource.preview(.failed(Offline(), keeping: ["Storm"]))
  /// ```
  ///
  /// Every request of it ends at once as cancelled, and changes nothing.
  ///
  /// - Parameter snapshot: The snapshot to display.
  public static func preview(_ snapshot: AsyncSnapshot<Value>) -> AsyncResource {
    AsyncResource(AsyncData(snapshot: snapshot), nil, { nil })
  }

  /// A resource whose requests fill this data, and call an operation that is made for each of them.
  package convenience init(
    filling data: AsyncData<Value>, home: (any Actor)?,
    makingOperation make: @escaping () -> (LoadReporter<Value>) async throws -> Value?
  ) {
    self.init(data, home, make)
  }

  private convenience init(_ data: AsyncData<Value>, _ home: any Actor, _ kind: SourceKind<Value>) {
    let operation = kind.operation
    self.init(data, home, { operation }, pages: kind.pages.map { pages in { pages } })
    use(kind)
  }

  init(
    _ data: AsyncData<Value>, _ home: (any Actor)?, _ makeOperation: @escaping () -> Operation?,
    following: KeyFollower? = nil, pages: (() -> (any PageSource<Value>)?)? = nil, policy: RequestPolicy? = nil
  ) {
    self.data = data
    self.home = home
    self.makeOperation = makeOperation
    makePages = pages
    self.policy = policy
    self.following = following
    attachKey()
  }

  /// Prepares the data for a source.
  func use(_ source: SourceKind<Value>) {
    data.setLive(source.isLive)
    data.setLifetime(source.lifetime)
    if source.isMadeOfOthers, data.madeOf == nil { data.state.core.features.set(MadeOf(self)) }
  }

  /// The actor that the resource belongs to; nil when it is being deallocated.
  var actor: (any Actor)? { home }

  // MARK: Requesting

  /// Loads, keeps the content visible, and waits for the end: for `.task` and `.refreshable`.
  ///
  /// The call wants the value, not one particular load: when a ``reload(isolation:)`` supersedes the load that it waits for, it
  /// waits for the new one, and a value or an error that is written before its end is its answer. Only a cancel, a reset, or
  /// another key ends it without one.
  ///
  /// It joins a request that runs, whose answer may be from before a request of the app's own: after that, call ``invalidate()``
  /// first, and another request follows the running one.
  ///
  /// Cancelling the task that waits gives up its interest. The load ends when no other call waits and no
  /// ``start(when:isolation:)`` started it. In a task that is cancelled already the operation is not called.
  ///
  /// - Parameters:
  ///   - condition: The condition for the request. If the value is fresh enough the outcome is `.notRequested`.
  ///   - isolation: The actor that the resource belongs to.
  /// - Returns: The outcome of the load. The data has changed before this returns.
  @inlinable
  @discardableResult
  public func load(
    when condition: LoadCondition = .always, isolation: isolated any Actor = #isolation
  ) async -> AsyncOutcome<Value?> {
    if !Task.isCancelled, isAnswered(when: condition, isolation: isolation) { return .notRequested(data.displayed) }
    return await request(when: condition, isolation: isolation)
  }

  @usableFromInline
  func request(when condition: LoadCondition, isolation: isolated any Actor) async -> AsyncOutcome<Value?> {
    await call(when: condition, isolation: isolation).outcome(isolation: isolation)
  }

  /// Requests the value as `load(when:)` does, without waiting for it. The caller awaits the result in a task whose
  /// cancellation gives up the interest.
  package func call(when condition: LoadCondition, isolation: isolated any Actor) -> ResourceCall<Value> {
    guard !Task.isCancelled else { return ResourceCall(data, .ended(.cancelled)) }
    return request(when: condition, isolation: isolation)
  }

  /// The same, also in a task that is cancelled.
  func request(when condition: LoadCondition, isolation: isolated any Actor) -> ResourceCall<Value> {
    let condition = fitting(condition)
    guard let operation = prepare(isolation, when: condition) else {
      guard let combination else { return ResourceCall(data, .ended(.cancelled)) }
      return ResourceCall(data, .several(combination.calls(when: condition, isolation: isolation)))
    }
    guard data.meets(condition) else { return ResourceCall(data, .ended(.notRequested(data.valueOfKey))) }
    let call = loadCall(.refresh)
    // Before a reader changes it, who is notified of the beginning.
    let key = data.revision.key
    let following = data.followingCall(call, isolation: isolation, operation: operation)
    return ResourceCall(data, .waiting(following), forKey: key)
  }

  /// True if the value is fresh enough for a call, which then requests nothing. Checked first, because each cell of a list
  /// calls this whenever it is displayed. Not for a resource with a key, which must be compared first, or in a preview.
  @usableFromInline
  func isAnswered(when condition: LoadCondition, isolation: isolated any Actor) -> Bool {
    guard following == nil, data.isFresh(for: condition), let home else { return false }
    if home !== isolation { require(isolation) }
    if !data.state.core.features.isEmpty { data.features.source?.willRequest(when: condition) }
    return true
  }

  /// Starts a load that keeps the content visible, and that runs until it settles.
  ///
  /// - Parameters:
  ///   - condition: The condition for the request. If the value is fresh enough the outcome is `.notRequested`.
  ///   - isolation: The actor that the resource belongs to.
  /// - Returns: A handle to wait for the end, or to cancel the load.
  @inlinable
  @discardableResult
  public func start(
    when condition: LoadCondition = .always, isolation: isolated any Actor = #isolation
  ) -> LoadTask<Value> {
    if isAnswered(when: condition, isolation: isolation) { return LoadTask(endedWith: .fresh, answer: data.displayed) }
    return startRequest(when: condition, isolation: isolation)
  }

  /// - Parameter isAgain: True if no caller has started it.
  @usableFromInline
  func startRequest(
    when condition: LoadCondition, again isAgain: Bool = false, isolation: isolated any Actor
  ) -> LoadTask<Value> {
    let condition = fitting(condition)
    guard let operation = prepare(isolation, when: condition, again: isAgain) else {
      return combination?.request(.start(when: condition), isolation: isolation) ?? .cancelled
    }
    guard data.meets(condition) else { return LoadTask(endedWith: .fresh, answer: data.valueOfKey) }
    return start(loadCall(.refresh), isolation: isolation, operation)
  }

  /// Starts a load that keeps the content visible, and supersedes a running one: for a pull, and for a button that requests again.
  /// Callers that wait for the value wait for the new request.
  ///
  /// - Parameter isolation: The actor that the resource belongs to.
  /// - Returns: A handle to wait for the end, or to cancel the load.
  @discardableResult
  public func refresh(isolation: isolated any Actor = #isolation) -> LoadTask<Value> {
    startAnew(.refresh, isolation: isolation)
  }

  /// Starts a load that hides the content, and supersedes a running one.
  ///
  /// The data keeps its value during the load: a cancel displays it again.
  ///
  /// - Parameter isolation: The actor that the resource belongs to.
  /// - Returns: A handle to wait for the end, or to cancel the load.
  @discardableResult
  public func reload(isolation: isolated any Actor = #isolation) -> LoadTask<Value> {
    startAnew(.reload, isolation: isolation)
  }

  /// Starts a load that no earlier request joins, and that supersedes a running one.
  ///
  /// - Parameters:
  ///   - pages: The pages that a refresh of a list requests; nil: all.
  ///   - isAgain: True if no caller has started it.
  func startAnew(
    _ mode: LoadMode, _ pages: PageRefresh? = nil, again isAgain: Bool = false, isolation: isolated any Actor
  ) -> LoadTask<Value> {
    generation += 1
    guard var operation = prepare(isolation, when: .always, again: isAgain) else {
      return combination?.request(mode == .reload ? .reload : .refresh, isolation: isolation) ?? .cancelled
    }
    if let pages { operation = Self.operation(operation, requesting: pages) }
    return start(loadCall(mode), isolation: isolation, operation)
  }

  /// Requests the value again, for a board or because what it is made of has changed.
  ///
  /// - Parameter former: The load whose place the request takes, with the pages that it has requested.
  func request(superseding former: LoadRun?, isolation: isolated any Actor) -> LoadRun? {
    guard let former else { return startRequest(when: .always, again: true, isolation: isolation).load }
    return startAnew(.refresh, former.state.extras?.pages, again: true, isolation: isolation).load
  }

  private func start(
    _ call: LoadCall, isolation: isolated any Actor, _ operation: @escaping Operation
  ) -> LoadTask<Value> {
    LoadTask(data.request(call, isPinned: true, isolation: isolation, reporting: operation).load)
  }

  /// Loads, waits, and loads again, until the interval is nil or the task is cancelled.
  ///
  /// Each load is a refresh and joins a running one. An error does not end the polling; the interval may.
  ///
  /// - Parameters:
  ///   - interval: The time to wait before the next load, counted from the end of the last request, of this or another caller;
  ///     less than zero is zero, and nil ends the polling. It is computed from the snapshot after each load, and again when it
  ///     has passed and another request has ended during it.
  ///   - isWanted: While it does not hold, such as while no screen displays the value, no further load begins; nil: it always
  ///     holds. When it holds again, the next load begins, if it is due.
  ///   - isolation: The actor that the resource belongs to.
  public func poll(
    every interval: (AsyncSnapshot<Value>) -> Duration?, while isWanted: Observed<Bool>? = nil,
    isolation: isolated any Actor = #isolation
  ) async {
    let turns = PollTurns(of: data, while: isWanted, on: isolation)
    guard await turns.begins(isolation: isolation) else { return }
    repeat {
      await load(isolation: isolation)
    } while await turns.continues(isolation: isolation, after: interval)
  }

  /// Loads, waits for `interval`, and loads again, until the task is cancelled.
  ///
  /// - Parameters:
  ///   - interval: The time to wait before the next load, counted from the end of the last request, of this or another caller.
  ///   - isWanted: While it does not hold, such as while no screen displays the value, no further load begins; nil: it always
  ///     holds. When it holds again, the next load begins, if it is due.
  ///   - isolation: The actor that the resource belongs to.
  public func poll(
    every interval: Duration, while isWanted: Observed<Bool>? = nil, isolation: isolated any Actor = #isolation
  ) async {
    await poll(every: { _ in interval }, while: isWanted, isolation: isolation)
  }

  /// The condition for a live value: while its stream is open, another request would not make it newer.
  private func fitting(_ condition: LoadCondition) -> LoadCondition {
    data.isLive ? .stale : condition
  }

  /// All calls join a running load, until the next one that supersedes it.
  private func loadCall(_ mode: LoadMode) -> LoadCall { LoadCall(mode, generation, policy ?? data.policy) }

  /// Prepares a call: the key is followed from now on, and a delay is over.
  ///
  /// - Parameter isAgain: True if no caller has made it.
  /// - Returns: The operation to call; nil if there is no key.
  private func prepare(
    _ isolation: isolated any Actor, when condition: LoadCondition, again isAgain: Bool = false
  ) -> Operation? {
    require(isolation)
    data.features.source?.willRequest(when: condition)
    if !isAgain, condition != .stale { data.madeOf?.noteCall() }
    followKey()
    guard let operation = makeOperation() else {
      if following != nil { data.apply(.keyMissing) }
      return nil
    }
    return answering(operation)
  }

  private func answering(_ operation: @escaping Operation) -> Operation {
    // The entry of a family calls the operation, together with its store.
    if data.keeper != nil { return operation }
    return { reporter in try await Self.answer(of: operation, reporter, isolation: #isolation) }
  }

  private static func operation(
    _ operation: @escaping Operation, requesting pages: PageRefresh
  ) -> Operation {
    { reporter in
      reporter.load.requiredExtras.pages = pages
      return try await operation(reporter)
    }
  }

  /// Calls an operation. If it reads another resource that has no data, it has no data itself; if it reads one that has no key,
  /// it ends without an answer.
  static func answer(
    of operation: Operation, _ reporter: LoadReporter<Value>, isolation: isolated (any Actor)?
  ) async throws -> Value? {
    do {
      return try await operation(reporter)
    } catch is NoDataError {
      return nil
    } catch is NoKeyError {
      reporter.load.endWithoutKey()
      throw CancellationError()
    }
  }

  /// Stops if this is not the resource's actor: the operation would access objects of another actor.
  func require(_ isolation: isolated any Actor) {
    guard let home, home !== isolation else { return }
    fatalError(
      """
      AsyncState: an AsyncResource that belongs to \(home) was loaded from \(isolation). Its operation would run \
      on another actor than its data. Without `isolation:` a resource belongs to the main actor; one of another actor \
      is created with `AsyncResource(isolation: self) { … }`.
      """)
  }
}

// MARK: - Reading

extension AsyncResource {
  /// The value, the error and the activity, in one reading.
  public var snapshot: AsyncSnapshot<Value> { current.snapshot }
  /// The last value. A value that is set is an answer by hand, as of ``AsyncData/value``: use ``receive(_:)`` for a value that
  /// the server pushes, and ``update(_:)`` for a change.
  public var value: Value? {
    get { current.value }
    set { dataToWrite.value = newValue }
  }
  /// The last error.
  public var error: (any Error)? { current.error }
  /// True if a load is running, or is expected: for an indicator in the place of content.
  public var isLoading: Bool { current.isLoading }
  /// True while a load is running.
  public var isRunning: Bool { current.isRunning }
  /// True while the running load waits for its ``LoadGate``.
  public var isWaiting: Bool { current.isWaiting }
  /// True if there is a reason to request again. No notification is sent when the value becomes stale.
  public var isStale: Bool { current.isStale }
  /// The snapshot as an observed value: `resource.observed.isRunning`.
  public var observed: Observed<AsyncSnapshot<Value>> { current.observed }

  /// The meaning of the snapshot for a screen, by the default policy. A view that reads it is not invalidated by progress.
  public var status: AsyncStatus<Value> { current.status }
  /// The meaning of the snapshot for a screen. A view that reads it is not invalidated by progress.
  public func status(policy: DisplayPolicy<Value>) -> AsyncStatus<Value> { current.status(policy: policy) }

  /// Takes a whole value that was not requested, like ``AsyncData/receive(_:)``.
  public func receive(_ value: Value?) { dataToWrite.receive(value) }
  /// Applies a change that has already been made elsewhere, like ``AsyncData/update(_:)``.
  public func update(_ change: @escaping (inout Value) -> Void) { dataToWrite.update(change) }

  /// Ends the running load, calls that wait for the next one, page requests, the delay of a followed key, and the stream of a
  /// live value, like ``AsyncData/cancel()``. Value and error stay.
  public func cancel() { current.cancel() }
  /// Marks the value stale and notifies. Only a load that starts after this call clears the mark.
  public func invalidate() { current.invalidate() }
  /// Removes everything but the seed. A running load is cancelled. A request is expected next, unless there is no key.
  public func reset() { current.reset() }
  /// Removes everything but the seed. A running load is cancelled, and no request is expected: for a log-out.
  public func forget() { current.forget() }

  /// True if the value can be requested: false without a key.
  package var hasKey: Bool {
    _ = current
    guard let following else { return combination?.hasKey ?? true }
    _ = following.key.isOutdated
    return following.key.isNextKnown
  }

  /// True if a request calls an operation: not in a preview, and not without a key.
  package var canRequest: Bool { !isPreview && hasKey }

  /// The handle of the last request, if it runs; otherwise of one that has ended with the present value or error.
  var currentLoad: LoadTask<Value> { combination?.currentLoad ?? data.currentLoad }

  /// True if it only displays a snapshot, and cannot be requested.
  package var isPreview: Bool { home == nil }

  /// The same data, about to be written: the next key removes the written value, even if nothing was requested.
  var dataToWrite: AsyncData<Value> {
    noteKey()
    return current
  }

  /// The data of the present key, even while the key's observers are being notified.
  var current: AsyncData<Value> {
    catchUp()
    return data
  }
}

extension AsyncResource: CustomStringConvertible {
  /// The type, the value and the running load, as in `AsyncResource<Int>: nothing known, loading`.
  ///
  /// Call it on the actor of the resource.
  public var description: String { "\(Self.self): \(data.content)" }
}
