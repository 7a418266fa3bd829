// SPDX-License-Identifier: MIT
// Running an operation: once, or as often as its policy wants and its time allows. Not generic: an attempt writes its
// answer itself.

extension Load {
  /// Calls the operation once on the data's actor, unless the load is not current any more.
  ///
  /// The client's compiler specialises this: most loads take this way.
  @inlinable
  func run(isolation: isolated any Actor, _ operation: @escaping () async throws -> Value?) {
    let task = Task {
      _ = isolation
      // A load whose data was released is cancelled before its actor can end it.
      if isCurrent, !Task.isCancelled {
        do {
          let answer = try await operation()
          // What an observer of the answer begins is no part of the operation that has made this request.
          RunningOperation.outside { data?.operation(of: self, didReturn: answer) }
        } catch {
          RunningOperation.outside { end(throwing: error) }
          owner?.operationDidReturn()
        }
      } else {
        owner?.operationDidReturn()
      }
    }
    run(in: task)
  }

  /// Calls the operation, and returns a closure that writes its answer: see `Attempt`.
  @inlinable
  func attempt(_ operation: @escaping () async throws -> Value?) -> () async throws -> () -> Void {
    {
      let answer = try await operation()
      return { self.succeed(with: answer) }
    }
  }
}

extension LoadRun {
  /// Calls the operation once, and returns a closure that writes its answer.
  ///
  /// An attempt must not write itself: an operation may leave the actor, and a closure without an actor of its own continues
  /// wherever the operation ended. The caller of the attempt is isolated, so it is back on the actor when it writes.
  typealias Attempt = () async throws -> () -> Void

  /// Calls the operation on the data's actor until it answers, the policy gives up, the time is up, or the load is not
  /// current any more.
  ///
  /// - Parameters:
  ///   - isConnecting: True: its answer may be the first element of a stream, which it follows. Each connection has all of the
  ///     time.
  ///   - failure: The failure of what was there before: it counts as that of the first attempt.
  final func run(
    by policy: RequestPolicy?, connecting isConnecting: Bool = false, on timeline: Timeline,
    isolation: isolated any Actor, after failure: (any Error)? = nil, _ attempt: @escaping Attempt
  ) {
    pass(LetIn.gates)
    if let policy, policy.timeout != nil, isConnecting || policy.gate != nil {
      requiredExtras.timeIsOver = { hasGateClosed in
        guard hasGateClosed || isConnecting else { return self.fail(with: LoadTimeoutError()) }
        self.attempts.leaveGate()
        self.owner?.operationWillBegin()
        self.run(
          by: policy, connecting: isConnecting, on: timeline, isolation: isolation,
          after: hasGateClosed ? nil : LoadTimeoutError(), attempt)
      }
    }
    let task = Task {
      _ = isolation
      do {
        guard isWanted else { throw CancellationError() }
        let write = try await tries(
          by: policy, eachTimed: isConnecting, on: timeline, isolation: isolation, after: failure, attempt)
        // What an observer of the answer begins is no part of the operation that has made this request.
        if !Task.isCancelled { RunningOperation.outside(write) }
      } catch {
        RunningOperation.outside { end(throwing: error) }
      }
      if isConnecting { follow(isolation: isolation) }
      owner?.operationDidReturn()
    }
    run(in: task)
  }
}

extension LoadRun: Requester {
  /// Ends it without an answer and without an error, because an input that its operation has read has no key.
  final func endWithoutKey() {
    state.lackedKey = true
    RunningOperation.outside { cancel() }
  }

  final var isWanted: Bool { isCurrent && !Task.isCancelled }

  // Changed in place: a copy of it counts the references of four objects.
  final var attempts: Attempts {
    get { state.extras?.attempts ?? Attempts() }
    _modify { yield &requiredExtras.attempts }
  }

  final func take(_ note: AttemptNote) {
    switch note {
    case .waits(let obstacle): owner?.noteWaiting(of: self, obstacle == .closed)
    case .begins: owner?.noteWaiting(of: self, false)
    case .failed(let error): owner?.noteFailure(of: self, error, failures: attempts.failed.count)
    }
  }

  final func prepareToWait(isolation: isolated any Actor) async throws {
    try await owner?.prepareToWait(self, isolation: isolation)
  }

  final func timeIsOver(hasGateClosed: Bool) {
    guard isCurrent else { return }
    state.task?.cancel()
    RunningOperation.outside {
      if let timeIsOver = state.extras?.timeIsOver { timeIsOver(hasGateClosed) } else { fail(with: LoadTimeoutError()) }
    }
  }
}
