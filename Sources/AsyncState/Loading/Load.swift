/// A load that was started: a handle to wait for its end or to give it up.
///
/// Letting go of the handle changes nothing. All who joined a load have the same handle.
public final class Load<Value> {
  /// What it writes to, exactly as long as it counts: this is the gate that every write of a load passes. The facts
  /// hold the load, and take this away when they let go of it, so it cannot dangle.
  @exclusivity(unchecked) @usableFromInline unowned var data: AsyncData<Value>?

  /// How it ended; nil while it has not.
  @exclusivity(unchecked) @usableFromInline var end: LoadOutcome<Value>?

  @exclusivity(unchecked) @usableFromInline var interest = Interest()
  @exclusivity(unchecked) @usableFromInline var waiters = LoadWaiters()
  @exclusivity(unchecked) @usableFromInline var task: Task<Void, Never>?
  @exclusivity(unchecked) @usableFromInline var timer: Task<Void, Never>?

  @inlinable
  init(for data: AsyncData<Value>) {
    self.data = data
  }

  /// A load that is over before it began.
  @usableFromInline
  init(endedWith outcome: LoadOutcome<Value>) {
    end = outcome
  }

  // MARK: For everybody

  /// Suspends until the load ends, however it ends. Cancelling the task that waits does not end the load.
  @inlinable
  @discardableResult
  public func outcome(isolation: isolated any Actor = #isolation) async -> LoadOutcome<Value> {
    if end == nil {
      await withUnsafeContinuation(isolation: isolation) { waiters.append($0, ticket: waiters.nextTicket()) }
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
  @inlinable
  func pin() {
    interest.pin()
  }

  /// Waits for the end as long as the calling task wants to. When that is cancelled this returns `.cancelled`, and if
  /// nobody else wants the load it ends.
  @inlinable
  func outcomeIfWanted(isolation: isolated any Actor) async -> LoadOutcome<Value> {
    if end == nil {
      interest.join()
      let ticket = waiters.nextTicket()
      let load = ActorBound(self, to: isolation)
      await withTaskCancellationHandler(
        operation: {
          await withUnsafeContinuation(isolation: isolation) { waiters.append($0, ticket: ticket) }
        },
        onCancel: { Task { await load.call { $0.leave(ticket) } } },
        isolation: isolation)
    }
    return end ?? .cancelled
  }

  @usableFromInline
  func leave(_ ticket: Int) {
    guard end == nil, let waiter = waiters.remove(ticket) else { return }
    if interest.leave() { cancel() }
    waiter.resume()
  }

  // MARK: Ending

  /// The operation has answered or failed, or the time is up. It is written if the load still counts.
  @inlinable
  func settle(_ outcome: LoadOutcome<Value>) {
    guard let data else { return }
    self.data = nil
    finish(outcome)
    data.settle(outcome)
  }

  /// The load is over: whoever waits gets a turn when this actor is free, and by then the facts have changed, too.
  @inlinable
  func finish(_ outcome: LoadOutcome<Value>) {
    end = outcome
    if let timer { timer.cancel() }
    waiters.resumeAll()
  }

  /// The operation has thrown, and is not called again.
  @inlinable
  func settle(with error: any Error) {
    // A cancellation that nobody asked for: the operation has given up by itself. If somebody had, the load would not
    // count any more.
    if error is CancellationError { cancel() } else { settle(.failure(error)) }
  }
}

extension Load: RunningLoad {
  @usableFromInline
  func end(_ reason: LoadEnd) {
    data = nil
    if let task { task.cancel() }
    switch reason {
    case .cancelled: finish(.cancelled)
    case .superseded: finish(.superseded)
    }
  }
}
