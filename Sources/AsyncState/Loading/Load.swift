/// A load that was started: a handle to wait for its end or to give it up.
///
/// Letting go of the handle changes nothing. All who joined a load have the same handle.
public final class Load<Value> {
  /// What it writes to, exactly as long as it counts: this is the gate that every write of a load passes. The facts hold
  /// the load, and take this away when they let go of it, so it cannot dangle.
  private(set) unowned var data: AsyncData<Value>?

  /// How it ended; nil while it has not.
  private var end: LoadOutcome<Value>?

  private var interest = Interest()
  private var waiters: [Waiter] = []
  private var task: Task<Void, Never>?
  private var timer: Task<Void, Never>?

  init(for data: AsyncData<Value>) {
    self.data = data
  }

  /// A load that is over before it began.
  init(endedWith outcome: LoadOutcome<Value>) {
    end = outcome
  }

  // MARK: For everybody

  /// Suspends until the load ends, however it ends. Cancelling the task that waits does not end the load.
  public func outcome(isolation: isolated any Actor = #isolation) async -> LoadOutcome<Value> {
    if let end { return end }
    let waiter = Waiter()
    await withCheckedContinuation(isolation: isolation) { continuation in
      waiter.continuation = continuation
      waiters.append(waiter)
    }
    return end ?? .cancelled
  }

  /// Gives the load up, for everybody who waits for it. Before this returns the facts are as they were before the load.
  /// Does nothing when the load has ended.
  public func cancel() {
    data?.cancel()
  }

  // MARK: Interest

  /// Lets it run to its end, whoever waits.
  func pin() {
    interest.pin()
  }

  /// Waits for the end as long as the calling task wants to. When that is cancelled this returns `.cancelled`, and if
  /// nobody else wants the load it ends.
  func outcomeIfWanted(isolation: isolated any Actor) async -> LoadOutcome<Value> {
    if let end { return end }
    let waiter = Waiter()
    interest.join()
    let leave = ActorBound(to: isolation) { self.leave(waiter) }
    await withTaskCancellationHandler(
      operation: {
        await withCheckedContinuation(isolation: isolation) { continuation in
          waiter.continuation = continuation
          waiters.append(waiter)
        }
      },
      onCancel: { Task { await leave.call() } },
      isolation: isolation)
    return waiter.hasLeft ? .cancelled : end ?? .cancelled
  }

  private func leave(_ waiter: Waiter) {
    guard end == nil else { return }
    waiter.hasLeft = true
    waiters.removeAll { $0 === waiter }
    if interest.leave() { cancel() }
    waiter.resume()
  }

  // MARK: Running

  /// Runs the attempts on the owner's actor, until one answers or the load does not count any more.
  func run(
    _ attempt: @escaping (Load<Value>) async throws -> Value?, retry: RetryPolicy, timeout: Duration?,
    isolation: isolated any Actor
  ) {
    guard let data else { return }
    let timeline = data.timeline
    let deadline = timeout.map { timeline.now + $0 }
    task = Task {
      _ = isolation
      // A timer of its own, because the operation may be deaf; but what is too late already is not begun.
      if let deadline {
        if timeline.now >= deadline { return answer(.failure(LoadTimeout())) }
        startTimer(until: deadline, on: timeline, isolation: isolation)
      }
      await runAttempts(attempt, retry: retry, on: timeline)
    }
  }

  private func startTimer(until deadline: Duration, on timeline: Timeline, isolation: isolated any Actor) {
    timer = Task {
      _ = isolation
      if (try? await timeline.sleep(until: deadline)) != nil { answer(.failure(LoadTimeout())) }
    }
  }

  private func runAttempts(
    _ attempt: (Load<Value>) async throws -> Value?, retry: RetryPolicy, on timeline: Timeline
  ) async {
    var failures = 0
    while data != nil {
      do {
        return answer(.value(try await attempt(self)))
      } catch is CancellationError {
        // Nobody asked for it, or this load would not count any more; the operation gave up by itself.
        return cancel()
      } catch {
        failures += 1
        guard data != nil, let delay = retry.delay(failures, error) else { return answer(.failure(error)) }
        data?.noteFailure(error, failures: failures)
        guard (try? await timeline.sleep(until: timeline.now + delay)) != nil else { return cancel() }
      }
    }
  }

  /// Suspends until the operation has ended, whatever became of the load: for tests.
  func operationEnd() async {
    await task?.value
  }

  /// The load has an answer. It is written if the load still counts.
  private func answer(_ outcome: LoadOutcome<Value>) {
    guard let data else { return }
    end = outcome
    data.settle(outcome)
  }
}

extension Load: RunningLoad {
  @usableFromInline
  func end(_ reason: LoadEnd) {
    switch reason {
    case .answered: break
    case .cancelled: end = .cancelled
    case .superseded: end = .superseded
    }
    data = nil
    task?.cancel()
    timer?.cancel()
    let waiters = waiters
    self.waiters = []
    for waiter in waiters { waiter.resume() }
  }
}

/// One who waits for the end of a load.
private final class Waiter {
  var continuation: CheckedContinuation<Void, Never>?
  /// It does not want to wait any more, whatever becomes of the load.
  var hasLeft = false

  func resume() {
    continuation.take()?.resume()
  }
}
