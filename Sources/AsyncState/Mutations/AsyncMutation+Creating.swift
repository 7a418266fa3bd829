// SPDX-License-Identifier: MIT
// The initialisers: for the main actor or any actor, with or without a reporter.

extension AsyncMutation {
  /// A mutation of the main actor. It can be the initial value of a stored or lazy property.
  ///
  /// - Parameters:
  ///   - overlap: The effect of a call while an input of its lane is on its way. By default an equal input joins that: a double
  ///     tap is one request.
  ///   - options: The options of requests: retries, timeout, interceptors, gate, and the clock.
  ///   - lane: Inputs with an equal lane are sent one after another, beside those of other lanes; nil: all have one lane.
  ///   - delay: The time for which an input waits in its turn before it is sent: for an undo, or for a pause in typing. What is
  ///     cancelled in it is never sent. What was sent before, as by a retry, does not wait.
  ///   - operation: Sends the input, and returns the answer of the server. It runs on the main actor.
  public convenience init(
    overlap: MutationOverlap = .automatic, options: LoadOptions = LoadOptions(),
    lane: ((Input) -> AnyHashable)? = nil, delay: Duration? = nil,
    operation: @escaping @MainActor (Input) async throws -> Output
  ) {
    self.init(overlap: overlap, options: options, lane: lane, delay: delay) { (input: Input, _: MutationReporter) in
      try await operation(input)
    }
  }

  /// A mutation of the main actor, with an operation that takes an idempotency key or reports progress. It can be the
  /// initial value of a stored or lazy property.
  ///
  /// - Parameters:
  ///   - overlap: The effect of a call while an input of its lane is on its way. By default an equal input joins that: a double
  ///     tap is one request.
  ///   - options: The options of requests: retries, timeout, interceptors, gate, and the clock.
  ///   - lane: Inputs with an equal lane are sent one after another, beside those of other lanes; nil: all have one lane.
  ///   - delay: The time for which an input waits in its turn before it is sent: for an undo, or for a pause in typing. What is
  ///     cancelled in it is never sent. What was sent before, as by a retry, does not wait.
  ///   - operation: Sends the input, and returns the answer of the server. It runs on the main actor.
  public convenience init(
    overlap: MutationOverlap = .automatic, options: LoadOptions = LoadOptions(),
    lane: ((Input) -> AnyHashable)? = nil, delay: Duration? = nil,
    operation: @escaping @MainActor (Input, MutationReporter) async throws -> Output
  ) {
    self.init(MainActor.shared, overlap, options, lane, delay: delay, operationOnMainActor(operation))
  }

  /// A mutation of any actor.
  ///
  /// - Parameters:
  ///   - isolation: The actor that the mutation belongs to. It is not kept alive.
  ///   - overlap: The effect of a call while an input of its lane is on its way. By default an equal input joins that: a double
  ///     tap is one request.
  ///   - options: The options of requests: retries, timeout, interceptors, gate, and the clock.
  ///   - lane: Inputs with an equal lane are sent one after another, beside those of other lanes; nil: all have one lane.
  ///   - delay: The time for which an input waits in its turn before it is sent: for an undo, or for a pause in typing. What is
  ///     cancelled in it is never sent. What was sent before, as by a retry, does not wait.
  ///   - operation: Sends the input, and returns the answer of the server. It runs on the mutation's actor.
  public convenience init(
    isolation: isolated any Actor, overlap: MutationOverlap = .automatic, options: LoadOptions = LoadOptions(),
    lane: ((Input) -> AnyHashable)? = nil, delay: Duration? = nil,
    operation: @escaping (Input) async throws -> Output
  ) {
    self.init(isolation, overlap, options, lane, delay: delay) { input, _ in try await operation(input) }
  }

  /// A mutation of any actor, with an operation that takes an idempotency key or reports progress.
  ///
  /// - Parameters:
  ///   - isolation: The actor that the mutation belongs to. It is not kept alive.
  ///   - overlap: The effect of a call while an input of its lane is on its way. By default an equal input joins that: a double
  ///     tap is one request.
  ///   - options: The options of requests: retries, timeout, interceptors, gate, and the clock.
  ///   - lane: Inputs with an equal lane are sent one after another, beside those of other lanes; nil: all have one lane.
  ///   - delay: The time for which an input waits in its turn before it is sent: for an undo, or for a pause in typing. What is
  ///     cancelled in it is never sent. What was sent before, as by a retry, does not wait.
  ///   - operation: Sends the input, and returns the answer of the server. It runs on the mutation's actor.
  public convenience init(
    isolation: isolated any Actor, overlap: MutationOverlap = .automatic, options: LoadOptions = LoadOptions(),
    lane: ((Input) -> AnyHashable)? = nil, delay: Duration? = nil,
    operation: @escaping (Input, MutationReporter) async throws -> Output
  ) {
    self.init(isolation, overlap, options, lane, delay: delay, operation)
  }
}

extension AsyncMutation where Input == Void {
  /// Sends it, or joins the running request.
  ///
  /// - Parameter isolation: The actor that the mutation belongs to.
  /// - Returns: A handle to wait for the end, or to cancel the request. Releasing it changes nothing.
  @discardableResult
  public func perform(isolation: isolated any Actor = #isolation) -> MutationTask<Output> {
    perform((), isolation: isolation)
  }
}
