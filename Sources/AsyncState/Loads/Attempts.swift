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
  final func run(
    by policy: RequestPolicy?, on timeline: Timeline, isolation: isolated any Actor, _ attempt: @escaping Attempt
  ) {
    let deadline = timesAttempts ? nil : policy?.timeout.map { state.extras?.deadline ?? timeline.now + $0.bounded }
    if let deadline { requiredExtras.deadline = deadline }
    pass(LetIn.gates)
    let task = Task {
      _ = isolation
      await runAttempts(attempt, by: policy, until: deadline, on: timeline, isolation: isolation)
      owner?.operationDidReturn()
    }
    run(in: task)
  }

  private func runAttempts(
    _ attempt: Attempt, by policy: RequestPolicy?, until deadline: Duration?, on timeline: Timeline,
    isolation: isolated any Actor
  ) async {
    guard isWanted else { return cancel() }
    state.extras?.hasRun = true
    if let deadline {
      // Past the deadline.
      if timeline.now >= deadline { return fail(with: LoadTimeoutError()) }
      startTimer(until: deadline, on: timeline, isolation: isolation)
    }
    while isCurrent {
      do {
        let place = try await pass(policy?.gate, isolation: isolation)
        // It was given up while it waited, so it does not begin.
        guard isWanted else { return cancel() }
        if timesAttempts, let timeout = policy?.timeout {
          startTimer(until: timeline.now + timeout.bounded, on: timeline, isolation: isolation)
        }
        let write = try await LetIn.at(place, isolation: isolation, attempt)
        leaveGate()
        // What an observer of the answer begins is no part of the operation that has made this request.
        return RunningOperation.outside(write)
      } catch let thrown {
        // An interceptor may have been interrupted, too.
        let error = state.extras?.isCommand == true ? CommandInterruptedError.of(thrown) : thrown
        leaveGate()
        if timesAttempts { state.extras?.timer.take()?.cancel() }
        // A cancelled task must not try again: its load, or the data, is no longer wanted.
        let failed = state.extras?.failed ?? FailedAttempts()
        let failures = failed.count + 1
        guard isCurrent, !Task.isCancelled,
          let delay = policy?.pause(after: failures, error, ofStream: failed.streamLasted)
        else { return RunningOperation.outside { end(throwing: error) } }
        // The policy is the user's, and may have ended the load.
        guard isCurrent else { return }
        requiredExtras.failed = FailedAttempts(count: failures, pause: delay, lastError: error)
        requiredExtras.isPausing = true
        owner?.noteFailure(of: self, error, failures: failures)
        guard isCurrent else { return }
        guard (try? await timeline.sleep(until: timeline.now + delay)) != nil else { return cancel() }
        state.extras?.isPausing = false
        endIfUnheld()
      }
    }
  }

  private var isWanted: Bool {
    endIfUnheld()
    return isCurrent && !Task.isCancelled
  }

  private var timesAttempts: Bool { state.extras?.attemptDidTimeOut != nil }

  /// Suspends until the gate is open and lets it in, or the load is not wanted any more.
  ///
  /// - Returns: Its place there; nil: the gate need not know when it ends.
  private func pass(_ gate: LoadGate?, isolation: isolated any Actor) async throws -> GatePlace? {
    guard let gate else { return nil }
    if let obstacle = gate.obstacle(passing: passedGates) {
      owner?.noteWaiting(of: self, obstacle == .closed)
      // An observer may have ended it.
      guard isCurrent else { return nil }
      try await owner?.prepareToWait(self, isolation: isolation)
      guard isWanted else { return nil }
    }
    // An operation that was let in may have joined it during the read of the store.
    let place = gate.enter(passing: passedGates)
    if let place {
      requiredExtras.place = place
      await place.wait(isolation: isolation) { obstacle in
        owner?.noteWaiting(of: self, obstacle == .closed)
        return isCurrent
      }
    }
    if isWanted { owner?.noteWaiting(of: self, false) }
    return place
  }

  private var passedGates: [LoadGate] { state.extras?.passedGates ?? [] }

  /// A timer in a task of its own, because the operation may ignore its cancellation.
  private func startTimer(until deadline: Duration, on timeline: Timeline, isolation: isolated any Actor) {
    requiredExtras.timer = Task {
      _ = isolation
      // The timer of an attempt is cancelled at its end, which it may have reached in this moment.
      guard (try? await timeline.sleep(until: deadline)) != nil, isCurrent, !Task.isCancelled else { return }
      if let attemptDidTimeOut = state.extras?.attemptDidTimeOut { return attemptDidTimeOut() }
      state.task?.cancel()
      RunningOperation.outside { fail(with: LoadTimeoutError()) }
    }
  }
}
