// SPDX-License-Identifier: MIT
// Starting loads: joining, waiting, superseding.
//
// The operation of a call is `sending`, with `@_inheritActorContext(always)`, like the operation of a task in the standard
// library, so it belongs to the actor on which it is written. The reason: the compiler before Swift 6.3.3 lets a closure with a
// capture list leave an actor (https://github.com/swiftlang/swift/issues/87097); `sending` alone does not help, and the
// attribute requires it. The attribute can be removed when the package requires 6.3.3. If a compiler does not have it any more,
// or checks `sending` here, calls with a closure compile as before; a function that passes on an operation of its caller may
// have to write `{ try await operation() }`. Stored operations, such as that of a resource, do not have the attribute: it would
// keep the actor, also with `[weak self]`. `CaptureListTests` and `Tests/Isolation` try each call.

extension AsyncData {
  /// Starts a load that runs until it settles, even if no call waits for it.
  ///
  /// - Parameters:
  ///   - mode: The mode that decides whether the content is hidden while the load runs. A refresh that supersedes a running
  ///     reload stays a reload until it yields or settles.
  ///   - id: Names the request. A running load with an equal one is joined: the operation is not called, both calls get the
  ///     same outcome, and the running load keeps its mode. After an ``invalidate()`` a running load is too old to join: one
  ///     more load runs when it has ended, for all such calls. Any other running load is superseded.
  ///   - condition: The condition for calling the operation. If the value is fresh enough the outcome is `.notRequested` at
  ///     once.
  ///   - options: Retries, timeout, interceptors and gate of this call, all four in the place of the data's; nil: the data's.
  ///     To change one of them, copy the options: `var once = LoadOptions.app; once.timeout = .seconds(3)`. The other options
  ///     are always the data's.
  ///   - isolation: The actor of the data. A closure in an actor that does not capture `self` is not isolated to it:
  ///     write `isolation: self` there.
  ///   - operation: Returns the value; nil: there is no data. It runs on the data's actor.
  /// - Returns: A handle to await the end or to cancel the load. Releasing it changes nothing.
  @inlinable
  @discardableResult
  public func start(
    _ mode: LoadMode = .refresh, id: LoadID? = nil, when condition: LoadCondition = .always,
    options: LoadOptions? = nil, isolation: isolated any Actor = #isolation,
    @_inheritActorContext(always) operation: sending @escaping () async throws -> Value?
  ) -> LoadTask<Value> {
    guard meets(condition) else {
      return LoadTask(refused(condition, isPinned: true, isolation: isolation).load)
    }
    let call = LoadCall(mode, id, policy(options))
    return LoadTask(request(call, isPinned: true, isolation: isolation, operation).load)
  }

  /// Starts a load whose operation reports while it runs. The load runs until it settles, even if no call waits for it.
  ///
  /// - Parameters:
  ///   - mode: The mode that decides whether the content is hidden while the load runs.
  ///   - id: Names the request. A running load with an equal one is joined.
  ///   - condition: The condition for calling the operation.
  ///   - options: Retries, timeout, interceptors and gate of this call, all four in the place of the data's; nil: the data's.
  ///   - isolation: The actor of the data.
  ///   - operation: Returns the value; nil: there is no data. It may yield values and report progress while it runs.
  /// - Returns: A handle to await the end or to cancel the load. Releasing it changes nothing.
  @discardableResult
  public func start(
    _ mode: LoadMode = .refresh, id: LoadID? = nil, when condition: LoadCondition = .always,
    options: LoadOptions? = nil, isolation: isolated any Actor = #isolation,
    @_inheritActorContext(always) operation: sending @escaping (LoadReporter<Value>) async throws -> Value?
  ) -> LoadTask<Value> {
    guard meets(condition) else {
      return LoadTask(refused(condition, isPinned: true, isolation: isolation).load)
    }
    let call = LoadCall(mode, id, policy(options))
    return LoadTask(request(call, isPinned: true, isolation: isolation, reporting: operation).load)
  }

