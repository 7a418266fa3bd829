// SPDX-License-Identifier: MIT
public import Observation

/// A command: what a screen sends, with a status, one request for a double tap, and a retry.
///
/// ```swift
/// @MainActor
/// final class SignUpScreen {
///   let signUp = AsyncMutation { (form: Form) in try await Service.shared.signUp(form) }
///
///   func tapped(_ form: Form) { signUp.perform(form) }
/// }
/// ```
///
/// ``perform(_:isolation:)`` sends an input. While it runs, ``MutationOverlap`` says what another call does: by default an
/// equal input joins it, so that a double tap is one request, and another one waits. A write is not undone by cancelling
/// it: the server may have done it already.
///
/// A mutation belongs to the main actor or to the actor that it names when it is created, and its operation always runs
/// there. It does not keep that actor alive. Its last reference may be released on any thread: a request that runs is
/// then cancelled.
public final class AsyncMutation<Input, Output>: Observable {
  /// Runs on the caller's actor, which is the mutation's.
  typealias Operation = (Input, MutationReporter) async throws -> Output
  typealias Run = MutationRun<Input, Output>

  /// The output and the error of the last request, and the activity of the one that runs.
  package let data: AsyncData<Output>

  let operation: Operation
  private let overlap: MutationOverlap
  private weak var home: (any Actor)?
  private var effects: [Effect] = []
  /// One of the effects displays something while an input waits.
  private(set) var displaysChanges = false
  /// The run that was begun last, and those that it has superseded and whose effects have not ended. In order.
  private var active: [Run] = []
  private var queue = WaitingLine<Run>()
  /// The run that the error belongs to.
  var failed: Run?
  /// Stores inputs before they are sent; nil: they are not stored.
  private(set) var outbox: Outbox<Input, Output>?
  /// The request that the activity is of, with an outbox.
  var shown: (run: Run, load: PendingLoad<Output>?)?

  // MARK: Creating

  /// A mutation of the main actor. It can be the initial value of a stored or lazy property.
  ///
  /// - Parameters:
  ///   - overlap: What a call does while another one runs.
  ///   - options: How inputs are sent: retries, timeout, interceptors, and the clock.
  ///   - operation: Sends the input, and returns what the server has answered. It runs on the main actor.
  public convenience init(
    overlap: MutationOverlap = .join, options: LoadOptions = LoadOptions(),
    operation: @escaping @MainActor (Input) async throws -> Output
  ) {
    self.init(overlap: overlap, options: options) { (input: Input, _: MutationReporter) in try await operation(input) }
  }

  /// A mutation of the main actor, with an operation that takes an idempotency key or reports progress. It can be the
  /// initial value of a stored or lazy property.
  ///
  /// - Parameters:
  ///   - overlap: What a call does while another one runs.
  ///   - options: Retries, the longest time of all attempts together, and the clock that measures both.
  ///   - operation: Sends the input, and returns what the server has answered. It runs on the main actor.
  public convenience init(
    overlap: MutationOverlap = .join, options: LoadOptions = LoadOptions(),
    operation: @escaping @MainActor (Input, MutationReporter) async throws -> Output
  ) {
    self.init(MainActor.shared, overlap, options, operationOnMainActor(operation))
  }

  /// A mutation of any actor.
  ///
  /// - Parameters:
  ///   - isolation: The actor that the mutation belongs to. It is not kept alive.
  ///   - overlap: What a call does while another one runs.
  ///   - options: How inputs are sent: retries, timeout, interceptors, and the clock.
  ///   - operation: Sends the input, and returns what the server has answered. It runs on the mutation's actor.
  public convenience init(
    isolation: isolated any Actor, overlap: MutationOverlap = .join, options: LoadOptions = LoadOptions(),
    operation: @escaping (Input) async throws -> Output
  ) {
    self.init(isolation, overlap, options) { input, _ in try await operation(input) }
  }

  /// A mutation of any actor, with an operation that takes an idempotency key or reports progress.
  ///
  /// - Parameters:
  ///   - isolation: The actor that the mutation belongs to. It is not kept alive.
  ///   - overlap: What a call does while another one runs.
  ///   - options: Retries, the longest time of all attempts together, and the clock that measures both.
  ///   - operation: Sends the input, and returns what the server has answered. It runs on the mutation's actor.
  public convenience init(
    isolation: isolated any Actor, overlap: MutationOverlap = .join, options: LoadOptions = LoadOptions(),
    operation: @escaping (Input, MutationReporter) async throws -> Output
  ) {
    self.init(isolation, overlap, options, operation)
  }

