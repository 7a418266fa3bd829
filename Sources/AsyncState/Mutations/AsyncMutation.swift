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
/// ``perform(_:isolation:)`` sends an input. While it runs, ``Overlap`` says what another call does: by default nothing,
/// so that a double tap is one request. A write is not undone by cancelling it: the server may have done it already.
///
/// A mutation belongs to the main actor or to the actor that it names when it is created, and its operation always runs
/// there. It does not keep that actor alive. Its last reference may be released on any thread: a request that runs is
/// then cancelled.
public final class AsyncMutation<Input, Output>: Observable {
  /// Runs on the caller's actor, which is the mutation's.
  typealias Operation = (Input) async throws -> Output

  /// What a call does while another one runs.
  public enum Overlap: Hashable, Sendable {
    /// It joins the one that runs: its input is not sent.
    case ignore
    /// It waits for its turn. Inputs are sent one after another, in order.
    case queue
    /// It supersedes the one that runs, which the server may have done by then.
    case replace
  }

  /// The output and the error of the last request, and the activity of the one that runs.
  let data: AsyncData<Output>

  private let operation: Operation
  private let overlap: Overlap
  private weak var home: (any Actor)?
  private var effects: [Effect] = []
  /// The run that was begun last, and those that it has superseded and whose effects have not ended. In order.
  private var active: [MutationRun<Input, Output>] = []
  private var queue = MutationQueue<MutationRun<Input, Output>>()
  /// The input that the error belongs to.
  private var failed: Input?

  // MARK: Creating

  /// A mutation of the main actor. It can be the initial value of a stored or lazy property.
  ///
  /// - Parameters:
  ///   - overlap: What a call does while another one runs.
  ///   - options: How inputs are sent: retries, timeout, interceptors, and the clock.
  ///   - operation: Sends the input, and returns what the server has answered. It runs on the main actor.
  public convenience init(
    overlap: Overlap = .ignore, options: LoadOptions = LoadOptions(),
    operation: @escaping @MainActor (Input) async throws -> Output
  ) {
    self.init(MainActor.shared, overlap, options, Self.onMainActor(operation))
  }

  /// A mutation of any actor.
  ///
  /// - Parameters:
  ///   - isolation: The actor that the mutation belongs to. It is not kept alive.
  ///   - overlap: What a call does while another one runs.
  ///   - options: How inputs are sent: retries, timeout, interceptors, and the clock.
  ///   - operation: Sends the input, and returns what the server has answered. It runs on the mutation's actor.
  public convenience init(
    isolation: isolated any Actor, overlap: Overlap = .ignore, options: LoadOptions = LoadOptions(),
    operation: @escaping (Input) async throws -> Output
  ) {
    self.init(isolation, overlap, options, operation)
  }

  private init(_ home: any Actor, _ overlap: Overlap, _ options: LoadOptions, _ operation: @escaping Operation) {
    data = AsyncData(options: options)
    self.home = home
    self.overlap = overlap
    self.operation = operation
    data.addObserver(self)
  }

  deinit {
    guard let home, !active.isEmpty || !queue.isEmpty else { return }
    // The data, which is released with the mutation, ends the load that runs.
    ActorBound(active + queue.takeAll(), to: home).send { for run in $0 { run.abandon() } }
  }

  /// An operation of the main actor as one of its caller's actor, which `require(_:)` has found to be the same.
  private static func onMainActor(_ operation: @escaping @MainActor (Input) async throws -> Output) -> Operation {
    { input in
      // Justified: both are used on the main actor only, which the caller is on, too.
      nonisolated(unsafe) let input = input
      nonisolated(unsafe) var output: Output?
      let run: @MainActor () async throws -> Void = { output = try await operation(input) }
      try await run()
      guard let output else { preconditionFailure("An operation that has not thrown has an output.") }
      return output
    }
  }

  // MARK: Reading

