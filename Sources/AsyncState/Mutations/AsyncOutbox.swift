// SPDX-License-Identifier: MIT
public import Observation

/// Commands that are not lost: inputs are stored before they are sent.
///
/// ```swift
/// let notes = AsyncOutbox(store: store, options: .app, isPermanent: { error, _ in error is Refusal }) {
///   (note: Note, request) in try await service.save(note, key: request.idempotencyKey)
/// }
/// ```
///
/// An input is sent until there is an answer, also after a restart: at least once, in order within its lane, always with the
/// same key. Call ``resume(isolation:)`` at the start of the app.
///
/// An outbox belongs to the main actor or to the actor that it names when it is created. When its last reference is released,
/// on any thread, or by ``close()``, inputs that were not sent stay in the store, for the next outbox of that store. Two that use
/// a store at once stop the process.
public final class AsyncOutbox<Input, Output>: Observable {
  private let outbox: Outbox<Input, Output>
  private weak var home: (any Actor)?

  // MARK: Creating

  /// An outbox of the main actor. It can be the initial value of a stored or lazy property.
  ///
  /// - Parameters:
  ///   - store: The store that keeps the inputs. No other outbox uses it at the same time.
  ///   - options: Retries, the longest time of all attempts together, interceptors, gate, and the clock. Inputs are sent while
  ///     the gate is open, and as many at a time as its width allows; without a width at most four lanes begin. When the
  ///     attempts have failed the lane waits until the gate opens, or a call lets it continue.
  ///   - lane: Inputs with an equal lane are sent one after another, in order. By default all of them are.
  ///   - isPermanent: Returns true if it makes no sense to send an input again that has failed with this error, because the
  ///     server has refused it, or because of the number of attempts so far, which are counted over restarts. The input is not
  ///     tried again but set aside, and its lane continues.
  ///   - operation: Sends the input, and returns the answer of the server. It runs on the main actor.
  public convenience init(
    store: any OutboxStore<Input>, options: LoadOptions = LoadOptions(),
    lane: @escaping (Input) -> String = { _ in "" },
    isPermanent: @escaping @Sendable (_ error: any Error, _ attempts: Int) -> Bool,
    operation: @escaping @MainActor (Input, MutationReporter) async throws -> Output
  ) {
    let settings = OutboxSettings(
      store: store, options: options, lane: lane, isPermanent: isPermanent, operation: operationOnMainActor(operation))
    self.init(MainActor.shared, settings)
  }

  /// An outbox of any actor.
  ///
  /// - Parameters:
  ///   - isolation: The actor that the outbox belongs to. It is not kept alive.
  ///   - store: The store that keeps the inputs. No other outbox uses it at the same time.
  ///   - options: Retries, the longest time of all attempts together, interceptors, gate, and the clock.
  ///   - lane: Inputs with an equal lane are sent one after another, in order. By default all of them are.
  ///   - isPermanent: Returns true if an input that has failed with this error, after so many attempts, is set aside.
  ///   - operation: Sends the input, and returns the answer of the server. It runs on the outbox's actor.
  public convenience init(
    isolation: isolated any Actor, store: any OutboxStore<Input>, options: LoadOptions = LoadOptions(),
    lane: @escaping (Input) -> String = { _ in "" },
    isPermanent: @escaping @Sendable (_ error: any Error, _ attempts: Int) -> Bool,
    operation: @escaping (Input, MutationReporter) async throws -> Output
  ) {
    let settings = OutboxSettings(
      store: store, options: options, lane: lane, isPermanent: isPermanent, operation: operation)
    self.init(isolation, settings)
  }

  private init(_ home: any Actor, _ settings: OutboxSettings<Input, Output>) {
    self.home = home
    outbox = Outbox(settings, on: home)
  }

  deinit {
    outbox.use.release()
    guard let home else { return }
    ActorBound(outbox, to: home).send { $0.close() }
  }

  // MARK: Reading

  /// The state of the outbox: an input is being sent, or the end of the last request, as of an ``AsyncMutation``.
  public var status: MutationStatus<Input, Output> { outbox.requests.status.map(\.input) }

  /// The mutation that sends the inputs, one at a time in each lane.
  package var requests: AsyncMutation<OutboxEntry<Input>, Output> { outbox.requests }

  /// True while a request runs.
  public var isRunning: Bool { status.isRunning }

  /// The error of the last request, if that has failed.
  public var error: (any Error)? { outbox.requests.error }

  /// The output of the last request, if that has succeeded.
  public var output: Output? { outbox.requests.output }

  /// The status as an observed value, to bind and to derive others from.
  public var observed: Observed<MutationStatus<Input, Output>> { outbox.requests.observed.map { $0.map(\.input) } }