  init(
    _ home: any Actor, _ overlap: MutationOverlap, _ options: LoadOptions, _ operation: @escaping Operation,
    _ outbox: OutboxSettings<Input>? = nil
  ) {
    data = AsyncData(options: options)
    self.home = home
    self.overlap = overlap
    self.operation = operation
    data.addObserver(self)
    if let outbox { self.outbox = Outbox(outbox, of: self, on: home) }
  }

  deinit {
    guard let home else { return }
    if let outbox { ActorBound(outbox, to: home).send { $0.close() } }
    guard !active.isEmpty || !queue.isEmpty else { return }
    var runs = active
    while let run = queue.takeFirst() { runs.append(run) }
    // The data, which is released with the mutation, ends the load that runs.
    ActorBound(runs, to: home).send { for run in $0 { run.end(with: run.load?.ending) } }
  }

  // MARK: Reading

  /// Whether nothing was sent, something is being sent, or how the last request ended.
  ///
  /// While a request runs it is the status, whatever was before. A cancelled request leaves the status as it was.
  public var status: MutationStatus<Input, Output> {
    let snapshot = data.snapshot
    if snapshot.isRunning, let run = shown?.run ?? active.last { return .running(run.input) }
    if let error = snapshot.error, let failed = failedRun { return .failed(error, failed.input) }
    if snapshot.isValueSet, let output = snapshot.value { return .succeeded(output) }
    return .idle
  }

  /// Whether a request runs: to disable a button, or to show an indicator in it.
  public var isRunning: Bool { data.isRunning }

  /// Whether the request that runs waits for the ``LoadGate`` of the options: nothing was sent yet, or an attempt has
  /// failed. With an outbox, inputs wait there.
  public var isWaiting: Bool { data.isWaiting }

  /// The error of the last request, until another one succeeds, or a reset. It stays while the retry runs.
  public var error: (any Error)? { data.error }

  /// The output of the last request that has succeeded, until a reset.
  public var output: Output? { data.value }

  /// The activity, output and error as an observed value, to bind and to derive others from.
  public var observed: Observed<AsyncSnapshot<Output>> { data.observed }

  /// How far the operation has reported that the running request is; nil: unknown, or none runs.
  public var progress: Double? { data.snapshot.activity?.progress }

  private var failedRun: Run? {
    // Observers are notified before the effects end.
    for run in active.reversed() { if case .failed? = run.load?.ending { return run } }
    return failed
  }

  // MARK: Performing

  /// Sends an input.
  ///
  /// The status is `running` when this returns, or the input waits for its turn, or it was not sent because another
  /// one is: see ``MutationOverlap``.
  ///
  /// - Parameters:
  ///   - input: What is sent.
  ///   - isolation: The actor that the mutation belongs to.
  /// - Returns: A handle to wait for the end, or to cancel the request. Releasing it changes nothing.
  @discardableResult
  public func perform(_ input: Input, isolation: isolated any Actor = #isolation) -> MutationTask<Output> {
    require(isolation)
    return perform(MutationRun(input), isolation: isolation)
  }

  private func perform(_ run: Run, isolation: isolated any Actor) -> MutationTask<Output> {
    if let outbox { return outbox.perform(run) }
    if overlap == .join, let other = pending(like: run) { return task(of: other) }
    let waits = overlap != .replace && !active.isEmpty
    if waits { queue.append(run) { $0.isOver } } else { active.append(run) }
    // After the run has its place: they call observers, which may perform another input.
    beginEffects(of: run)
    if !waits { start(run, isolation: isolation) }
    return task(of: run)
  }

  /// The run that another call of the same input joins.
  private func pending(like run: Run) -> Run? {
    let isEqual = equality(of: Input.self) ?? { _, _ in true }
    return queue.last { !$0.isOver && isEqual($0.input, run.input) }
      // An observer that is notified of an end may perform the next input.
      ?? active.last { $0.load?.isCurrent != false && isEqual($0.input, run.input) }
  }

