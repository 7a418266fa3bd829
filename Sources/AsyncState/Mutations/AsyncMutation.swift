// SPDX-License-Identifier: MIT
public import Observation

/// A command of a screen, with a status, one request for a double tap, and a retry.
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
/// ``perform(_:isolation:)`` sends an input. While it runs, ``MutationOverlap`` decides about other calls: by default an input
/// equal to the last one joins that one, so that a double tap is one request, and another input waits. Cancelling a write does
/// not undo it: the server may have done it already.
///
/// A mutation belongs to the main actor or to the actor that it names when it is created, and its operation always runs there.
/// It does not keep that actor alive. Its last reference may be released on any thread: performed inputs are sent all the same.
public final class AsyncMutation<Input, Output>: Observable {
  /// Runs on the caller's actor, which is the mutation's.
  typealias Operation = (Input, MutationReporter) async throws -> Output
  typealias Run = MutationRun<Input, Output>

  /// The output and the error of the last request, and the activity of the one that is displayed.
  package let data: AsyncData<Output>

  let operation: Operation
  let options: LoadOptions
  private let overlap: MutationOverlap<Input>
  private let lane: ((Input) -> AnyHashable)?
  private weak var home: (any Actor)?
  var effects = CommandEffects<Input, Output>()
  /// The runs in their lanes. Nil is the lane of a mutation that has only one.
  private var lanes = Lanes<AnyHashable?, Run>()
  /// The runs that have their lane, and those that these have superseded and whose effects have not ended. In the order in
  /// which they began.
  private var active: [Run] = []
  /// The mutation itself, until all performed inputs have ended: they are sent even if the mutation is released.
  private var kept: AsyncMutation?
  /// The run that the error belongs to.
  private var failed: Run?
  /// The number of times that status and output were removed.
  private var resetCount = 0
  /// Called on the actor when a request has begun, progressed, or ended.
  var requestsDidChange: (() -> Void)?
  /// With lanes, the run whose request is displayed, and the load in `data` that displays it.
  private var shown: (run: Run, load: Load<Output>)?
  /// With lanes, the data of the requests that have no answer. Operations of requests that were given up may run there.
  private var requests: [ObjectIdentifier: AsyncData<Output>] = [:]

  init(
    _ home: any Actor, _ overlap: MutationOverlap<Input>, _ options: LoadOptions, _ lane: ((Input) -> AnyHashable)?,
    _ operation: @escaping Operation
  ) {
    // Nothing is expected before something is performed, so nothing is loading.
    data = AsyncData(snapshot: .unanswered, options: options)
    self.home = home
    self.overlap = overlap
    self.options = options
    self.lane = lane
    self.operation = operation
    if lane == nil { data.addObserver(self) }
  }

  // MARK: Reading

  /// The state of the mutation: nothing was sent, an input is being sent, or the end of the last request.
  ///
  /// While a request runs the status is `running`, whatever was before; of several requests, that of the one that began last. A
  /// cancelled request leaves the status as it was.
  public var status: MutationStatus<Input, Output> {
    let snapshot = data.snapshot
    if snapshot.isRunning, let run = shown?.run ?? active.last { return .running(run.input) }
    if let error = snapshot.error, let failed = failedRun { return .failed(error, failed.input) }
    if snapshot.isValueSet, let output = snapshot.value { return .succeeded(output) }
    return .idle
  }

  /// True while a request runs: to disable a button, or to show an indicator in it.
  public var isRunning: Bool { data.isRunning }

  /// True while the running request waits for the ``LoadGate`` of the options: nothing was sent yet, or an attempt has failed.
  public var isWaiting: Bool { data.isWaiting }

  /// The error of the last request, until another one succeeds, or a reset. It stays while the retry runs.
  public var error: (any Error)? { data.error }

  /// The output of the last request that has succeeded, until a reset.
  public var output: Output? { data.value }

  /// The activity, output and error as an observed value, to bind and to derive others from.
  public var observed: Observed<AsyncSnapshot<Output>> { data.observed }

  /// The progress that the operation has reported for the running request; nil: unknown, or none runs.
  public var progress: Double? { data.snapshot.activity?.progress }

  private var failedRun: Run? {
    // Observers are notified before the effects end.
    for run in active.reversed() { if case .failed? = run.load?.ending { return run } }
    return failed
  }

  // MARK: Performing

  /// Sends an input.
  ///
  /// When this returns the status is `running`, or the input waits for its turn, or it was not sent because another one is
  /// being sent: see ``MutationOverlap``.
  ///
  /// - Parameters:
  ///   - input: The input to send.
  ///   - isolation: The actor that the mutation belongs to.
  /// - Returns: A handle to wait for the end, or to cancel the request. Releasing it changes nothing.
  @discardableResult
  public func perform(_ input: Input, isolation: isolated any Actor = #isolation) -> MutationTask<Output> {
    require(isolation)
    return perform(MutationRun(input), isolation: isolation)
  }