  /// The progress that the operation has reported for the running request; nil: unknown, or none runs.
  public var progress: Double? { outbox.requests.progress }

  /// The number of inputs that wait, and the inputs that were set aside.
  public var state: OutboxState<Input> { outbox.state.value ?? OutboxState() }

  /// The same as an observed value, to bind and to derive others from.
  public var observedState: Observed<OutboxState<Input>> { outbox.state.observed.map { $0.value ?? OutboxState() } }

  /// The inputs that have no answer, in order and in pages, with those that were set aside: for a list of waiting inputs.
  ///
  /// - Parameters:
  ///   - entry: The last one of the page before; nil: from the first one. If that has left since, the entries begin with the
  ///     first one again: pass one that is still there.
  ///   - limit: The largest number of entries to return.
  ///   - isolation: The actor that the outbox belongs to.
  /// - Returns: Fewer than `limit` at the end.
  /// - Throws: The error of the store.
  public func entries(
    after entry: OutboxEntry<Input>? = nil, limit: Int = 100, isolation: isolated any Actor = #isolation
  ) async throws -> [OutboxEntry<Input>] {
    outbox.requests.require(isolation)
    return try await outbox.entries(after: entry?.key, limit: limit).untilEnded(isolation: isolation).get()
  }

  // MARK: Performing

  /// Stores an input, and sends it in its turn. Its change is displayed when this returns.
  ///
  /// - Parameters:
  ///   - input: The input to send.
  ///   - isolation: The actor that the outbox belongs to.
  /// - Returns: A handle to wait until the input is stored, or has an answer, or to cancel it. Releasing it changes nothing.
  @discardableResult
  public func perform(_ input: Input, isolation: isolated any Actor = #isolation) -> MutationTask<Output> {
    outbox.requests.require(isolation)
    return outbox.perform(MutationRun(input))
  }

  /// Sends the inputs left in the store, at the start of the app, and those that have failed, when there is a reason to try
  /// again.
  ///
  /// The first call reads the store, and displays the changes of waiting inputs again; `perform` does that, too. Inputs that
  /// were set aside stay so.
  ///
  /// - Parameter isolation: The actor that the outbox belongs to.
  public func resume(isolation: isolated any Actor = #isolation) async {
    outbox.requests.require(isolation)
    _ = await outbox.resume().untilEnded(isolation: isolation)
  }

  /// Lets every lane that has failed continue, and performs again the input of a failed status, under the same key.
  ///
  /// - Parameter isolation: The actor that the outbox belongs to.
  /// - Returns: A handle of that input; nil if the status is not `failed`: then the lanes continue, if any has failed.
  @discardableResult
  public func retry(isolation: isolated any Actor = #isolation) -> MutationTask<Output>? {
    outbox.requests.require(isolation)
    return outbox.retry()
  }

  /// Lets an input that was set aside wait again, in its former place.
  ///
  /// - Parameter entry: One of ``OutboxState/setAside``.
  /// - Returns: A handle of the request; nil if it is not set aside.
  @discardableResult
  public func retry(_ entry: OutboxEntry<Input>) -> MutationTask<Output>? {
    outbox.isSetAside(entry.key) ? outbox.performAgain(entry) : nil
  }

  /// Puts another input in the place of one that waits, in its present lane, and under its key.
  ///
  /// - Parameters:
  ///   - entry: One that has never been sent: otherwise the server may have done it under its key.
  ///   - input: The input to send instead.
  ///   - isolation: The actor that the outbox belongs to.
  /// - Returns: False if it has been sent, or is not there any more: nothing has changed then.
  /// - Throws: The error of the store. Nothing has changed then.
  @discardableResult
  public func replace(
    _ entry: OutboxEntry<Input>, with input: Input, isolation: isolated any Actor = #isolation
  ) async throws -> Bool {
    outbox.requests.require(isolation)
    return try await outbox.replace(entry, with: input).untilEnded(isolation: isolation).get()
  }

  /// Removes an input that waits, or was set aside, like a cancel of its handle. Does nothing if it is not there.
  ///
  /// - Parameter entry: One of ``entries(after:limit:isolation:)`` or ``OutboxState/setAside``.
  public func discard(_ entry: OutboxEntry<Input>) {
    outbox.discard(entry)
  }

  /// Cancels all inputs, and removes all stored ones, with those that were set aside, and output and error: for log-out.
  ///
  /// - Parameter isolation: The actor that the outbox belongs to.
  /// - Throws: The error of the store. Inputs that it could not remove are not sent: the removal is tried again before another
  ///   input is accepted or sent.
  public func discardAll(isolation: isolated any Actor = #isolation) async throws {
    outbox.requests.require(isolation)
    _ = try await outbox.discardAll().untilEnded(isolation: isolation).get()
  }

