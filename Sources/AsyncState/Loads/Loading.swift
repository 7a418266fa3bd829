// SPDX-License-Identifier: MIT
// Starting loads: joining, waiting, superseding.
//
// The operation of a call is `sending`, with `@_inheritActorContext(always)`, like the operation of a task in the standard
// library, so it belongs to the actor on which it is written. The reason: the compiler before Swift 6.3.3 lets a closure with a
// capture list leave an actor (https://github.com/swiftlang/swift/issues/87097); `sending` alone does not help, and the
// attribute requires it. The attribute can be removed when the package requires 6.3.3. If a compiler does not have it any more,
// or checks `sending` here, calls with a closure compile as before; a function that passes on an operation of its caller may
// have to write `{ try await operation() }`. Stored operations, such as that of a resource, do not have the attribute: it would
// keep the actor, also with `[weak self]`. `CaptureListTests` and `Tests/Compiler/Isolation` try each call.

extension AsyncData {
  /// Starts a load that runs until it settles, even if no call waits for it. It supersedes a running load.
  ///
  /// - Parameters:
  ///   - mode: The mode that decides whether the content is hidden while the load runs. A refresh that supersedes a running
  ///     reload stays a reload until it yields or settles.
  ///   - isolation: The actor of the data. A closure in an actor that does not capture `self` is not isolated to it:
  ///     write `isolation: self` there.
  ///   - operation: Returns the value; nil: there is no data. It runs on the data's actor.
  /// - Returns: A handle to await the end or to cancel the load. Releasing it changes nothing.
  @inlinable
  @discardableResult
  public func start(
    _ mode: LoadMode = .refresh, isolation: isolated any Actor = #isolation,
    @_inheritActorContext(always) operation: sending @escaping () async throws -> Value?
  ) -> LoadTask<Value> {
    LoadTask(request(LoadCall(mode, nil, policy), isPinned: true, isolation: isolation, operation).load)
  }

  /// Starts a load whose operation reports while it runs. The load runs until it settles, even if no call waits for it.
  ///
  /// - Parameters:
  ///   - mode: The mode that decides whether the content is hidden while the load runs.
  ///   - isolation: The actor of the data.
  ///   - operation: Returns the value; nil: there is no data. It may yield values and report progress while it runs.
  /// - Returns: A handle to await the end or to cancel the load. Releasing it changes nothing.
  @discardableResult
  public func start(
    _ mode: LoadMode = .refresh, isolation: isolated any Actor = #isolation,
    @_inheritActorContext(always) operation: sending @escaping (LoadReporter<Value>) async throws -> Value?
  ) -> LoadTask<Value> {
    LoadTask(request(LoadCall(mode, nil, policy), isPinned: true, isolation: isolation, reporting: operation).load)
  }

  /// Loads, and waits for the end: for `.task` and `.refreshable`, and for servers. It supersedes a running load.
  ///
  /// Cancelling the waiting task ends the load. In a task that is cancelled already the operation is not called.
  ///
  /// - Parameters:
  ///   - mode: The mode that decides whether the content is hidden while the load runs.
  ///   - isolation: The actor of the data.
  ///   - operation: Returns the value; nil: there is no data. It runs on the data's actor.
  /// - Returns: The outcome of the load. The data has changed before this returns.
  @inlinable
  @discardableResult
  public func load(
    _ mode: LoadMode = .refresh, isolation: isolated any Actor = #isolation,
    @_inheritActorContext(always) operation: sending @escaping () async throws -> Value?
  ) async -> AsyncOutcome<Value?> {
    guard !Task.isCancelled else { return .cancelled }
    let (load, ticket) = request(LoadCall(mode, nil, policy), isPinned: false, isolation: isolation, operation)
    return await load.outcome(as: ticket, isolation: isolation)
  }

