// SPDX-License-Identifier: MIT
/// A request that the test answers.
///
/// The operation under test calls ``wait()`` or ``wait(for:)``, which suspends until the test answers:
///
/// ```swift
/// let server = ManualServer<Int>()
/// let load = data.start { try await server.wait() }
/// await server.arrived(1)
/// server.answer(call: 1, with: .success(7))
/// ```
///
/// Calls are numbered from 1 in the order in which they arrive. A service that is not bound to an actor runs on the
/// global pool, so calls that are made at the same time arrive in any order: wait for each with ``arrived(_:)`` before
/// the next one is made, or distinguish them by their argument.
///
/// To wait until an answer has had its effect, use `settled()` of the data, resource or host under test.
///
/// All methods can be called from any thread.
public final class ManualServer<Value: Sendable>: Sendable {
  private let ignoresCancellation: Bool
  private let state: Locked<State>

  /// A server.
  ///
  /// - Parameter ignoresCancellation: Whether a call that is cancelled still waits for its answer, as a request does
  ///   that ignores cancellation. Otherwise it ends at once with `CancellationError`.
  public init(ignoresCancellation: Bool = false) {
    self.ignoresCancellation = ignoresCancellation
    state = Locked(State())
  }
}

// MARK: - For the operation

extension ManualServer {
  /// Suspends until this call is answered.
  ///
  /// - Throws: The error that the call is answered with, or `CancellationError`.
  public func wait() async throws -> Value {
    try await wait(with: nil, isolation: #isolation)
  }

  /// Records the argument that the operation was called with, and suspends until this call is answered.
  ///
  /// - Throws: The error that the call is answered with, or `CancellationError`.
  public func wait(for argument: some Equatable & Sendable) async throws -> Value {
    try await wait(with: argument, isolation: #isolation)
  }

  // The isolation is named, so that the call is registered without leaving the caller's actor.
  private func wait(with argument: (any Sendable)?, isolation: isolated (any Actor)?) async throws -> Value {
    let call = state.withLock { $0.arrive(with: argument) }
    defer { state.withLock { $0.end(call) }.forEach { $0.resume() } }
    if argument != nil { pairAnswersWithCalls() }
    return try await withTaskCancellationHandler {
      // Captured, so that the continuation is made on this actor.
      _ = isolation
      return try await withCheckedThrowingContinuation { continuation in
        let (result, waiters) = state.withLock { $0.suspend(call, continuation) }
        if let result { continuation.resume(with: result) }
        // Resumed when the call can be answered or cancelled, not before.
        for waiter in waiters { waiter.resume() }
      }
    } onCancel: {
      guard !ignoresCancellation else { return }
      answer(call: call, with: .failure(CancellationError()))
    }
  }
}

// MARK: - For the test

extension ManualServer {
  /// Suspends until `count` calls are or were inside, or the calling task is cancelled.
  ///
  /// A count that is never reached is waited for until the time limit of the test. After five seconds of real time the
  /// server says so on the standard error: which call the test waits for, how many calls there were, and how many of them
  /// have no answer yet.
  public func arrived(_ count: Int) async {
    await arrived(count, saying: { "call \(count)" })
  }

  /// Suspends until a call with this argument is or was inside, or the calling task is cancelled.
  public func arrived(for argument: some Equatable & Sendable) async {
    while !Task.isCancelled {
      let (arguments, count) = state.withLock { ($0.insideArguments, $0.insideCount) }
      // Compared here and not under the lock: the comparison is the user's.
      if arguments.contains(where: { isEqual($0, argument) }) { return }
      await arrived(count + 1, saying: { "a call with the argument \(argument)" })
    }
  }

  private func arrived(_ count: Int, saying what: @escaping @Sendable () -> String) async {
    await state.suspend(until: count, in: \.arrivals, saying: reminder(what)) { $0.insideCount >= count }
  }

  private func reminder(_ what: @escaping @Sendable () -> String) -> @Sendable () -> String? {
    { [weak self] in
      guard let self else { return nil }
      return
        "\(what()) at \(self). Calls are numbered from 1, in the order in which they arrive; who joins a request makes none."
    }
  }

  /// The number of calls so far.
  public var callCount: Int { state.withLock(\.callCount) }

  /// The arguments of all calls so far that have one of this type, in the order of the calls.
  ///
  /// - Parameter type: Their type. It can be left out where they are compared with others.
  public func arguments<Argument>(as type: Argument.Type = Argument.self) -> [Argument] {
    state.withLock(\.arguments).compactMap { $0 as? Argument }
  }

  /// Answers a call. One that has not arrived yet is answered when it does; one that has its answer keeps it.
  public func answer(call: Int, with result: Result<Value, any Error>) {
    requireNumber(call)
    state.withLock { $0.answer(call, result) }?.resume(with: result)
  }

  /// Answers the first call with this argument that has no answer yet. If there is none, it is answered when it arrives.
  public func answer(for argument: some Equatable & Sendable, with result: Result<Value, any Error>) {
    state.withLock { $0.addAnswer(result) { isEqual($0, argument) } }
    pairAnswersWithCalls()
  }

  /// Suspends until a call has ended, or the calling task is cancelled.
  ///
  /// The operation that made the call continues when it has ended, on its own actor. To wait until that has had its
  /// effect, use `settled()` of the data, resource or host instead.
  public func ended(_ call: Int) async {
    requireNumber(call)
    await state.suspend(until: call, in: \.ends, saying: reminder { "the end of call \(call)" }) { $0.hasEnded(call) }
  }

  /// Gives answers for arguments to calls with these arguments, each to the first one that has none.
  ///
  /// Who adds an answer or a call looks for its counterpart afterwards, so that one of two threads finds the pair.
  private func pairAnswersWithCalls() {
    while true {
      let (answers, calls) = state.withLock { ($0.freeAnswers, $0.freeCalls) }
      // Compared here and not under the lock: the comparison is the user's.
      let pairs = answers.lazy.compactMap { answer in
        calls.first { answer.matches($0.argument) }.map { (answer, $0.number) }
      }
      guard let (answer, call) = pairs.first else { return }
      // Nothing happens if another thread was faster; then there is one pair less.
      state.withLock { $0.give(answer, to: call) }?.resume(with: answer.result)
    }
  }

  /// A call that can never be made would be waited for without end.
  private func requireNumber(_ call: Int) {
    guard call < 1 else { return }
    fatalError(
      """
      AsyncStateTesting: there is no call \(call) at a ManualServer. No operation would ever get the answer, and the test \
      would wait for ever. Calls are numbered from 1, in the order in which they arrive: name one of those.
      """)
  }
}

private func isEqual<Argument: Equatable>(_ recorded: any Sendable, _ argument: Argument) -> Bool {
  (recorded as? Argument) == argument
}

// MARK: - What a gate knows

extension ManualServer {
  /// An answer for an argument that no call has got yet.
  private struct FreeAnswer: Sendable {
    let number: Int
    let result: Result<Value, any Error>
    let matches: @Sendable (any Sendable) -> Bool
  }

  private struct FreeCall: Sendable {
    let number: Int
    let argument: any Sendable
  }

  private struct Call {
    enum Phase {
      /// Not suspended yet, and not answered.
      case arriving
      /// Suspended, and not answered.
      case waiting(CheckedContinuation<Value, any Error>)
      /// Answered; perhaps before it arrived.
      case answered(Result<Value, any Error>)
      /// Over.
      case ended
    }

    var phase = Phase.arriving
    var argument: (any Sendable)?

    /// Whether an answer for its argument may be given to it.
    var isFree: Bool {
      switch phase {
      case .arriving, .waiting: true
      case .answered, .ended: false
      }
    }
  }

  private struct State {
    private var calls: [Int: Call] = [:]
    private var lastCall = 0
    private var lastAnswer = 0
    // Calls are numbered from 1, without gaps.
    var callCount: Int { lastCall }
    var waitingCount: Int { calls.values.count { if case .waiting = $0.phase { true } else { false } } }
    private(set) var freeAnswers: [FreeAnswer] = []
    private(set) var insideCount = 0
    /// The arguments of calls that are or were inside.
    private(set) var insideArguments: [any Sendable] = []
    var arrivals = Waiters<Int>()
    var ends = Waiters<Int>()

    var arguments: [any Sendable] { (0..<lastCall).compactMap { calls[$0 + 1]?.argument } }

    /// In the order in which they arrived.
    var freeCalls: [FreeCall] {
      guard !freeAnswers.isEmpty else { return [] }
      return (0..<lastCall).compactMap { index in
        guard let call = calls[index + 1], call.isFree, let argument = call.argument else { return nil }
        return FreeCall(number: index + 1, argument: argument)
      }
    }

    mutating func arrive(with argument: (any Sendable)?) -> Int {
      lastCall += 1
      calls[lastCall, default: Call()].argument = argument
      return lastCall
    }

    /// - Returns: The answer, if it was there first; and who waited for the call to be inside.
    mutating func suspend(
      _ call: Int, _ continuation: CheckedContinuation<Value, any Error>
    ) -> (Result<Value, any Error>?, [CheckedContinuation<Void, Never>]) {
      var result: Result<Value, any Error>?
      if case .answered(let early) = calls[call]?.phase {
        result = early
      } else {
        calls[call]?.phase = .waiting(continuation)
      }
      insideCount += 1
      if let argument = calls[call]?.argument { insideArguments.append(argument) }
      let count = insideCount
      return (result, arrivals.take { $0 <= count })
    }

    /// - Returns: Who is to be resumed with the answer now.
    mutating func answer(_ call: Int, _ result: Result<Value, any Error>) -> CheckedContinuation<Value, any Error>? {
      switch calls[call, default: Call()].phase {
      case .waiting(let continuation):
        calls[call]?.phase = .answered(result)
        return continuation
      case .arriving:
        calls[call, default: Call()].phase = .answered(result)
        return nil
      case .answered, .ended:
        return nil
      }
    }

    mutating func addAnswer(_ result: Result<Value, any Error>, matches: @escaping @Sendable (any Sendable) -> Bool) {
      lastAnswer += 1
      freeAnswers.append(FreeAnswer(number: lastAnswer, result: result, matches: matches))
    }

    /// - Returns: Who is to be resumed with the answer now.
    mutating func give(_ answer: FreeAnswer, to call: Int) -> CheckedContinuation<Value, any Error>? {
      guard calls[call]?.isFree == true, let index = freeAnswers.firstIndex(where: { $0.number == answer.number })
      else { return nil }
      freeAnswers.remove(at: index)
      return self.answer(call, answer.result)
    }

    mutating func end(_ call: Int) -> [CheckedContinuation<Void, Never>] {
      calls[call]?.phase = .ended
      return ends.take { $0 == call }
    }

    func hasEnded(_ call: Int) -> Bool {
      if case .ended = calls[call]?.phase { true } else { false }
    }
  }
}

extension ManualServer: CustomStringConvertible {
  /// The type, and the numbers of calls so far and of those that wait for an answer.
  public var description: String {
    let (count, waiting) = state.withLock { ($0.callCount, $0.waitingCount) }
    return "\(Self.self): \(count == 1 ? "1 call" : "\(count) calls"), \(waiting) waiting"
  }
}