  /// Whether nothing was sent, something is being sent, or how the last request ended.
  ///
  /// While a request runs it is the status, whatever was before. A cancelled request leaves the status as it was.
  public var status: MutationStatus<Input, Output> {
    let snapshot = data.snapshot
    if snapshot.isRunning, let run = active.last { return .running(run.input) }
    if let error = snapshot.error, let failed = failedInput { return .failed(error, failed) }
    if snapshot.isValueSet, let output = snapshot.value { return .succeeded(output) }
    return .idle
  }

  /// Whether a request runs: to disable a button, or to show an indicator in it.
  public var isRunning: Bool { data.isRunning }

  /// The error of the last request, until another one succeeds, or a reset. It stays while the retry runs.
  public var error: (any Error)? { data.error }

  /// The output of the last request that has succeeded, until a reset.
  public var output: Output? { data.value }

  /// The activity, output and error as an observed value, to bind and to derive others from.
  public var observed: Observed<AsyncSnapshot<Output>> { data.observed }

  private var failedInput: Input? {
    // Observers are notified before the effects end.
    for run in active.reversed() { if case .failed? = run.load.ending { return run.input } }
    return failed
  }

  // MARK: Performing

  /// Sends an input.
  ///
  /// The status is `running` when this returns, or the input waits for its turn, or it was not sent because another
  /// one is: see ``Overlap``.
  ///
  /// - Parameters:
  ///   - input: What is sent.
  ///   - isolation: The actor that the mutation belongs to.
  /// - Returns: A handle to wait for the end, or to cancel the request. Releasing it changes nothing.
  @discardableResult
  public func perform(_ input: Input, isolation: isolated any Actor = #isolation) -> MutationTask<Output> {
    require(isolation)
    if overlap == .ignore, let running = active.last { return task(of: running) }
    let run = MutationRun(input, Load(for: data, id: nil, home: isolation))
    run.load.pin()
    let waits = overlap == .queue && !active.isEmpty
    if waits { queue.append(run) } else { active.append(run) }
    // After the run has its place: they call observers, which may perform another input.
    for effect in effects { run.begin(effect(input)) }
    if !waits { start(run, isolation: isolation) }
    return task(of: run)
  }

  private func task(of run: MutationRun<Input, Output>) -> MutationTask<Output> {
    MutationTask(run.load) { [weak self] in self?.cancel(run) }
  }

  /// Sends the input of the last request again, if that has failed.
  ///
  /// - Parameter isolation: The actor that the mutation belongs to.
  /// - Returns: A handle of the request; nil if the status is not `failed`.
  @discardableResult
  public func retry(isolation: isolated any Actor = #isolation) -> MutationTask<Output>? {
    guard case .failed(_, let input) = status else { return nil }
    return perform(input, isolation: isolation)
  }

  /// Cancels the request that runs and those that wait. The status is what it was before.
  public func cancel() {
    withdrawAll()
    data.cancel()
  }

  /// Cancels the request that runs and those that wait, and removes output and error.
  public func reset() {
    withdrawAll()
    failed = nil
    data.reset()
  }

  private func start(_ run: MutationRun<Input, Output>, isolation: isolated any Actor) {
    guard run.load.isCurrent else { return }
    // An observer that was notified of its effects may have performed another input, which takes its place.
    guard run === active.last else { return supersede(run) }
    run.isStarted = true
    data.begin(run.load, .reload)
    // An observer may have cancelled or superseded it.
    guard run.load.isCurrent else { return }
    let call = LoadCall(.reload, nil, data.policy())
    data.launch(run.load, call, isolation: isolation, run.sending(operation))
  }

  private func cancel(_ run: MutationRun<Input, Output>) {
    if queue.remove(run) { run.withdraw() } else if run.isStarted { run.load.cancel() }
  }

  /// Ends what was never sent: what waits, and an input whose effects are just beginning.
  private func withdrawAll() {
    let waiting = active.filter { !$0.isStarted } + queue.takeAll()
    active.removeAll { !$0.isStarted }
    for run in waiting { run.withdraw() }
  }