  @discardableResult
  func perform(_ run: Run, isolation: isolated any Actor) -> MutationTask<Output> {
    run.lane = lane?(run.input)
    if let other = pending(like: run) {
      other.load?.raisePriority()
      return task(of: other)
    }
    let hasTurn = overlap.replaces || lanes.enter(run, in: run.lane)
    // It may begin in the task of another operation, which is outside of the gate.
    if !hasTurn { run.pass(LetIn.gates) }
    if hasTurn { active.append(run) }
    kept = self
    // After the run has its place: effects call observers, which may perform another input.
    effects.use().begin(for: run)
    if hasTurn { start(run, isolation: isolation) }
    return task(of: run)
  }

  /// The run that a call joins: the last one of its lane, if it has the same input. An equal input before the last one does not
  /// count: of on, off, on, each is sent.
  private func pending(like run: Run) -> Run? {
    // An observer that is notified of an end may perform the next input.
    guard let isEqual = overlap.isEqual, let last = lanes.last(of: run.lane), !last.isOver,
      last.load?.isCurrent != false, isEqual(last.input, run.input)
    else { return nil }
    return last
  }

  private func task(of run: Run) -> MutationTask<Output> {
    MutationTask(run) { [weak self] in
      self?.cancel(run)
    } passing: { [weak self] gates in
      for run in self?.lanes.upTo(run, in: run.lane) ?? [] { run.pass(gates) }
    }
  }

  /// Sends the input of the last request again, under the same idempotency key, if that has failed.
  ///
  /// - Parameter isolation: The actor that the mutation belongs to.
  /// - Returns: A handle of the request; nil if the status is not `failed`.
  @discardableResult
  public func retry(isolation: isolated any Actor = #isolation) -> MutationTask<Output>? {
    guard case .failed = status, let run = failedRun else { return nil }
    require(isolation)
    let again = MutationRun<Input, Output>(run.input, key: run.key)
    // The server may have done it, although it has failed.
    if run.hasBegun { again.noteSending() }
    return perform(again, isolation: isolation)
  }

  /// Cancels the running requests and the waiting inputs. The status is the same as before them.
  public func cancel() {
    end(takeAll())
  }

  /// Cancels the running requests and the waiting inputs, and removes output and error. Nothing is expected next, so nothing is
  /// displayed as loading.
  public func reset() {
    let runs = takeAll()
    resetCount += 1
    failed = nil
    shown = nil
    data.forget()
    end(runs)
  }

  /// Takes out all inputs that were performed and have not ended: first those that were never sent.
  private func takeAll() -> [Run] {
    let waiting = active.filter { $0.load == nil } + lanes.takeWaiting()
    let running = active.filter { $0.load != nil }
    active = []
    lanes = Lanes()
    return waiting + running
  }

  private func end(_ runs: [Run]) {
    for run in runs {
      run.load?.cancel()
      run.endWithRequest()
    }
    if let shown, shown.run.isOver { self.shown.take()?.load.cancel() }
    releaseIfIdle()
  }

  func cancel(_ run: Run) {
    if let load = run.load { return load.cancel() }
    guard !run.isOver else { return }
    run.giveUp()
  }

  private func start(_ run: Run, isolation: isolated any Actor) {
    // An observer that was notified of its effects may have cancelled it, or performed another input that takes its place.
    guard !run.isOver else { return leaveUnsent(run) }
    if overlap.replaces {
      guard active.last(where: { $0.lane == run.lane }) === run else {
        run.giveUp(.superseded)
        return leaveUnsent(run)
      }
      let former = lanes[run.lane]
      run.request = former?.request
      lanes.take(run.lane, by: run)
    }
    let request = run.request ?? makeRequest()
    let options = run.options ?? options
    let load = Load(for: request, id: nil, home: isolation)
    if !options.interceptors.isEmpty { load.requiredExtras.isCommand = true }
    run.request = request
    if request !== data {
      run.mutation = self
      request.addObserver(run)
    }
    run.begin(load)
    load.pin()
    request.begin(load, .reload, options.gate)
    if load.isCurrent, request !== data { show(run, isolation: isolation) }
    // An observer may have cancelled or superseded it.
    guard load.isCurrent else { return requestDidEnd(of: run) }
    let call = LoadCall(.reload, nil, run.options == nil ? request.policy() : request.policy(options))
    let reporter = LoadReporter(load, isolation)
    request.launch(load, call, isolation: isolation, reporter.operation(run.sending(operation)))
  }

  /// Removes a run that has ended before it had a request.
  private func leaveUnsent(_ run: Run) {
    _ = takeActive(run)
    leave(run)
  }

  /// - Returns: True if it was there.
  private func takeActive(_ run: Run) -> Bool {
    guard let index = active.firstIndex(where: { $0 === run }) else { return false }
    active.remove(at: index)
    return true
  }

