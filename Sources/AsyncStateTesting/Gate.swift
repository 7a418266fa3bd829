import Foundation

/// A request answered by hand.
///
/// The operation under test calls ``wait()``; the test sees it arrive, and answers it when and how it wants.
///
/// ```swift
/// let gate = Gate<Int>()
/// let load = data.start { try await gate.wait() }
/// await gate.arrived(1)
/// gate.answer(call: 1, with: .success(7))
/// ```
///
/// Calls are numbered from 1 in the order in which they arrive. Another number stops with a message.
public final class Gate<Value: Sendable>: Sendable {
  private let ignoresCancellation: Bool
  private let state: Locked<State>

  /// A gate whose calls end when their task is cancelled.
  public convenience init() {
    self.init(ignoresCancellation: false)
  }

  /// A gate.
  ///
  /// - Parameter ignoresCancellation: Whether a call that is cancelled goes on waiting for its answer, as a request
  ///   does that listens to nobody: a deaf gate. Otherwise it ends at once with `CancellationError`.
  public init(ignoresCancellation: Bool) {
    self.ignoresCancellation = ignoresCancellation
    state = Locked(State())
  }

  /// Called by the operation under test: suspends until this call is answered. A deaf gate ignores cancellation.
  ///
  /// - Throws: The error that the call is answered with, or `CancellationError`.
  public func wait() async throws -> Value {
    let call = state.withLock { $0.arrive() }
    defer { state.withLock { $0.end(call) }.forEach { $0.resume() } }
    // Told when the call can be answered or cancelled, not before.
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (result, waiters) = state.withLock { $0.suspend(call, continuation) }
        if let result { continuation.resume(with: result) }
        for waiter in waiters { waiter.resume() }
      }
    } onCancel: {
      guard !ignoresCancellation else { return }
      answer(call: call, with: .failure(CancellationError()))
    }
  }

  /// Suspends until the `count`-th call is inside, or the task is cancelled.
  public func arrived(_ count: Int) async {
    await state.suspend(until: count, in: \.arrivals) { $0.insideCount >= count }
  }

  /// Answers a call. One that has not arrived yet is answered when it does; one that has its answer keeps it.
  public func answer(call: Int, with result: Result<Value, any Error>) {
    requireNumber(call)
    state.withLock { $0.answer(call, result) }?.resume(with: result)
  }

  /// Suspends until the operation that made this call has ended, or the task is cancelled.
  ///
  /// The call's own end is what is seen here. When that is the last thing the operation waits for, and this is called
  /// on the operation's actor, then all that follows from it has happened when this returns.
  public func ended(_ call: Int) async {
    requireNumber(call)
    await state.suspend(until: call, in: \.ends) { $0.hasEnded(call) }
  }
}

extension Gate {
  /// A call that can never be made would be waited for without end.
  private func requireNumber(_ call: Int) {
    guard call < 1 else { return }
    fatalError(
      """
      AsyncStateTesting: there is no call \(call) at a Gate. No operation would ever get the answer, and the test \
      would wait for ever. Calls are numbered from 1, in the order in which they arrive: name one of those.
      """)
  }

  private enum Call {
    /// Inside, and not answered.
    case waiting(CheckedContinuation<Value, any Error>)
    /// Answered, and perhaps not inside yet.
    case answered(Result<Value, any Error>)
    /// Over.
    case ended
  }

  private struct State {
    private var calls: [Int: Call] = [:]
    private var lastCall = 0
    private(set) var insideCount = 0
    var arrivals = Waiters<Int>()
    var ends = Waiters<Int>()

    mutating func arrive() -> Int {
      lastCall += 1
      return lastCall
    }

    /// - Returns: The answer, if it was there first; and who waited for the call to be inside.
    mutating func suspend(
      _ call: Int, _ continuation: CheckedContinuation<Value, any Error>
    ) -> (Result<Value, any Error>?, [CheckedContinuation<Void, Never>]) {
      var result: Result<Value, any Error>?
      if case .answered(let early) = calls[call] {
        result = early
      } else {
        calls[call] = .waiting(continuation)
      }
      insideCount = max(insideCount, call)
      let count = insideCount
      return (result, arrivals.take { $0 <= count })
    }

    /// - Returns: Who is to be resumed with the answer now.
    mutating func answer(
      _ call: Int, _ result: Result<Value, any Error>
    ) -> CheckedContinuation<Value, any Error>? {
      switch calls[call] {
      case .waiting(let continuation):
        calls[call] = .answered(result)
        return continuation
      case nil:
        calls[call] = .answered(result)
        return nil
      case .answered, .ended:
        return nil
      }
    }

    mutating func end(_ call: Int) -> [CheckedContinuation<Void, Never>] {
      calls[call] = .ended
      return ends.take { $0 == call }
    }

    func hasEnded(_ call: Int) -> Bool {
      if case .ended = calls[call] { true } else { false }
    }
  }
}
