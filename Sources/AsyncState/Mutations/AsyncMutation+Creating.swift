// SPDX-License-Identifier: MIT
// The initialisers: for the main actor or any actor, with or without a reporter. If inputs can be compared, a double tap is one
// request: the type decides that when the mutation is created.

extension AsyncMutation {
  /// A mutation of the main actor. It can be the initial value of a stored or lazy property.
  ///
  /// - Parameters:
  ///   - overlap: The effect of a call while another one runs. If inputs can be compared, calls of equal ones join.
  ///   - options: The options of requests: retries, timeout, interceptors, gate, and the clock.
  ///   - lane: Inputs with an equal lane are sent one after another, beside those of other lanes; nil: all have one lane.
  ///   - operation: Sends the input, and returns the answer of the server. It runs on the main actor.
  public convenience init(
    overlap: MutationOverlap<Input> = .queue, options: LoadOptions = LoadOptions(),
    lane: ((Input) -> AnyHashable)? = nil, operation: @escaping @MainActor (Input) async throws -> Output
  ) {
    self.init(overlap: overlap, options: options, lane: lane) { (input: Input, _: MutationReporter) in
      try await operation(input)
    }
  }

  /// A mutation of the main actor, with an operation that takes an idempotency key or reports progress. It can be the
  /// initial value of a stored or lazy property.
  ///
  /// - Parameters:
  ///   - overlap: The effect of a call while another one runs. If inputs can be compared, calls of equal ones join.
  ///   - options: The options of requests: retries, timeout, interceptors, gate, and the clock.
  ///   - lane: Inputs with an equal lane are sent one after another, beside those of other lanes; nil: all have one lane.
  ///   - operation: Sends the input, and returns the answer of the server. It runs on the main actor.
  public convenience init(
    overlap: MutationOverlap<Input> = .queue, options: LoadOptions = LoadOptions(),
    lane: ((Input) -> AnyHashable)? = nil,
    operation: @escaping @MainActor (Input, MutationReporter) async throws -> Output
  ) {
    self.init(MainActor.shared, overlap, options, lane, operationOnMainActor(operation))
  }

  /// A mutation of any actor.
  ///
  /// - Parameters:
  ///   - isolation: The actor that the mutation belongs to. It is not kept alive.
  ///   - overlap: The effect of a call while another one runs. If inputs can be compared, calls of equal ones join.
  ///   - options: The options of requests: retries, timeout, interceptors, gate, and the clock.
  ///   - lane: Inputs with an equal lane are sent one after another, beside those of other lanes; nil: all have one lane.
  ///   - operation: Sends the input, and returns the answer of the server. It runs on the mutation's actor.
  public convenience init(
    isolation: isolated any Actor, overlap: MutationOverlap<Input> = .queue, options: LoadOptions = LoadOptions(),
    lane: ((Input) -> AnyHashable)? = nil, operation: @escaping (Input) async throws -> Output
  ) {
    self.init(isolation, overlap, options, lane) { input, _ in try await operation(input) }
  }

  /// A mutation of any actor, with an operation that takes an idempotency key or reports progress.
  ///
  /// - Parameters:
  ///   - isolation: The actor that the mutation belongs to. It is not kept alive.
  ///   - overlap: The effect of a call while another one runs. If inputs can be compared, calls of equal ones join.
  ///   - options: The options of requests: retries, timeout, interceptors, gate, and the clock.
  ///   - lane: Inputs with an equal lane are sent one after another, beside those of other lanes; nil: all have one lane.
  ///   - operation: Sends the input, and returns the answer of the server. It runs on the mutation's actor.
  public convenience init(
    isolation: isolated any Actor, overlap: MutationOverlap<Input> = .queue, options: LoadOptions = LoadOptions(),
    lane: ((Input) -> AnyHashable)? = nil, operation: @escaping (Input, MutationReporter) async throws -> Output
  ) {
    self.init(isolation, overlap, options, lane, operation)
  }
}

extension AsyncMutation where Input: Equatable {
  /// A mutation of the main actor, whose calls of equal inputs join.
  public convenience init(
    options: LoadOptions = LoadOptions(), lane: ((Input) -> AnyHashable)? = nil,
    operation: @escaping @MainActor (Input) async throws -> Output
  ) {
    self.init(overlap: .join, options: options, lane: lane, operation: operation)
  }

  /// A mutation of the main actor with a reporter, whose calls of equal inputs join.
  public convenience init(
    options: LoadOptions = LoadOptions(), lane: ((Input) -> AnyHashable)? = nil,
    operation: @escaping @MainActor (Input, MutationReporter) async throws -> Output
  ) {
    self.init(overlap: .join, options: options, lane: lane, operation: operation)
  }

  /// A mutation of any actor, whose calls of equal inputs join.
  public convenience init(
    isolation: isolated any Actor, options: LoadOptions = LoadOptions(), lane: ((Input) -> AnyHashable)? = nil,
    operation: @escaping (Input) async throws -> Output
  ) {
    self.init(isolation: isolation, overlap: .join, options: options, lane: lane, operation: operation)
  }

  /// A mutation of any actor with a reporter, whose calls of equal inputs join.
  public convenience init(
    isolation: isolated any Actor, options: LoadOptions = LoadOptions(), lane: ((Input) -> AnyHashable)? = nil,
    operation: @escaping (Input, MutationReporter) async throws -> Output
  ) {
    self.init(isolation: isolation, overlap: .join, options: options, lane: lane, operation: operation)
  }
}

extension AsyncMutation where Input == Void {
  /// A mutation of the main actor without an input, whose calls join.
  public convenience init(
    options: LoadOptions = LoadOptions(), operation: @escaping @MainActor (Input) async throws -> Output
  ) {
    self.init(overlap: .join, options: options, operation: operation)
  }

  /// A mutation of the main actor with a reporter and without an input, whose calls join.
  public convenience init(
    options: LoadOptions = LoadOptions(),
    operation: @escaping @MainActor (Input, MutationReporter) async throws -> Output
  ) {
    self.init(overlap: .join, options: options, operation: operation)
  }

  /// A mutation of any actor without an input, whose calls join.
  public convenience init(
    isolation: isolated any Actor, options: LoadOptions = LoadOptions(),
    operation: @escaping (Input) async throws -> Output
  ) {
    self.init(isolation: isolation, overlap: .join, options: options, operation: operation)
  }

  /// A mutation of any actor with a reporter and without an input, whose calls join.
  public convenience init(
    isolation: isolated any Actor, options: LoadOptions = LoadOptions(),
    operation: @escaping (Input, MutationReporter) async throws -> Output
  ) {
    self.init(isolation: isolation, overlap: .join, options: options, operation: operation)
  }

  /// Sends it, or joins the running request.
  ///
  /// - Parameter isolation: The actor that the mutation belongs to.
  /// - Returns: A handle to wait for the end, or to cancel the request. Releasing it changes nothing.
  @discardableResult
  public func perform(isolation: isolated any Actor = #isolation) -> MutationTask<Output> {
    perform((), isolation: isolation)
  }
}