  /// Loads, and waits for the end: for `.task` and `.refreshable`, and for servers.
  ///
  /// Cancelling the waiting task gives up its interest. The load ends when no other call waits and no `start` wants it. In a
  /// task that is cancelled already the operation is not called.
  ///
  /// - Parameters:
  ///   - mode: The mode that decides whether the content is hidden while the load runs.
  ///   - id: Names the request. A running load with an equal one is joined.
  ///   - condition: The condition for calling the operation.
  ///   - options: Retries, timeout, interceptors and gate of this call, all four in the place of the data's; nil: the data's.
  ///   - isolation: The actor of the data.
  ///   - operation: Returns the value; nil: there is no data. It runs on the data's actor.
  /// - Returns: The outcome of the load. The data has changed before this returns.
  @inlinable
  @discardableResult
  public func load(
    _ mode: LoadMode = .refresh, id: LoadID? = nil, when condition: LoadCondition = .always,
    options: LoadOptions? = nil, isolation: isolated any Actor = #isolation,
    @_inheritActorContext(always) operation: sending @escaping () async throws -> Value?
  ) async -> AsyncOutcome<Value?> {
    guard !Task.isCancelled else { return .cancelled }
    if isFresh(for: condition) { return .notRequested(displayed) }
    guard meets(condition) else {
      let (load, ticket) = refused(condition, isPinned: false, isolation: isolation)
      await load.wait(as: ticket, isolation: isolation)
      return load.outcome
    }
    let call = LoadCall(mode, id, policy(options))
    let (load, ticket) = request(call, isPinned: false, isolation: isolation, operation)
    await load.wait(as: ticket, isolation: isolation)
    return load.outcome
  }