  /// Loads with an operation that reports while it runs, and waits for the end.
  ///
  /// Cancelling the waiting task ends the load. In a task that is cancelled already the operation is not called.
  ///
  /// - Parameters:
  ///   - mode: The mode that decides whether the content is hidden while the load runs.
  ///   - isolation: The actor of the data.
  ///   - operation: Returns the value; nil: there is no data. It may yield values and report progress while it runs.
  /// - Returns: The outcome of the load. The data has changed before this returns.
  @discardableResult
  public func load(
    _ mode: LoadMode = .refresh, isolation: isolated any Actor = #isolation,
    @_inheritActorContext(always) operation: sending @escaping (LoadReporter<Value>) async throws -> Value?
  ) async -> AsyncOutcome<Value?> {
    guard !Task.isCancelled else { return .cancelled }
    let (load, ticket) = request(
      LoadCall(mode, nil, policy), isPinned: false, isolation: isolation, reporting: operation)
    return await load.outcome(as: ticket, isolation: isolation)
  }

  /// Loads as the calls of a resource do: a running load with the same number is joined.
  package func load(
    joining number: Int, isolation: isolated any Actor = #isolation,
    @_inheritActorContext(always) operation: sending @escaping () async throws -> Value?
  ) async -> AsyncOutcome<Value?> {
    guard !Task.isCancelled else { return .cancelled }
    let (load, ticket) = request(LoadCall(.refresh, number, policy), isPinned: false, isolation: isolation, operation)
    return await load.outcome(as: ticket, isolation: isolation)
  }

  /// Starts a load that is answered by hand: for callback APIs.
  ///
  /// ```swift
  /// let load = data.begin()
  /// service.fetch { result in
  ///   switch result {
  ///   case .success(let value): load.succeed(with: value)
  ///   case .failure(let error): load.fail(with: error)
  ///   }
  /// }
  /// ```
  ///
  /// It supersedes any request that runs, and no call joins it. Answers of a load that is not current any more do nothing. When
  /// it is released without an answer, on any thread, the load ends as cancelled on the data's actor.
  ///
  /// - Parameters:
  ///   - mode: The mode that decides whether the content is hidden while the load runs.
  ///   - isolation: The actor of the data. The callback must run there, too.
  /// - Returns: The load, to answer it with.
  public func begin(_ mode: LoadMode = .refresh, isolation: isolated any Actor = #isolation) -> PendingLoad<Value> {
    let load = Load(for: self, home: nil)
    load.begun = WeakActor(isolation)
    load.pin()
    begin(load, mode)
    return PendingLoad(load)
  }

  // MARK: The steps of a request

  /// Joins a load, waits for the next one, or starts one.
  ///
  /// - Returns: The load that answers this call, and the ticket of a call that waits for it.
  @inlinable
  func request(
    _ call: LoadCall, isPinned: Bool, isolation: isolated any Actor, _ operation: @escaping () async throws -> Value?
  ) -> (load: Load<Value>, ticket: Int) {
    if call.id != nil, let shared = share(call, isPinned: isPinned, isolation: isolation, operation) { return shared }
    let load = Load(for: self, id: call.id, home: isolation)
    let ticket = begin(load, call, isPinned: isPinned)
    // An observer may have cancelled or superseded it.
    if load.isCurrent { launch(load, call, isolation: isolation, operation) }
    return (load, ticket)
  }

  func request(
    _ call: LoadCall, isPinned: Bool, isolation: isolated any Actor,
    reporting operation: @escaping (LoadReporter<Value>) async throws -> Value?
  ) -> (load: Load<Value>, ticket: Int) {
    noteConnecting(operation)
    let make = { LoadReporter($0, isolation).operation(operation) }
    if let shared = share(call, isPinned: isPinned, isolation: isolation, make) { return shared }
    let load = Load(for: self, id: call.id, home: isolation)
    let ticket = begin(load, call, isPinned: isPinned)
    if load.isCurrent { launch(load, call, isolation: isolation, make(load)) }
    return (load, ticket)
  }

  @usableFromInline
  func share(
    _ call: LoadCall, isPinned: Bool, isolation: isolated any Actor, _ operation: @escaping () async throws -> Value?
  ) -> (load: Load<Value>, ticket: Int)? {
    share(call, isPinned: isPinned, isolation: isolation) { _ in operation }
  }

