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
/// `start` and `load` refresh: what is displayed stays. ``reload(isolation:)`` hides it. All calls share one request: while a
/// load runs, another call joins it and does not change its policies. Only ``reload(isolation:)`` and `refresh(replacing: true)`
/// supersede it.
///
/// A resource belongs to the main actor or to the actor that it names when it is created, and its operation always runs
/// there. It does not keep that actor alive, so it can be one of its properties.
public final class AsyncResource<Value>: Observable {
  /// The value, the error and the activity. Everything that can be done to data can be done to these.
  public let data: AsyncData<Value>

  /// Runs on the caller's actor, which is the resource's.
  typealias Operation = (LoadReporter<Value>) async throws -> Value?

  /// The operation for a load that starts now; nil if there is no key to load for, and in a preview.
  private let makeOperation: () -> Operation?

  /// The same for a further page; nil for a resource that is not loaded in pages.
  let makePages: (() -> (any PageSource<Value>)?)?

  /// How it is requested; nil: as its data.
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
  ///   - options: How long answers are fresh, and how values are requested.
  ///   - operation: Gets the value; nil: there is none. It runs on the main actor.
  public convenience init(
    seed: Value? = nil, options: LoadOptions = LoadOptions(), operation: @escaping @MainActor () async throws -> Value?
  ) {
    let operation = operationOnMainActor { (_: LoadReporter<Value>) in try await operation() }
    self.init(
      AsyncData(seed: seed, options: options), MainActor.shared, { operation })
  }

  /// A resource of the main actor, with an operation that yields values or reports progress while it runs.
  ///
  /// - Parameters:
  ///   - seed: Displayed before the first answer, and again after a reset. It is provisional, and no answer.
  ///   - options: How long answers are fresh, and how values are requested.
  ///   - operation: Gets the value; nil: there is none. It runs on the main actor.
  public convenience init(
    seed: Value? = nil, options: LoadOptions = LoadOptions(),
    operation: @escaping @MainActor (LoadReporter<Value>) async throws -> Value?
  ) {
    let operation = operationOnMainActor(operation)
    self.init(
      AsyncData(seed: seed, options: options), MainActor.shared, { operation })
  }

  /// A resource of any actor.
  ///
  /// As a property of an actor it is lazy, so that the actor can be named, or created in a method:
  ///
  /// ```swift
  /// lazy var rates = AsyncResource(isolation: self) { [bank] in try await bank.rates() }
  /// ```
  ///
  /// One whose operation uses the actor itself is created in a method: in an initial value the compiler does not isolate
  /// a closure to the actor.
  ///
  /// - Parameters:
  ///   - isolation: The actor that the resource belongs to. It is not kept alive.
  ///   - seed: Displayed before the first answer, and again after a reset. It is provisional, and no answer.
  ///   - options: How long answers are fresh, and how values are requested.
  ///   - operation: Gets the value; nil: there is none. It runs on the resource's actor.
  public convenience init(
    isolation: isolated any Actor, seed: Value? = nil, options: LoadOptions = LoadOptions(),
    operation: @escaping () async throws -> Value?
  ) {
    let operation: Operation = { _ in try await operation() }
    self.init(AsyncData(seed: seed, options: options), isolation, { operation })
  }

  /// A resource of any actor, with an operation that yields values or reports progress while it runs.
  ///
  /// - Parameters:
  ///   - isolation: The actor that the resource belongs to. It is not kept alive.
  ///   - seed: Displayed before the first answer, and again after a reset. It is provisional, and no answer.
  ///   - options: How long answers are fresh, and how values are requested.
  ///   - operation: Gets the value; nil: there is none. It runs on the resource's actor.
  public convenience init(
    isolation: isolated any Actor, seed: Value? = nil, options: LoadOptions = LoadOptions(),
    operation: @escaping (LoadReporter<Value>) async throws -> Value?
  ) {
    self.init(AsyncData(seed: seed, options: options), isolation, { operation })
  }

  /// A resource that is displayed and requests nothing: for previews.
  ///
  /// ```swift
  /// let articles = AsyncResource.preview(.failed(Offline(), keeping: ["Storm"]))
  /// ```
  ///
  /// Every request of it ends at once as cancelled, and changes nothing.
  ///
  /// - Parameter snapshot: What is displayed.
  public static func preview(_ snapshot: AsyncSnapshot<Value>) -> AsyncResource {
    AsyncResource(AsyncData(snapshot: snapshot), nil, { nil })
  }