  /// Loads with an operation that reports while it runs, and waits for the end.
  ///
  /// Cancelling the waiting task gives up its interest. The load ends when no other call waits and no `start` wants it. In a
  /// task that is cancelled already the operation is not called.
  ///
  /// - Parameters:
  ///   - mode: The mode that decides whether the content is hidden while the load runs.
  ///   - id: Names the request. A running load with an equal one is joined.
  ///   - condition: The condition for calling the operation.
  ///   - options: Retries, timeout, interceptors and gate of this call, all four in the place of the data's; nil: the data's.
  ///   - isolation: The actor of the data.
  ///   - operation: Returns the value; nil: there is no data. It may yield values and report progress while it runs.
  /// - Returns: The outcome of the load. The data has changed before this returns.
  @discardableResult
  public func load(
    _ mode: LoadMode = .refresh, id: LoadID? = nil, when condition: LoadCondition = .always,
    options: LoadOptions? = nil, isolation: isolated any Actor = #isolation,
    @_inheritActorContext(always) operation: sending @escaping (LoadReporter<Value>) async throws -> Value?
  ) async -> AsyncOutcome<Value?> {
    guard !Task.isCancelled else { return .cancelled }
    if isFresh(for: condition) { return .notRequested(displayed) }
    guard meets(condition) else {
      let (load, ticket) = refused(condition, isPinned: false, isolation: isolation)
      await load.wait(as: ticket, isolation: isolation)
      return load.outcome
    }
    let call = LoadCall(mode, id, policy(options))
    let (load, ticket) = request(call, isPinned: false, isolation: isolation, reporting: operation)
    await load.wait(as: ticket, isolation: isolation)
    return load.outcome
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

  /// A load that is not made, because its condition is not met. It has ended, unless the store is read first.
  ///
  /// - Parameter isPinned: Its caller does not wait for it.
  /// - Returns: The load, and the ticket of a call that waits for it.
  @usableFromInline
  func refused(
    _ condition: LoadCondition, isPinned: Bool, isolation: isolated any Actor
  ) -> (load: Load<Value>, ticket: Int) {
    if condition == .never { return lookUp(isPinned: isPinned, isolation: isolation) }
    if let error = pausingError { return (Load(endedWith: .failed(error)), 0) }
    return (Load(endedWith: .fresh, answer: valueOfKey), 0)
  }

  /// Displays the stored value. This is no request: other requests run beside it, and their values are newer.
  private func lookUp(isPinned: Bool, isolation: isolated any Actor) -> (load: Load<Value>, ticket: Int) {
    guard let stored = features.source, stored.hasUnreadValue else {
      noteLookUp()
      return (Load(endedWith: .fresh, answer: valueOfKey), 0)
    }
    let load = Load<Value>(of: [])
    let ticket = load.join(isPinned: isPinned)
    operationWillBegin()
    let task = Task {
      _ = isolation
      await stored.displayStored(isolation: isolation)
      noteLookUp()
      if load.isCurrent {
        load.answer = valueOfKey
        load.close(.fresh)
        load.finish()
      }
      operationDidReturn()
    }
    load.run(in: task)
    return (load, ticket)
  }

  /// If nothing was found, no request is expected. An entry that only its family holds may have been removed from the family.
  private func noteLookUp() {
    let isLookedUpInVain =
      state.core.order.isEmpty && context.isUntouched && !context.origin.isRequestExpected && keeper?.isHeld != false
    if isLookedUpInVain { apply(.cancelledAll) }
  }

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

  /// Joins the running load with the same name, or the one that waits behind it.
  ///
  /// - Parameter makeOperation: The operation of a load, if the call is the first that waits for it.
  private func share(
    _ call: LoadCall, isPinned: Bool, isolation: isolated any Actor,
    _ makeOperation: @escaping (Load<Value>) -> () async throws -> Value?
  ) -> (load: Load<Value>, ticket: Int)? {
    switch state.core.order.decision(for: call.id) {
    case .start: return nil
    case .join(let run):
      guard let ticket = run.joinIfWanted(isPinned: isPinned, forHolders: call.isForHolders) else {
        return share(call, isPinned: isPinned, isolation: isolation, makeOperation)
      }
      defer { callDidJoin() }
      run.raisePriority()
      return (typed(run), ticket)
    case .wait(let run):
      let load = run.map(typed) ?? Load(for: self, id: call.id, home: isolation)
      if run == nil { state.core.order.wait(load) }
      guard let ticket = load.joinIfWanted(isPinned: isPinned, forHolders: call.isForHolders) else {
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
    let ticket = load.join(isPinned: isPinned, forHolders: call.isForHolders)
    begin(load, call.mode, call.policy?.gate)
    return ticket
  }

  /// - Parameter gate: The gate that the load waits for while it is closed.
  func begin(_ load: LoadRun, _ mode: LoadMode, _ gate: LoadGate? = nil) {
    var activity = LoadActivity(mode: mode, isWaiting: gate?.isOpen == false)
    if let id = load.id { activity.id = id }
    activity.edge = load.edge
    if state.extras != nil { prepareExtras(for: load) }
    apply(.began(activity), for: load)
  }

  private func prepareExtras(for load: LoadRun) {
    load.state.startedAt = now
    callDidJoin()
    if load.edge == nil { features.source?.willBegin() }
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

  @usableFromInline
  func run(
    _ load: Load<Value>, by policy: RequestPolicy, isolation: isolated any Actor,
    _ operation: @escaping () async throws -> Value?
  ) {
    load.run(by: policy, on: timeline, isolation: isolation, load.attempt(policy.intercepting(operation)))
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
  /// The policy of the requests of a call.
  @usableFromInline
  func policy(_ options: LoadOptions? = nil) -> RequestPolicy? {
    if let options { RequestPolicy(options) } else { state.extras?.options.policy }
  }

  /// The gate of the data's requests.
  var gate: LoadGate? { state.extras?.options.policy?.gate }
}
