// Starting loads, and what loads do to the facts.

extension AsyncData {
  /// Starts a load that runs until it settles, whoever waits for it.
  ///
  /// An operation that is kept in a variable needs the mode before it: `data.start(.reload, fetch)`.
  ///
  /// - Parameters:
  ///   - mode: Whether what is shown is hidden meanwhile. A refresh that supersedes a running reload stays a reload,
  ///     until it yields or settles.
  ///   - id: Names the request. A load that runs with an equal one is joined: the operation is not called, and both get
  ///     the same outcome. Any other load that runs is superseded.
  ///   - ifStale: Whether to ask only if the facts are stale. If they are fresh the outcome is `.fresh` at once.
  ///   - retry: Whether to try again after a failure.
  ///   - timeout: How long all attempts may take together. Then the load settles with ``LoadTimeout``, whether or not
  ///     the operation listens.
  ///   - isolation: The actor that the data live on. A closure in an actor that does not capture `self` is not isolated
  ///     to it: write `isolation: self` there.
  ///   - operation: Gets the value; nil: there is none. It runs on the data's actor, so it may touch what its caller
  ///     may.
  /// - Returns: A handle to wait for the end, or to give the load up.
  @inlinable
  @discardableResult
  public func start(
    _ mode: LoadMode = .reload, id: LoadID? = nil, ifStale: Bool = false, retry: RetryPolicy = .never,
    timeout: Duration? = nil, isolation: isolated any Actor = #isolation,
    _ operation: @escaping () async throws -> Value?
  ) -> LoadTask<Value> {
    let load = begin(
      mode, id: id, ifStale: ifStale, retry: retry, timeout: timeout, isolation: isolation
    ) { _ in operation }
    load.pin()
    return load
  }

  /// Starts a load that tells of itself while it runs, and runs until it settles, whoever waits for it.
  ///
  /// - Parameters:
  ///   - mode: Whether what is shown is hidden meanwhile. A refresh that supersedes a running reload stays a reload,
  ///     until it yields or settles.
  ///   - id: Names the request. A load that runs with an equal one is joined: the operation is not called, and both get
  ///     the same outcome. Any other load that runs is superseded.
  ///   - ifStale: Whether to ask only if the facts are stale. If they are fresh the outcome is `.fresh` at once.
  ///   - retry: Whether to try again after a failure.
  ///   - timeout: How long all attempts may take together. Then the load settles with ``LoadTimeout``, whether or not
  ///     the operation listens.
  ///   - isolation: The actor that the data live on.
  ///   - operation: Gets the value; nil: there is none. It may yield values and report progress meanwhile.
  /// - Returns: A handle to wait for the end, or to give the load up.
  @inlinable
  @discardableResult
  public func start(
    _ mode: LoadMode = .reload, id: LoadID? = nil, ifStale: Bool = false, retry: RetryPolicy = .never,
    timeout: Duration? = nil, isolation: isolated any Actor = #isolation,
    _ operation: @escaping (LoadReporter<Value>) async throws -> Value?
  ) -> LoadTask<Value> {
    let load = begin(mode, id: id, ifStale: ifStale, retry: retry, timeout: timeout, isolation: isolation) { load in
      let reporter = LoadReporter(load)
      return { try await operation(reporter) }
    }
    load.pin()
    return load
  }

  /// Loads, and waits for the end: the way for `.task` and `.refreshable`.
  ///
  /// Cancelling the task that waits gives up its interest. The load ends when nobody else waits and no `start` wants
  /// it. In a task that is cancelled already the operation is not called.
  ///
  /// - Parameters:
  ///   - mode: Whether what is shown is hidden meanwhile.
  ///   - id: Names the request. A load that runs with an equal one is joined.
  ///   - ifStale: Whether to ask only if the facts are stale.
  ///   - retry: Whether to try again after a failure.
  ///   - timeout: How long all attempts may take together.
  ///   - isolation: The actor that the data live on.
  ///   - operation: Gets the value; nil: there is none. It runs on the data's actor, so it may touch what its caller
  ///     may.
  /// - Returns: How the load ended. The facts have changed by then.
  @inlinable
  @discardableResult
  public func load(
    _ mode: LoadMode = .reload, id: LoadID? = nil, ifStale: Bool = false, retry: RetryPolicy = .never,
    timeout: Duration? = nil, isolation: isolated any Actor = #isolation,
    _ operation: @escaping () async throws -> Value?
  ) async -> LoadOutcome<Value> {
    guard !Task.isCancelled else { return .cancelled }
    let load = begin(
      mode, id: id, ifStale: ifStale, retry: retry, timeout: timeout, isolation: isolation
    ) { _ in operation }
    return await load.outcomeIfWanted(isolation: isolation)
  }

