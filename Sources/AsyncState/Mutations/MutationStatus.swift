/// What a screen displays for a command.
public enum MutationStatus<Input, Output> {
  /// Nothing was sent, or all was reset.
  case idle
  /// An input is being sent.
  case running(Input)
  /// The last request has succeeded.
  case succeeded(Output)
  /// The last request has failed. ``AsyncMutation/retry(isolation:)`` sends the input again.
  case failed(any Error, Input)
}

extension MutationStatus: Sendable where Input: Sendable, Output: Sendable {}

extension MutationStatus: CustomStringConvertible {
  /// The status in words, as in `running: 3 items`.
  public var description: String {
    switch self {
    case .idle: "idle"
    case .running(let input): "running: \(brief(valueOf: input))"
    case .succeeded(let output): "succeeded: \(brief(valueOf: output))"
    case .failed(let error, let input): "failed: \(brief(error)), with \(brief(valueOf: input))"
    }
  }
}

/// How a performed input ended.
public enum MutationOutcome<Output> {
  /// The server has answered.
  case success(Output)
  /// It failed with this error, after all attempts that the options allow.
  case failure(any Error)
  /// It was cancelled. If it was being sent, the server may have done it.
  case cancelled
  /// Another input has taken its place. If it was being sent, the server may have done it.
  case superseded
}

extension MutationOutcome: Sendable where Output: Sendable {}

/// A performed input: a handle to wait for its end, or to cancel it. Copies are handles of the same request.
public struct MutationTask<Output> {
  private let load: Load<Output>
  private let cancelRun: () -> Void

  init(_ load: Load<Output>, cancel: @escaping () -> Void) {
    self.load = load
    cancelRun = cancel
  }

  /// Suspends until the request ends. Cancelling the waiting task does not end the request.
  ///
  /// - Parameter isolation: The actor of the mutation.
  /// - Returns: How it ended.
  @discardableResult
  public func outcome(isolation: isolated any Actor = #isolation) async -> MutationOutcome<Output> {
    _ = await load.untilEnded(isolation: isolation)
    switch load.outcome {
    case .value(let output?), .fresh(let output?): return .success(output)
    case .failure(let error): return .failure(error)
    case .superseded: return .superseded
    case .cancelled, .value(nil), .fresh(nil): return .cancelled
    }
  }

  /// Suspends until the request ends. Cancelling the waiting task does not end the request.
  ///
  /// - Parameter isolation: The actor of the mutation.
  /// - Returns: The output.
  /// - Throws: The error; `CancellationError` if the request was cancelled or superseded.
  @discardableResult
  public func get(isolation: isolated any Actor = #isolation) async throws -> Output {
    switch await outcome(isolation: isolation) {
    case .success(let output): return output
    case .failure(let error): throw error
    case .cancelled, .superseded: throw CancellationError()
    }
  }

  /// Cancels the request, for every handle of it.
  ///
  /// An input that has not been sent never is. While it is being sent its task is cancelled, its answer is ignored, and
  /// what it would have invalidated is invalidated: the server may have done it. After its end this does nothing.
  public func cancel() {
    cancelRun()
  }
}