  /// Lets the lane of a run that has ended continue.
  private func leave(_ run: Run) {
    if lanes[run.lane] === run, let next = lanes.leave(run.lane) {
      active.append(next)
      callHere(with: next) { mutation, next, home in mutation.start(next, isolation: home) }
    }
    releaseIfIdle()
  }

  private func releaseIfIdle() {
    if active.isEmpty, lanes.isEmpty { kept = nil }
  }

  /// Calls `body` on the actor, where the caller is, too.
  private func callHere(with run: Run, _ body: @Sendable (AsyncMutation, Run, isolated any Actor) -> Void) {
    guard let home else { return }
    ActorBound((self, run), to: home).callHere { home, bound in body(bound.0, bound.1, home) }
  }

  /// Suspends until no input is being sent any more, or the calling task is cancelled.
  package func untilSettled(isolation: isolated any Actor) async {
    repeat {
      for request in [data] + requests.values { await request.untilSettled(isolation: isolation) }
      requests = requests.filter { !$0.value.isSettledCompletely }
    } while !Task.isCancelled && !(requests.isEmpty && data.isSettledCompletely)
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
  /// Called when a request of the data that all inputs share has begun, progressed, or ended.
  func dataDidChange(forced: Bool) {
    while let run = active.first(where: { $0.load?.isCurrent == false }) { requestDidEnd(of: run) }
    requestsDidChange?()
  }

  /// The same for a request that has data of its own, so that no other run is checked.
  func requestDidChange(of run: Run) {
    if run.load?.isCurrent == false { requestDidEnd(of: run) }
    showActivity()
    requestsDidChange?()
  }

  private func requestDidEnd(of run: Run) {
    // Taken out before its effects end, because they call observers, which may perform another input.
    guard takeActive(run) else { return }
    if case .failed? = run.load?.ending { failed = run }
    // Outside of an operation that has performed the input: the work after its end is no part of that.
    RunningOperation.outside {
      let resetCount = resetCount
      run.endWithRequest()
      if let request = run.request.take(), request !== data {
        // Otherwise its output would be kept until the requests are next searched.
        if case .answered? = run.load?.ending { requests[ObjectIdentifier(request)] = nil }
        // An observer may have reset the mutation.
        if resetCount == self.resetCount { showEnd(of: run) }
      }
      leave(run)
      showAnother()
    }
  }

  func reloadRequested() -> Bool { false }
}

// MARK: - The display of several requests

extension AsyncMutation {
  /// The data of the next request: with lanes its own, because several run.
  private func makeRequest() -> AsyncData<Output> {
    guard lane != nil else { return data }
    let request = AsyncData<Output>(options: options)
    _ = requests.makeRoom { $0.isSettledCompletely }
    requests[ObjectIdentifier(request)] = request
    return request
  }

  /// Displays a request from now on.
  private func show(_ run: Run, isolation: isolated any Actor) {
    let load = Load(for: data, id: nil, home: isolation)
    load.pin()
    shown = (run, load)
    data.begin(load, .reload, (run.options ?? options).gate)
  }

  /// Displays the running request that began last, if none is displayed.
  private func showAnother() {
    guard lane != nil, shown == nil, let other = active.last(where: { $0.load?.isCurrent == true }) else { return }
    callHere(with: other) { mutation, other, home in mutation.show(other, isolation: home) }
  }

  private func showEnd(of run: Run) {
    switch run.load?.ending {
    case .answered?: show(.success(run.load?.answer), of: run)
    case .failed(let error)?: show(.failure(error), of: run)
    case .ended?, .fresh?, nil: if shown?.run === run { shown.take()?.load.cancel() }
    }
  }

  private func show(_ result: Result<Output?, any Error>, of run: Run) {
    let load = shown?.run === run ? shown?.load : nil
    shown = nil
    switch result {
    case .success(let output): if let load { load.succeed(with: output) } else { data.value = output }
    case .failure(let error):
      failed = run
      if let load { load.fail(with: error) } else { data.error = error }
    }
  }

  /// Displays the error of an input that could not be sent at all.
  func fail(_ run: Run, with error: any Error) {
    show(.failure(error), of: run)
    showAnother()
  }

  /// Copies waiting, failed attempts and progress of the displayed request.
  private func showActivity() {
    guard let (run, load) = shown, load.isCurrent, let activity = run.request?.context.activity else { return }
    if activity.isWaiting != data.context.activity?.isWaiting { data.noteWaiting(of: load, activity.isWaiting) }
    if activity.failures != data.context.activity?.failures, let error = activity.lastFailure {
      data.noteFailure(of: load, error, failures: activity.failures)
    }
    if load.isCurrent, activity.progress != data.context.activity?.progress {
      data.report(activity.progress, by: load)
    }
  }
}