  private func task(of run: Run) -> MutationTask<Output> {
    MutationTask(run) { [weak self] in self?.cancel(run) }
  }

  func beginEffects(of run: Run) {
    for effect in effects { run.begin(effect(run.input)) }
  }

  func add(isDisplayed: Bool, _ effect: @escaping Effect) {
    effects.append(effect)
    if isDisplayed { displaysChanges = true }
  }

  /// Sends the input of the last request again, under the same idempotency key, if that has failed.
  ///
  /// With an outbox every lane that has failed continues, and an input that was set aside waits again.
  ///
  /// - Parameter isolation: The actor that the mutation belongs to.
  /// - Returns: A handle of the request; nil if the status is not `failed`.
  @discardableResult
  public func retry(isolation: isolated any Actor = #isolation) -> MutationTask<Output>? {
    guard case .failed = status, let run = failedRun else { return nil }
    require(isolation)
    return outbox?.retry(run) ?? perform(MutationRun(run.input, key: run.key), isolation: isolation)
  }

  /// Cancels the request that runs and those that wait. The status is what it was before.
  ///
  /// With an outbox nothing is removed from it: see <doc:FormsAndCommands>.
  public func cancel() {
    withdrawAll()
    data.cancel()
  }

  /// Cancels the request that runs and those that wait, and removes output and error.
  ///
  /// With an outbox nothing is removed from it: see <doc:FormsAndCommands>.
  public func reset() {
    withdrawAll()
    failed = nil
    data.reset()
  }

  private func start(_ run: Run, isolation: isolated any Actor) {
    guard !run.isOver else { return }
    // An observer that was notified of its effects may have performed another input, which takes its place.
    guard run === active.last else { return supersede(run) }
    let load = Load(for: data, id: nil, home: isolation)
    run.load = load
    load.pin()
    data.begin(load, .reload, data.gate())
    // An observer may have cancelled or superseded it.
    guard load.isCurrent else { return }
    let call = LoadCall(.reload, nil, data.policy())
    let reporter = LoadReporter(load, isolation)
    data.launch(load, call, isolation: isolation, reporter.operation(run.sending(operation)))
  }

  private func cancel(_ run: Run) {
    if let load = run.load {
      load.cancel()
    } else if !run.isOver {
      active.removeAll { $0 === run }
      run.giveUp()
    }
  }

  /// Ends what was never sent: what waits, and an input whose effects are just beginning.
  private func withdrawAll() {
    outbox?.interrupt()
    var waiting = active.filter { $0.load == nil }
    active.removeAll { $0.load == nil }
    while let run = queue.takeFirst() { waiting.append(run) }
    for run in waiting { run.giveUp() }
  }

  private func supersede(_ run: Run) {
    active.removeAll { $0 === run }
    run.giveUp(.superseded)
  }

  /// Suspends until nothing is sent any more, or the calling task is cancelled.
  package func untilSettled(isolation: isolated any Actor) async {
    await outbox?.untilSettled(isolation: isolation)
    await data.untilSettled(isolation: isolation)
  }

  func require(_ isolation: isolated any Actor) {
    guard let home, home !== isolation else { return }
    fatalError(
      """
      AsyncState: an AsyncMutation that belongs to \(home) was performed from \(isolation). Its operation would run on \
      another actor than its data. Without `isolation:` a mutation belongs to the main actor; one of another actor is \
      created with `AsyncMutation(isolation: self) { … }`.
      """)
  }
}

extension AsyncMutation: AsyncDataObserver {
  func dataDidChange(forced: Bool) {
    // Each run is taken out before its effects end, because they call observers, which may perform another input.
    while let index = active.firstIndex(where: { $0.load?.isCurrent == false }) {
      let run = active.remove(at: index)
      if case .failed? = run.load?.ending { failed = run }
      run.end(with: run.load?.ending)
    }
    guard active.isEmpty, let next = takeNext(), let home else { return }
    active.append(next)
    ActorBound((self, next), to: home).callHere { home, bound in bound.0.start(bound.1, isolation: home) }
  }

  /// The next input that waits, and was not cancelled.
  private func takeNext() -> Run? {
    while let run = queue.takeFirst() { if !run.isOver { return run } }
    return nil
  }

  func reloadRequested() -> Bool { false }
}
