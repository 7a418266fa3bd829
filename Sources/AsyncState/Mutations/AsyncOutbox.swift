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
/// on any thread, or by ``close()``, inputs that were not sent stay in the store, for the next outbox of that store. One that
/// uses the store of another outbox takes it over: the other one is closed.
public final class AsyncOutbox<Input, Output>: Observable {
  let outbox: Outbox<Input, Output>
  private weak var home: (any Actor)?

  // MARK: Creating

  /// An outbox of the main actor. It can be the initial value of a stored or lazy property.
  ///
  /// - Parameters:
  ///   - store: The store that keeps the inputs. Another outbox that uses it is closed.
  ///   - options: Retries, the longest time of all attempts together, interceptors, gate, and the clock. Inputs are sent while
  ///     the gate is open, and as many at a time as its width allows; without a width four lanes are sent at a time. When the
  ///     attempts have failed the lane waits for a pause, until the gate opens, or for a call that lets it continue.
  ///   - lane: Inputs with an equal lane are sent one after another, in order. By default all of them are.
  ///   - isPermanent: Returns true if it makes no sense to send an input again that has failed with this error, because the
  ///     server has refused it, or because of the number of attempts so far, which are counted over restarts. The input is not
  ///     tried again: its phase is `failed`, and its lane continues.
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
  ///   - store: The store that keeps the inputs. Another outbox that uses it is closed.
  ///   - options: Retries, the longest time of all attempts together, interceptors, gate, and the clock.
  ///   - lane: Inputs with an equal lane are sent one after another, in order. By default all of them are.
  ///   - isPermanent: Returns true if an input that has failed with this error, after so many attempts, is not tried again.
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

  /// The number of inputs that wait, and the error of the store.
  public var state: OutboxState { outbox.readState }

  /// The same as an observed value, to bind and to derive others from.
  public var observedState: Observed<OutboxState> { outbox.state.observed }

  /// The inputs that have no answer, in order, those included that have failed for good. Empty until the store was read, by
  /// ``resume(isolation:)`` or `perform`.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is their number.
  public var entries: [OutboxEntry<Input>] { outbox.entries }

  /// The same as an observed value, to bind a list to.
  public var observedEntries: Observed<[OutboxEntry<Input>]> {
    outbox.version.observed.map { [weak outbox] _ in outbox?.entries ?? [] }
  }

  /// What a journal records.
  package var source: AsyncState.Input<OutboxState> { outbox.state }

  // MARK: Performing

  /// Stores an input, and sends it in its turn. Its change is displayed when this returns.
  ///
  /// - Parameters:
  ///   - input: The input to send.
  ///   - isolation: The actor that the outbox belongs to.
  /// - Returns: A handle to wait until the input is stored, or has an answer, or to cancel it. Releasing it changes nothing.
  @discardableResult
  public func perform(_ input: Input, isolation: isolated any Actor = #isolation) -> MutationTask<Output> {
    outbox.require(isolation)
    return outbox.perform(MutationRun(input))
  }

  /// Sends what is left in the store, at the start of the app, and what has failed, when there is a reason to try again.
  ///
  /// The first call reads the store, and displays the changes of waiting inputs again, below those of inputs that are sent after them;
  /// `perform` does that, too. What has failed for good stays so. In a background task, wait for the end of what can be done now:
  ///
  /// ```swift
  /// await notes.resume().finished()
  /// ```
  ///
  /// - Parameter isolation: The actor that the outbox belongs to.
  /// - Returns: A handle to wait for the read, or for the end. Releasing it changes nothing.
  @discardableResult
  public func resume(isolation: isolated any Actor = #isolation) -> OutboxResumption {
    outbox.require(isolation)
    outbox.resume()
    return OutboxResumption(outbox: outbox)
  }

  /// Sends an input again that has failed: one that has failed for good, in its previous place, or one that pauses, now.
  ///
  /// - Parameter entry: One of ``entries``.
  /// - Returns: A handle of it; nil if it has not failed.
  @discardableResult
  public func retry(_ entry: OutboxEntry<Input>) -> MutationTask<Output>? { outbox.retry(entry.key) }

