// SPDX-License-Identifier: MIT
// A mutation whose inputs are not lost.

extension AsyncMutation {
  /// A mutation of the main actor that stores inputs before it sends them. It can be the initial value of a stored or
  /// lazy property.
  ///
  /// ```swift
  /// let notes = AsyncMutation(outbox: store, board: board, isPermanent: { $0 is Refusal }) { (note: Note, request) in
  ///   try await service.save(note, key: request.idempotencyKey)
  /// }
  /// ```
  ///
  /// An input is sent until there is an answer, also after a restart: at least once, in order within its lane, always
  /// with the same key. Call ``resume(isolation:)`` at the start of the app.
  ///
  /// - Parameters:
  ///   - store: Where inputs are kept. No other mutation uses it.
  ///   - board: Inputs are sent while it is open, and as many at a time as its width allows.
  ///   - options: Retries, the longest time of all attempts together, and the clock that measures both. When they have
  ///     failed the lane waits until the board opens, or a call lets it continue.
  ///   - lane: Inputs with an equal lane are sent one after another, in order. By default all of them are.
  ///   - isPermanent: Whether to send an input again that has failed with this error makes no sense, because the server
  ///     has refused it. It is not tried again but set aside, and its lane continues.
  ///   - operation: Sends the input, and returns what the server has answered. It runs on the main actor.
  public convenience init(
    outbox store: any OutboxStore<Input>, board: AsyncTagBoard = AsyncTagBoard(), options: LoadOptions = LoadOptions(),
    lane: @escaping (Input) -> String = { _ in "" }, isPermanent: @escaping @Sendable (any Error) -> Bool,
    operation: @escaping @MainActor (Input, MutationReporter) async throws -> Output
  ) {
    let settings = OutboxSettings(store: store, board: board, options: options, lane: lane, isPermanent: isPermanent)
    self.init(MainActor.shared, .queue, options, operationOnMainActor(operation), settings)
  }

  /// A mutation of any actor that stores inputs before it sends them.
  ///
  /// - Parameters:
  ///   - isolation: The actor that the mutation belongs to. It is not kept alive.
  ///   - store: Where inputs are kept. No other mutation uses it.
  ///   - board: Inputs are sent while it is open, and as many at a time as its width allows.
  ///   - options: Retries, the longest time of all attempts together, and the clock that measures both.
  ///   - lane: Inputs with an equal lane are sent one after another, in order. By default all of them are.
  ///   - isPermanent: Whether to send an input again that has failed with this error makes no sense. It is set aside.
  ///   - operation: Sends the input, and returns what the server has answered. It runs on the mutation's actor.
  public convenience init(
    isolation: isolated any Actor, outbox store: any OutboxStore<Input>, board: AsyncTagBoard = AsyncTagBoard(),
    options: LoadOptions = LoadOptions(), lane: @escaping (Input) -> String = { _ in "" },
    isPermanent: @escaping @Sendable (any Error) -> Bool,
    operation: @escaping (Input, MutationReporter) async throws -> Output
  ) {
    let settings = OutboxSettings(store: store, board: board, options: options, lane: lane, isPermanent: isPermanent)
    self.init(isolation, .queue, options, operation, settings)
  }

  /// How many inputs wait in the outbox, and which were set aside. Empty without an outbox.
  public var outboxState: OutboxState<Input> { outbox?.state.value ?? OutboxState() }

  /// The same as an observed value, to bind and to derive others from.
  public var observedOutboxState: Observed<OutboxState<Input>> {
    (outbox?.state ?? AsyncData()).observed.map { $0.value ?? OutboxState() }
  }

  /// Sends what is left in the outbox, at the start of the app, and what has failed, when there is a reason to try again.
  ///
  /// When it is called first the store is read, and what waits is displayed again; `perform` does that, too. What is set
  /// aside stays so. Without an outbox it does nothing.
  ///
  /// - Parameter isolation: The actor that the mutation belongs to.
  public func resume(isolation: isolated any Actor = #isolation) async {
    require(isolation)
    _ = await outbox?.resume().untilEnded(isolation: isolation)
  }

  /// Lets an input that was set aside wait again, in its former place.
  ///
  /// - Parameter entry: One of ``OutboxState/setAside``.
  /// - Returns: A handle of the request; nil if it is not set aside.
  @discardableResult
  public func retry(_ entry: OutboxEntry<Input>) -> MutationTask<Output>? {
    outbox?.isSetAside(entry.key) == true ? outbox?.retry(entry) : nil
  }

  /// Removes an input that was set aside. Does nothing if it is not set aside.
  ///
  /// - Parameter entry: One of ``OutboxState/setAside``.
  public func discard(_ entry: OutboxEntry<Input>) {
    if outbox?.isSetAside(entry.key) == true { outbox?.discard(entry.key) }
  }

  /// Cancels all inputs of the outbox, and removes what is stored, what was set aside included: for log-out. Without an
  /// outbox it does nothing.
  ///
  /// - Parameter isolation: The actor that the mutation belongs to.
  /// - Throws: The error of the store. What it could not remove is sent as ever.
  public func discardAll(isolation: isolated any Actor = #isolation) async throws {
    require(isolation)
    _ = try await outbox?.discardAll().untilEnded(isolation: isolation).get()
  }
}

// MARK: - The status of what an outbox sends

extension AsyncMutation {
  /// The request of an input begins, or another one has ended while it runs.
  func show(_ run: Run, isolation: isolated any Actor) {
    shown = (run, nil)
    let load = data.begin(isolation: isolation)
    // An observer may have cancelled other inputs, after which this one was displayed again.
    if shown?.run === run, shown?.load == nil { shown?.load = load }
  }

  /// A request has ended, or could not begin.
  func show(_ outcome: MutationOutcome<Output>, of run: Run, isolation: isolated any Actor) {
    let load = shown?.run === run ? shown?.load : nil
    switch outcome {
    case .success(let output):
      shown = nil
      if let load { load.succeed(with: output) } else { data.value = output }
    case .failure(let error):
      shown = nil
      failed = run
      if let load { load.fail(with: error) } else { data.error = error }
    case .cancelled, .superseded:
      guard let load else { return }
      shown = nil
      load.task.cancel()
    }
    if shown == nil, let other = outbox?.lastSent { show(other, isolation: isolation) }
  }

  func report(_ progress: Double?, of run: Run) {
    guard let shown, shown.run === run, data.snapshot.activity?.progress != progress else { return }
    shown.load?.report(progress: progress)
  }
}