  /// Ends the use of the store, for a log-out that keeps what was not sent until the user is back, in a store for each account.
  ///
  /// Nothing is sent any more; an input that is being sent is interrupted. What was accepted stays in the store, handles end as
  /// cancelled, and nothing of it is displayed. Another outbox may use the store from now on, also while something still holds
  /// this one; it begins when what was performed here is stored. What is performed later fails with ``OutboxError/closed``.
  public func close() {
    outbox.use.release()
    outbox.close()
  }

  /// Interrupts the inputs that are being sent. They stay in the store, and their lanes wait as after a failure.
  public func cancel() { outbox.requests.cancel() }

  /// Interrupts the inputs that are being sent, like ``cancel()``, and removes output and error. Nothing is expected next, so
  /// nothing is displayed as loading. Nothing is removed from the store: for log-out, call ``discardAll(isolation:)``.
  public func reset() { outbox.requests.reset() }

  /// Suspends until no request runs, and the store has no work left, or the calling task is cancelled.
  package func untilSettled(isolation: isolated any Actor) async { await outbox.untilSettled(isolation: isolation) }

  /// The task that sends an input, for tests.
  package func request(of isInput: (Input) -> Bool) -> Task<Void, Never>? {
    outbox.sending.values.first { isInput($0.input) }?.place?.request?.task
  }

  // MARK: Effects of an input

  /// Displays a change at once, like ``AsyncMutation/changing(_:_:)``: also while the input waits, and after a restart.
  ///
  /// - Parameters:
  ///   - resource: The resource that an input changes; nil if it changes none. It belongs to the outbox's actor.
  ///   - patch: Makes the change. A pure function.
  /// - Returns: The outbox.
  @discardableResult
  public func changing<Value>(
    _ resource: @escaping (Input) -> AsyncResource<Value>?, _ patch: @escaping (inout Value, Input) -> Void
  ) -> AsyncOutbox {
    outbox.effects.addChange(of: resource, patch, confirmed: nil)
    return self
  }

  /// Displays a change at once, and another one when there is an answer, like ``AsyncMutation/changing(_:_:confirming:)``.
  ///
  /// - Parameters:
  ///   - resource: The resource that an input changes; nil if it changes none. It belongs to the outbox's actor.
  ///   - patch: Makes the change until there is an answer. A pure function.
  ///   - confirmed: Makes the change with the output, in the place of the first. A pure function, too.
  /// - Returns: The outbox.
  @discardableResult
  public func changing<Value>(
    _ resource: @escaping (Input) -> AsyncResource<Value>?, _ patch: @escaping (inout Value, Input) -> Void,
    confirming confirmed: @escaping (inout Value, Input, Output) -> Void
  ) -> AsyncOutbox {
    outbox.effects.addChange(of: resource, patch, confirmed: confirmed)
    return self
  }

  /// Invalidates tags when an input has an answer, like ``AsyncMutation/invalidating(_:_:)``.
  ///
  /// - Parameters:
  ///   - board: The board on which the tags are invalidated.
  ///   - tags: Returns the tags of an input and its output; the output is nil if it is not known.
  /// - Returns: The outbox.
  @discardableResult
  public func invalidating(
    _ board: AsyncTagBoard, _ tags: @escaping (Input, Output?) -> Set<AsyncTag>
  ) -> AsyncOutbox {
    outbox.effects.addInvalidation(on: board, tags)
    return self
  }

  /// Rewrites the inputs that wait behind an input in its lane when that input has its answer: inputs that refer to an object
  /// by a temporary identity then refer to it by the one that the server has given.
  ///
  /// ```swift
  /// edits.rewriting { edit, answer in
  ///   guard case .create(let draft) = edit else { return nil }
  ///   return { $0.replacing(draft.id, by: answer.id) }
  /// }
  /// ```
  ///
  /// The rewritten inputs are stored before the answered one is removed, so they are not lost if the process ends between the
  /// two: the answered input is then sent again, and answered again. Each answer with a rewriting reads all waiting inputs.
  ///
  /// - Parameter rewriting: Returns, for an answered input and its output, a closure that rewrites a waiting input. If it, or
  ///   the closure, returns nil, the input stays as it is.
  /// - Returns: The outbox.
  @discardableResult
  public func rewriting(_ rewriting: @escaping (Input, Output) -> ((Input) -> Input?)?) -> AsyncOutbox {
    outbox.rewriting = rewriting
    return self
  }
}