  /// Puts another input in the place of one that waits, in its present lane, and under its key.
  ///
  /// - Parameters:
  ///   - entry: One that has never been sent: otherwise the server may have done it under its key.
  ///   - input: The input to send instead.
  ///   - isolation: The actor that the outbox belongs to.
  /// - Returns: False if it has been sent, or is not there any more: nothing has changed then.
  /// - Throws: The error of the store. Nothing has changed then, and its lane waits until the store works.
  @discardableResult
  public func replace(
    _ entry: OutboxEntry<Input>, with input: Input, isolation: isolated any Actor = #isolation
  ) async throws -> Bool {
    outbox.require(isolation)
    return try await outbox.replace(entry.key, with: input, isolation: isolation)
  }

  /// Removes an input, like a cancel of its handle. Does nothing if it is not there.
  ///
  /// - Parameter entry: One of ``entries``.
  public func discard(_ entry: OutboxEntry<Input>) { outbox.discard(entry.key) }

  /// Removes an input that cannot be decoded.
  ///
  /// - Parameter entry: One of ``OutboxState/unreadable``.
  public func discard(_ entry: UnreadableEntry) { outbox.discard(entry.key) }

  /// Cancels all inputs, and removes all stored ones, with those that have failed or cannot be decoded: for log-out.
  ///
  /// - Parameter isolation: The actor that the outbox belongs to.
  /// - Throws: The error of the store. Inputs that it could not remove are not sent: the removal is tried again before another
  ///   input is accepted or sent. If the process ends first, the next launch sends them, unless it calls this before `resume`.
  public func discardAll(isolation: isolated any Actor = #isolation) async throws {
    outbox.require(isolation)
    _ = try await outbox.discardAll().untilEnded(isolation: isolation).get()
  }

  /// Ends the use of the store, for a log-out that keeps what was not sent until the user is back, in a store for each account.
  ///
  /// Nothing is sent any more; an input that is being sent is interrupted. What was accepted stays in the store, handles end as
  /// cancelled, and nothing of it is displayed. Another outbox may use the store from now on, also while something still holds
  /// this one; it begins when what was performed here is stored. What is performed later fails with ``OutboxError/closed``.
  public func close() { outbox.close() }

  /// Suspends until no request runs, and the store has no work left, or the calling task is cancelled.
  package func untilSettled(isolation: isolated any Actor) async { await outbox.untilSettled(isolation: isolation) }

  /// The task that sends an input, for tests.
  package func request(of isInput: (Input) -> Bool) -> Task<Void, Never>? {
    outbox.active.values.first { isInput($0.input) }?.place?.request?.task
  }

  // MARK: Effects of an input

  /// Displays a change at once, like ``AsyncMutation/changing(_:_:confirming:)``: also while the input waits, and after a restart.
  ///
  /// - Parameters:
  ///   - resource: The resource that an input changes; nil if it changes none. It belongs to the outbox's actor.
  ///   - patch: Makes the change until there is an answer. A pure function.
  ///   - confirmed: Makes the change with the output, in the place of the first. A pure function, too.
  /// - Returns: The outbox.
  @discardableResult
  public func changing<Value>(
    _ resource: @escaping (Input) -> AsyncResource<Value>?, _ patch: @escaping (inout Value, Input) -> Void,
    confirming confirmed: ((inout Value, Input, Output) -> Void)? = nil
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
  /// The rewritten inputs are stored in the change that removes the answered one, or before it. If the process ends before that, or
  /// an outbox of another actor takes the store over, the answered input is sent again, and answered again. Each answer with a
  /// rewriting looks at all inputs. What is performed with the next outbox of the store stays as it is.
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

/// What ``AsyncOutbox/resume(isolation:)`` has begun: a handle to wait for it.
public struct OutboxResumption {
  fileprivate let outbox: any ResumedOutbox

  /// Suspends until the store was read, and what waits is displayed; or until it could not be read: see ``OutboxState/error``.
  ///
  /// - Parameter isolation: The actor of the outbox.
  public func restored(isolation: isolated any Actor = #isolation) async {
    await outbox.untilRestored(isolation: isolation)
  }

  /// Suspends until nothing is left that can be done now, or the calling task is cancelled: all is sent, or has failed, or waits for
  /// the network.
  ///
  /// - Parameter isolation: The actor of the outbox.
  public func finished(isolation: isolated any Actor = #isolation) async {
    await outbox.untilFinished(isolation: isolation)
  }
}

/// An outbox of any type, for what its handles await.
private protocol ResumedOutbox: AnyObject {
  func untilRestored(isolation: isolated any Actor) async
  func untilFinished(isolation: isolated any Actor) async
}

extension Outbox: ResumedOutbox {}