  /// A resource whose requests fill these data, and call an operation that is made for each of them.
  package convenience init(
    filling data: AsyncData<Value>, home: (any Actor)?,
    makingOperation make: @escaping () -> (LoadReporter<Value>) async throws -> Value?
  ) {
    self.init(data, home, make)
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

  /// The actor that the resource belongs to; nil when it is being deallocated.
  var actor: (any Actor)? { home }

  // MARK: Requesting

  /// Loads, keeps what is displayed meanwhile, and waits for the end: for `.task` and `.refreshable`.
  ///
  /// The call wants the value, not one particular load: when a ``reload(isolation:)`` supersedes the load that it waits
  /// for, it waits for the new one, and a value or an error that is written meanwhile is its answer. Only a cancel, a
  /// reset, or leaving the key ends it without one.
  ///
  /// Cancelling the task that waits gives up its interest. The load ends when no other call waits and no
  /// ``start(when:isolation:)`` started it. In a task that is cancelled already the operation is not called.
  ///
  /// - Parameters:
  ///   - condition: When to request at all. If the value is fresh enough the outcome is `.notRequested`.
  ///   - isolation: The actor that the resource belongs to.
  /// - Returns: How the load ended. The data has changed by then.
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

  /// Requests the value as `load(when:)` does, without waiting for it: what it returns is awaited, in a task whose cancellation
  /// gives up the interest.
  package func call(when condition: LoadCondition, isolation: isolated any Actor) -> ResourceCall<Value> {
    guard !Task.isCancelled else { return ResourceCall(data, .ended(.cancelled)) }
    return request(when: condition, isolation: isolation)
  }

  /// The same, also in a task that is cancelled.
  func request(when condition: LoadCondition, isolation: isolated any Actor) -> ResourceCall<Value> {
    let condition = fitting(condition)
    if condition == .never {
      let (load, ticket) = lookUp(isPinned: false, isolation: isolation)
      return ResourceCall(data, refusedAs: load, ticket: ticket)
    }
    guard let operation = prepare(isolation, when: condition) else { return ResourceCall(data, .ended(.cancelled)) }
    guard data.meets(condition) else {
      let (load, ticket) = data.refused(condition, isPinned: false, isolation: isolation)
      return ResourceCall(data, refusedAs: load, ticket: ticket)
    }
    let call = loadCall(.refresh)
    return ResourceCall(data, .waiting(data.followingCall(call, isolation: isolation, operation: operation)))
  }

  /// Whether the value is fresh enough for a call, which requests nothing then. Before all else that a call does, because each
  /// cell of a list calls this whenever it is displayed. A key is compared first, and a preview answers nothing.
  @usableFromInline
  func isAnswered(when condition: LoadCondition, isolation: isolated any Actor) -> Bool {
    guard following == nil, data.isFresh(for: condition), let home else { return false }
    if home !== isolation { require(isolation) }
    if !data.state.core.features.isEmpty { data.features.source?.willRequest(when: condition) }
    return true
  }

  /// Starts a load that keeps what is displayed, and that runs until it settles.
  ///
  /// - Parameters:
  ///   - condition: When to request at all. If the value is fresh enough the outcome is `.notRequested`.
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

  /// - Parameter isForHolders: It is requested because it is held: it ends with the last holder, unless a call wants it.
  @usableFromInline
  func startRequest(
    when condition: LoadCondition, forHolders isForHolders: Bool = false, isolation: isolated any Actor
  ) -> LoadTask<Value> {
    let condition = fitting(condition)
    if condition == .never { return LoadTask(lookUp(isPinned: true, isolation: isolation).load) }
    guard let operation = prepare(isolation, when: condition) else {
      return .cancelled
    }
    guard data.meets(condition) else {
      return LoadTask(data.refused(condition, isPinned: true, isolation: isolation).load)
    }
    var call = loadCall(.refresh)
    call.isForHolders = isForHolders
    return start(call, isolation: isolation, operation)
  }

  /// Starts a load that keeps what is displayed, as ``start(when:isolation:)`` does.
  ///
  /// - Parameters:
  ///   - replacing: Whether to supersede a request that is running instead of joining it: for a pull on a request that
  ///     hangs. Callers that wait for the value wait for the new request.
  ///   - isolation: The actor that the resource belongs to.
  /// - Returns: A handle to wait for the end, or to cancel the load.
  @discardableResult
  public func refresh(replacing: Bool = false, isolation: isolated any Actor = #isolation) -> LoadTask<Value> {
    replacing ? start(.refresh, anew: true, isolation: isolation) : start(isolation: isolation)
  }

  /// Starts a load that hides what is displayed, and supersedes one that is running.
  ///
  /// The data keeps its value meanwhile: a cancel displays it again.
  ///
  /// - Parameter isolation: The actor that the resource belongs to.
  /// - Returns: A handle to wait for the end, or to cancel the load.
  @discardableResult
  public func reload(isolation: isolated any Actor = #isolation) -> LoadTask<Value> {
    start(.reload, anew: true, isolation: isolation)
  }

  /// Starts a load.
  ///
  /// - Parameters:
  ///   - pages: What a refresh of a list in pages requests; nil: as the resource has it.
  ///   - isAnew: No request from before joins it, and it supersedes one that is running.
  func start(
    _ mode: LoadMode, _ pages: PageRefresh? = nil, anew isAnew: Bool, isolation: isolated any Actor
  ) -> LoadTask<Value> {
    if isAnew { generation += 1 }
    guard var operation = prepare(isolation, when: .always) else { return .cancelled }
    if let pages { operation = Self.operation(operation, requesting: pages) }
    return start(loadCall(mode), isolation: isolation, operation)
  }

  private func start(
    _ call: LoadCall, isolation: isolated any Actor, _ operation: @escaping Operation
  ) -> LoadTask<Value> {
    LoadTask(data.request(call, isPinned: true, isolation: isolation, reporting: operation).load)
  }

  /// Loads, waits, and loads again, until the interval is nil or the task is cancelled.
  ///
  /// Each load is a refresh and joins one that is running. An error does not end the polling; the interval may.
  ///
  /// - Parameters:
  ///   - interval: How long to wait before the next load, counted from the end of the last request, those of others
  ///     included, less than zero being zero; nil: that was the last. It is computed from the snapshot after each load,
  ///     and where the time has come, but another request has ended meanwhile.
  ///   - isWanted: While it does not hold, as while no screen displays the value, no further load begins; nil: it always
  ///     holds. When it holds again, the next load begins, if its time has come.
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
  ///   - interval: How long to wait before the next load, counted from the end of the last request, those of others
  ///     included.
  ///   - isWanted: While it does not hold, as while no screen displays the value, no further load begins; nil: it always
  ///     holds. When it holds again, the next load begins, if its time has come.
  ///   - isolation: The actor that the resource belongs to.
  public func poll(
    every interval: Duration, while isWanted: Observed<Bool>? = nil, isolation: isolated any Actor = #isolation
  ) async {
    await poll(every: { _ in interval }, while: isWanted, isolation: isolation)
  }

  /// A value that follows a stream is as new as another request would make it.
  private func fitting(_ condition: LoadCondition) -> LoadCondition {
    data.isLive && condition != .never ? .stale : condition
  }

  /// What is there, in memory or in the store. A key is not followed by that.
  private func lookUp(isPinned: Bool, isolation: isolated any Actor) -> (load: Load<Value>, ticket: Int) {
    require(isolation)
    catchUp()
    data.features.source?.willRequest(when: .never)
    return data.refused(.never, isPinned: isPinned, isolation: isolation)
  }

  /// The state that all loads share, until the next reload.
  private var id: LoadID { LoadID(generation) }

  private func loadCall(_ mode: LoadMode) -> LoadCall { LoadCall(mode, id, policy ?? data.policy()) }

  /// A call was made: the key is followed from now on, and a delay is over.
  ///
  /// - Returns: The operation to call; nil if there is no key.
  private func prepare(_ isolation: isolated any Actor, when condition: LoadCondition) -> Operation? {
    require(isolation)
    data.features.source?.willRequest(when: condition)
    followKey()
    guard let operation = makeOperation() else {
      if following != nil { data.apply(.keyMissing) }
      return nil
    }
    return answering(operation)
  }

  private func answering(_ operation: @escaping Operation) -> Operation {
    // That of a family is called, with its store, by the entry.
    if data.keeper != nil { return operation }
    return { reporter in try await Self.answer(of: operation, reporter, isolation: #isolation) }
  }

  /// How the whole value is requested for the present key; nil if there is none.
  func listRequest() -> ListRequest<Value>? {
    makeOperation().map { ListRequest(id: id, operation: LoadOperation(answering($0))) }
  }

  private static func operation(
    _ operation: @escaping Operation, requesting pages: PageRefresh
  ) -> Operation {
    { reporter in
      reporter.load.requiredExtras.pages = pages
      // Requested again by itself, it is requested as ever.
      reporter.body = LoadOperation(operation)
      return try await operation(reporter)
    }
  }

  /// Calls an operation. One that gets what it needs from another resource, of which there is nothing, has nothing itself;
  /// one that gets what has no key ends without an answer.
  static func answer(
    of operation: Operation, _ reporter: LoadReporter<Value>, isolation: isolated (any Actor)?
  ) async throws -> Value? {
    do {
      return try await operation(reporter)
    } catch is NoDataError {
      return nil
    } catch is NoKeyError {
      reporter.load.state.lackedKey = true
      throw CancellationError()
    }
  }

  /// Stops if this is not the resource's actor: the operation would touch what belongs to another.
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
  /// The last value. A value that the server pushes is given to ``receive(_:)``, a change to ``update(_:)``; an answer by hand
  /// is set on ``data``.
  public var value: Value? { current.value }
  /// The last error.
  public var error: (any Error)? { current.error }
  /// Whether a load is running.
  public var isRunning: Bool { current.isRunning }
  /// Whether the running load waits for its ``LoadGate``.
  public var isWaiting: Bool { current.isWaiting }
  /// Whether there is a reason to request again. No notification is sent when the value becomes stale.
  public var isStale: Bool { current.isStale }
  /// The snapshot as an observed value: `resource.observed.isRunning`.
  public var observed: Observed<AsyncSnapshot<Value>> { current.observed }

  /// The meaning of the snapshot for a screen. A view that reads it is not invalidated by progress.
  public func status(policy: DisplayPolicy<Value> = DisplayPolicy()) -> AsyncStatus<Value> {
    current.status(policy: policy)
  }

  /// Takes a whole value that was not requested, as ``AsyncData/receive(_:)`` says.
  public func receive(_ value: Value?) { dataToWrite.receive(value) }
  /// Changes the value as something has changed it already, as ``AsyncData/update(_:)`` says.
  public func update(_ change: @escaping (inout Value) -> Void) { dataToWrite.update(change) }

  /// Cancels the load that is running. Everything but the activity stays as it is.
  public func cancel() { current.cancel() }
  /// Marks the value stale and notifies. Only a load that starts after this call clears the mark.
  public func invalidate() { current.invalidate() }
  /// Removes everything but the seed. A load that is running is cancelled. A request is expected next.
  public func reset() { current.reset() }
  /// Removes everything but the seed. A load that is running is cancelled, and no request is expected: for a log-out.
  public func forget() { current.forget() }

  /// Whether there is something to request: not where there is no key.
  package var hasKey: Bool {
    _ = current
    guard let following else { return true }
    _ = following.key.isOutdated
    return following.key.isNextKnown
  }

  /// Whether a request calls an operation: not in a preview, and not without a key.
  package var canRequest: Bool { !isPreview && hasKey }

  /// Whether it is only displayed, and cannot be requested.
  package var isPreview: Bool { home == nil }

  /// The same, about to be written: the next key removes what is written, also if nothing was requested.
  var dataToWrite: AsyncData<Value> {
    noteKey()
    return current
  }

  /// The data of the key as it is by now, though the key's observers may be being notified.
  var current: AsyncData<Value> {
    catchUp()
    return data
  }
}

extension AsyncResource: CustomStringConvertible {
  /// The type, the value and the load that runs, as in `AsyncResource<Int>: nothing known, loading`.
  ///
  /// Call it on the actor of the resource.
  public var description: String { "\(Self.self): \(data.content)" }
}