  /// Loads with an operation that tells of itself, and waits for the end.
  ///
  /// Cancelling the task that waits gives up its interest. The load ends when nobody else waits and no `start` wants
  /// it. In a task that is cancelled already the operation is not called.
  ///
  /// - Parameters:
  ///   - mode: Whether what is shown is hidden meanwhile.
  ///   - id: Names the request. A load that runs with an equal one is joined.
  ///   - ifStale: Whether to ask only if the facts are stale.
  ///   - retry: Whether to try again after a failure.
  ///   - timeout: How long all attempts may take together.
  ///   - isolation: The actor that the data live on.
  ///   - operation: Gets the value; nil: there is none. It may yield values and report progress meanwhile.
  /// - Returns: How the load ended. The facts have changed by then.
  @inlinable
  @discardableResult
  public func load(
    _ mode: LoadMode = .reload, id: LoadID? = nil, ifStale: Bool = false, retry: RetryPolicy = .never,
    timeout: Duration? = nil, isolation: isolated any Actor = #isolation,
    _ operation: @escaping (LoadReporter<Value>) async throws -> Value?
  ) async -> LoadOutcome<Value> {
    guard !Task.isCancelled else { return .cancelled }
    let load = begin(mode, id: id, ifStale: ifStale, retry: retry, timeout: timeout, isolation: isolation) { load in
      let reporter = LoadReporter(load)
      return { try await operation(reporter) }
    }
    return await load.outcomeIfWanted(isolation: isolation)
  }

  /// Joins the load that runs, or starts another in its place.
  ///
  /// - Parameter makeOperation: The operation of a load that is started.
  @inlinable
  func begin(
    _ mode: LoadMode, id: LoadID?, ifStale: Bool, retry: RetryPolicy, timeout: Duration?, isolation: isolated any Actor,
    _ makeOperation: (LoadTask<Value>) -> () async throws -> Value?
  ) -> LoadTask<Value> {
    if ifStale && !isStale { return LoadTask(endedWith: .fresh) }
    if let id, let running = runningLoad(named: id) { return running }
    let load = LoadTask(for: self)
    // What a reload has hidden stays hidden until there is something to show.
    let isHiding = facts.activity?.mode == .reload
    var activity = LoadActivity(mode: isHiding ? .reload : mode)
    if let id { activity.id = id }
    change(ending: .superseded, starting: load) { $0.begin(activity) }
    if load.data == nil {
      // Cancelled or superseded by somebody who heard of it.
    } else if retry.delay == nil && timeout == nil {
      load.run(makeOperation(load), isolation: isolation)
    } else {
      load.run(makeOperation(load), retry: retry, timeout: timeout, isolation: isolation)
    }
    return load
  }

  @usableFromInline
  func runningLoad(named id: LoadID) -> LoadTask<Value>? {
    facts.activity?.id == id ? runningLoad as? LoadTask<Value> : nil
  }

  // MARK: What a load does to the facts. Each is called by the load that counts, and by no other.

  /// The value without changes that are not confirmed.
  var confirmedValue: Value? {
    if let patches { patches.ordered.confirmedValue } else { facts.value }
  }

  /// What times of these facts are measured by.
  var timeline: Timeline {
    settings?.freshness.timeline ?? Timeline(ContinuousClock())
  }

  func yield(_ value: Value?) {
    change {
      $0.yield(rebased(value))
      revision.value &+= 1
    }
  }

  func noteFailure(_ error: any Error, failures: Int) {
    change {
      $0.activity?.progress = nil
      $0.activity?.failures = failures
      $0.activity?.lastFailure = error
    }
  }

  @inlinable
  func succeed(with value: Value?) {
    runningLoad = nil
    change {
      $0.succeed(with: rebased(value))
      noteAnswer()
    }
  }

  @inlinable
  func fail(with error: any Error) {
    runningLoad = nil
    change {
      $0.fail(with: error)
      revision.error &+= 1
      hasFailed = true
    }
  }

  /// A new base under the changes that are not confirmed yet.
  @inlinable
  func rebased(_ value: Value?) -> Value? {
    if let patches { patches.rebased(on: value) } else { value }
  }
}