  private func supersede(_ run: MutationRun<Input, Output>) {
    active.removeAll { $0 === run }
    run.withdraw(.superseded)
  }

  /// Suspends until nothing is sent any more, or the calling task is cancelled.
  package func untilSettled(isolation: isolated any Actor) async {
    await data.untilSettled(isolation: isolation)
  }

  private func require(_ isolation: isolated any Actor) {
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
    while let index = active.firstIndex(where: { !$0.load.isCurrent }) {
      let run = active.remove(at: index)
      if case .failed? = run.load.ending { failed = run.input }
      run.end()
    }
    guard active.isEmpty, let next = queue.takeFirst(), let home else { return }
    active.append(next)
    ActorBound((self, next), to: home).callHere { home, bound in bound.0.start(bound.1, isolation: home) }
  }

  func reloadRequested() -> Bool { false }
}

// MARK: - Effects

extension AsyncMutation {
  /// What begins when an input is performed, and how that ends.
  typealias Effect = (Input) -> (MutationEnd<Output>) -> Void

  /// Displays a change at once, before the answer: an optimistic update.
  ///
  /// ```swift
  /// let like = AsyncMutation { (id: Post.ID) in try await service.like(id) }
  ///   .changing({ [posts] id in posts[id] }) { post, _ in post.likes += 1 }
  /// ```
  ///
  /// The change is visible when ``perform(_:isolation:)`` returns, also while the input waits for its turn. Changes follow
  /// the rules of ``AsyncData/mutate(lane:isolation:_:commit:)``: a success keeps this one, a failure removes it alone and
  /// marks the resource stale, and so does a request that was cancelled while it ran. One that was cancelled before it
  /// began is removed without that. A change of a resource that displays the value of a former key is not made.
  ///
  /// Call it before the first input is performed.
  ///
  /// - Parameters:
  ///   - resource: The resource that an input changes; nil if it changes none. It belongs to the mutation's actor.
  ///   - patch: Makes the change. A pure function: it is applied again when the value below it changes.
  /// - Returns: The mutation.
  @discardableResult
  public func changing<Value>(
    _ resource: @escaping (Input) -> AsyncResource<Value>?, _ patch: @escaping (inout Value, Input) -> Void
  ) -> AsyncMutation {
    effects.append { input in
      guard let resource = resource(input), !resource.data.state.core.record.isOfFormerKey else { return { _ in } }
      let change = resource.data.display { patch(&$0, input) }
      return { end in
        // A family keeps the entry as long as the change is not decided.
        defer { withExtendedLifetime(resource) {} }
        switch end {
        case .succeeded: change.confirm()
        case .failed, .unknown: change.remove(isFailure: true)
        case .withdrawn: change.remove(isFailure: false)
        }
      }
    }
    return self
  }

  /// Invalidates tags when an input was performed: everything with one of them is out of date then, and is requested
  /// again where it is held.
  ///
  /// That happens after a success, and after a request that was cancelled, superseded or timed out while it ran, because
  /// the server may have done it. A failure invalidates nothing, nor does an input that was never sent.
  ///
  /// Call it before the first input is performed.
  ///
  /// - Parameters:
  ///   - board: Where the tags are invalidated.
  ///   - tags: The tags of an input, and of its output; that is nil if it is not known.
  /// - Returns: The mutation.
  @discardableResult
  public func invalidating(
    _ board: AsyncTagBoard, _ tags: @escaping (Input, Output?) -> Set<AsyncTag>
  ) -> AsyncMutation {
    effects.append { input in
      { end in
        switch end {
        case .succeeded(let output): board.invalidate(tags(input, output))
        case .unknown: board.invalidate(tags(input, nil))
        case .failed, .withdrawn: break
        }
      }
    }
    return self
  }
}
