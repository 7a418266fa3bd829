/// A load that was started: a handle to wait for its end or to give it up.
///
/// Letting go of the handle changes nothing. All who joined a load have the same handle.
public final class LoadTask<Value> {
  /// What it writes to, exactly as long as it counts: this is the gate that every write of a load passes. The facts
  /// hold the load, and take this away when they let go of it, so it cannot dangle.
  @exclusivity(unchecked) @usableFromInline unowned var data: AsyncData<Value>?

  /// How it ended, but for what it answered; nil while it has not. The two are apart because nothing can specialise
  /// what lets go of this object: it would look up the type of an outcome in each, for 400 instructions.
  @exclusivity(unchecked) @usableFromInline var ending: LoadEnding?
  @exclusivity(unchecked) @usableFromInline var answer: Value?

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
  init(endedWith ending: LoadEnding) {
    self.ending = ending
  }

  // MARK: For everybody

  /// Suspends until the load ends, however it ends. Cancelling the task that waits does not end the load.
  @inlinable
  @discardableResult
  public func outcome(isolation: isolated any Actor = #isolation) async -> LoadOutcome<Value> {
    if ending == nil {
      await withUnsafeContinuation { waiters.append($0, ticket: waiters.nextTicket()) }
    }
    return endedOutcome
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
    if ending == nil {
      interest.join()
      let ticket = waiters.nextTicket()
      let load = ActorBound(self, to: isolation)
      await withTaskCancellationHandler(
        operation: {
          // Captured, so that the closure is isolated to the actor, too.
          _ = isolation
          await withUnsafeContinuation { waiters.append($0, ticket: ticket) }
        },
        onCancel: { Task { await load.call { $0.leave(ticket) } } },
        isolation: isolation)
    }
    return endedOutcome
  }

  @usableFromInline
  func leave(_ ticket: Int) {
    guard ending == nil, let waiter = waiters.remove(ticket) else { return }
    if interest.leave() { cancel() }
    waiter.resume()
  }

  // MARK: Ending

  /// The operation has answered. It is written if the load still counts.
  @inlinable
  func succeed(with value: Value?) {
    guard let data else { return }
    self.data = nil
    answer = value
    finish(.answered)
    data.succeed(with: value)
  }

  /// The operation has failed for good, or the time is up. It is written if the load still counts.
  @inlinable
  func fail(with error: any Error) {
    guard let data else { return }
    self.data = nil
    finish(.failed(error))
    data.fail(with: error)
  }

  /// The operation has thrown, and is not called again.
  @inlinable
  func end(throwing error: any Error) {
    // A cancellation that nobody asked for: the operation has given up by itself. If somebody had, the load would not
    // count any more.
    if error is CancellationError { cancel() } else { fail(with: error) }
  }

  /// The load is over: whoever waits gets a turn when this actor is free, and by then the facts have changed, too.
  @inlinable
  func finish(_ ending: LoadEnding) {
    self.ending = ending
    if let timer { timer.cancel() }
    waiters.resumeAll()
  }

  /// How it ended, for one who waited: if it has not, it was not to the end.
  @inlinable
  var endedOutcome: LoadOutcome<Value> {
    switch ending {
    case .answered: .value(answer)
    case .failed(let error): .failure(error)
    case .ended(.cancelled), nil: .cancelled
    case .ended(.superseded): .superseded
    case .fresh: .fresh
    }
  }
}

extension LoadTask: RunningLoad {
  @usableFromInline
  func end(_ reason: LoadEnd) {
    data = nil
    if let task { task.cancel() }
    finish(.ended(reason))
  }
}
