// SPDX-License-Identifier: MIT
// Gate, attempts, pauses and time limit of anything that is requested.

/// An event between the first call of a request's operation and its end.
enum AttemptNote {
  /// It waits at its gate.
  case waits(LoadGate.Obstacle)
  /// The operation is about to be called.
  case begins
  /// It has failed, and is called again after a pause.
  case failed(any Error)
}

/// Something that is requested, with as many attempts as its policy allows.
///
/// It decides when it has ended; the attempts call its operation as long as it is wanted.
protocol Requester: AnyObject {
  /// False: its operation is not called any more.
  var isWanted: Bool { get }
  var attempts: Attempts { get set }
  /// Takes note of an event, and may call observers, which may end the request.
  func take(_ note: AttemptNote)
  /// Called when its time is over. Its operation may ignore its cancellation, so it ends by itself.
  ///
  /// - Parameter hasGateClosed: True if its gate has been closed meanwhile, as while the device sleeps.
  func timeIsOver(hasGateClosed: Bool)
  /// Called before it waits at its gate for the first time since an attempt.
  func prepareToWait(isolation: isolated any Actor) async throws
}

extension Requester {
  func prepareToWait(isolation: isolated any Actor) async throws {}
}

/// The attempts of a request: its place at the gate, those that have failed, and the rest of its time.
struct Attempts {
  var failed = FailedAttempts()
  fileprivate var place: GatePlace?
  /// The gates of which it passes the width.
  private(set) var passedGates: [LoadGate] = []
  /// The time that is left; nil: all of it, no limit, or the time runs.
  fileprivate var left: Duration?
  /// Ends the request at its deadline, while the time runs.
  fileprivate var timer: (task: Task<Void, Never>, deadline: Duration)?

  /// Lets it pass the width of these gates, also if it waits already, because operations inside await it.
  mutating func pass(_ gates: [LoadGate]) {
    for gate in gates where !passedGates.contains(where: { $0 === gate }) { passedGates.append(gate) }
    place?.pass(gates)
  }

  /// Leaves the gate: the request has ended.
  ///
  /// - Returns: The task that measures its time, to be cancelled when this is not being changed: the clock is the user's.
  mutating func end() -> Task<Void, Never>? {
    leaveGate()
    return timer.take()?.task
  }

  mutating func leaveGate() { place.take()?.leave() }

  /// Gives the next attempt all of the time.
  ///
  /// - Returns: The task that measures that of the last one, to be cancelled, as above.
  fileprivate mutating func renewTime(_ limit: Duration?) -> Task<Void, Never>? {
    left = limit
    return timer.take()?.task
  }
}

extension Requester {
  /// Calls the operation until it answers, the policy gives up, or it is not wanted any more.
  ///
  /// The time begins with the first call. It spans the attempts and the pauses between them, but no wait at the gate.
  ///
  /// - Parameters:
  ///   - isEachTimed: True: each attempt has all of the time, as a connection of a stream.
  ///   - failure: The failure of what was there before: it counts as that of the first attempt.
  func tries<Answer>(
    by policy: RequestPolicy?, eachTimed isEachTimed: Bool = false, on timeline: Timeline,
    isolation: isolated any Actor, after failure: (any Error)? = nil, _ operation: () async throws -> Answer
  ) async throws -> Answer {
    let limit = policy?.timeout?.bounded
    if attempts.left == nil { attempts.left = limit }
    if let left = attempts.left, left <= .zero { throw LoadTimeoutError() }
    var failure = failure
    while true {
      if let failure { try await rest(after: failure, by: policy, on: timeline, isolation: isolation) }
      var place: GatePlace?
      do {
        place = try await pass(policy?.gate, on: timeline, isolation: isolation)
        guard isWanted else { throw CancellationError() }
        take(.begins)
        guard isWanted else { throw CancellationError() }
        startTimer(on: timeline, policy?.gate, isolation: isolation)
        let answer = try await LetIn.at(place, isolation: isolation, operation)
        place?.leave()
        return answer
      } catch {
        place?.leave()
        failure = error
        // One whose time was over is cancelled: another one is in its place.
        if isEachTimed, !Task.isCancelled { attempts.renewTime(limit)?.cancel() }
      }
    }
  }

  /// Suspends after a failed attempt until the next one is due.
  ///
  /// - Throws: The failure, if the policy gives up.
  private func rest(
    after thrown: any Error, by policy: RequestPolicy?, on timeline: Timeline, isolation: isolated any Actor
  ) async throws {
    // An interceptor may have been interrupted, too.
    let (error, failed) = (RequestInterruptedError.of(thrown), attempts.failed)
    // The policy is the user's, and may have ended it.
    guard isWanted, let pause = policy?.pause(after: failed.count + 1, error), isWanted else { throw error }
    attempts.failed = FailedAttempts(count: failed.count + 1, pause: pause, lastError: error)
    take(.failed(error))
    guard isWanted else { throw CancellationError() }
    try await timeline.sleep(until: timeline.now + pause)
  }

  /// Suspends until the gate is open and lets it in, or it is not wanted any more.
  private func pass(
    _ gate: LoadGate?, on timeline: Timeline, isolation: isolated any Actor
  ) async throws -> GatePlace? {
    guard let gate else { return nil }
    var noted = gate.obstacle(passing: attempts.passedGates)
    if let noted {
      stopTimer(on: timeline)
      take(.waits(noted))
      guard isWanted else { return nil }
      try await prepareToWait(isolation: isolation)
      guard isWanted else { return nil }
    }
    let place = gate.enter(passing: attempts.passedGates)
    attempts.place = place
    await place?.wait(isolation: isolation) { obstacle in
      stopTimer(on: timeline)
      if obstacle != noted { take(.waits(obstacle)) }
      noted = obstacle
      return isWanted
    }
    return place
  }

  private func startTimer(on timeline: Timeline, _ gate: LoadGate?, isolation: isolated any Actor) {
    guard let left = attempts.left.take() else { return }
    let (deadline, changes) = (timeline.now + left, gate?.changeCount)
    let task = Task {
      _ = isolation
      guard (try? await timeline.sleep(until: deadline)) != nil, !Task.isCancelled else { return }
      attempts.timer = nil
      timeIsOver(hasGateClosed: gate?.changeCount != changes)
    }
    attempts.timer = (task, deadline)
  }

  private func stopTimer(on timeline: Timeline) {
    guard let timer = attempts.timer.take() else { return }
    timer.task.cancel()
    attempts.left = timer.deadline - timeline.now
  }
}