  /// Joins the running load with the same number, or the one that waits behind it.
  ///
  /// - Parameter makeOperation: The operation of a load, if the call is the first that waits for it.
  private func share(
    _ call: LoadCall, isPinned: Bool, isolation: isolated any Actor,
    _ makeOperation: @escaping (Load<Value>) -> () async throws -> Value?
  ) -> (load: Load<Value>, ticket: Int)? {
    switch state.core.order.decision(for: call.id) {
    case .start: return nil
    case .join(let run):
      guard let ticket = run.joinIfWanted(isPinned: isPinned) else {
        return share(call, isPinned: isPinned, isolation: isolation, makeOperation)
      }
      defer { callDidJoin() }
      run.raisePriority()
      return (typed(run), ticket)
    case .wait(let run):
      let load = run.map(typed) ?? Load(for: self, id: call.id, home: isolation)
      if run == nil { state.core.order.wait(load) }
      guard let ticket = load.joinIfWanted(isPinned: isPinned) else {
        return share(call, isPinned: isPinned, isolation: isolation, makeOperation)
      }
      let waiting = LoadRun.WaitingCall(mode: call.mode, gate: call.policy?.gate) { [weak self] run in
        guard let self else { return }
        let load = typed(run)
        launch(load, call, isolation: isolation, makeOperation(load))
      }
      load.requiredExtras.add(waiting, ticket: isPinned ? nil : ticket)
      callDidJoin()
      return (load, ticket)
    }
  }

  /// Makes a load the current one, in the place of all running requests, and registers the interest of its call.
  ///
  /// - Returns: The ticket of a call that waits; zero for a pinned one.
  @usableFromInline
  func begin(_ load: LoadRun, _ call: LoadCall, isPinned: Bool) -> Int {
    let ticket = load.join(isPinned: isPinned)
    begin(load, call.mode, call.policy?.gate)
    return ticket
  }

  /// - Parameter gate: The gate that the load waits for while it is closed.
  func begin(_ load: LoadRun, _ mode: LoadMode, _ gate: LoadGate? = nil) {
    var activity = LoadActivity(mode: mode, isWaiting: gate?.isOpen == false)
    activity.edge = load.edge
    if state.extras != nil { prepareExtras(for: load) }
    apply(.began(activity), for: load)
  }

  private func prepareExtras(for load: LoadRun) {
    load.state.startedAt = now
    callDidJoin()
    features.source?.willBegin(load)
  }

  @inlinable
  func launch(
    _ load: Load<Value>, _ call: LoadCall, isolation: isolated any Actor,
    _ operation: @escaping () async throws -> Value?
  ) {
    operationWillBegin()
    load.begin { run(load, call, isolation: isolation, operation) }
  }

  @inlinable
  func run(
    _ load: Load<Value>, _ call: LoadCall, isolation: isolated any Actor,
    _ operation: @escaping () async throws -> Value?
  ) {
    if let policy = call.policy {
      run(load, by: policy, isolation: isolation, operation)
    } else {
      load.run(isolation: isolation, operation)
    }
  }

  /// - Parameter failure: The break of a previous stream.
  @usableFromInline
  func run(
    _ load: Load<Value>, by policy: RequestPolicy, isolation: isolated any Actor, after failure: (any Error)? = nil,
    _ operation: @escaping () async throws -> Value?
  ) {
    load.run(
      by: policy, connecting: isConnecting, on: timeline, isolation: isolation, after: failure,
      load.attempt(policy.intercepting(operation)))
  }

  /// Begins the load that waits, if none runs any more.
  @usableFromInline
  func beginWaitingLoad() {
    guard let load = state.core.order.due else { return }
    load.endIfUnwanted()
    guard load.isCurrent else { return }
    guard let first = load.state.extras?.firstCall else {
      return assertionFailure("A load waits only while a call wants it.")
    }
    following(.end) { begin(load, first.mode, first.gate) }
    // An observer may have ended it; it may even have begun, and ended, in a call of this method by an observer.
    guard load.isCurrent, let extras = load.state.extras.take(), let call = extras.firstCall else { return }
    load.pass(extras.attempts.passedGates)
    // Outside of the present task: that is the one of the load that has ended, perhaps a part of another operation.
    LetIn.none { call.launch(load) }
  }
}

extension AsyncData {
  /// The policy of its requests.
  @usableFromInline
  var policy: RequestPolicy? { state.extras?.options.policy ?? (hasStreams ? .plain : nil) }

  /// The gate of the data's requests.
  var gate: LoadGate? { policy?.gate }
}
