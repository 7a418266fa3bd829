// SPDX-License-Identifier: MIT
/// A load with its answer.
@usableFromInline
final class Load<Value>: LoadRun {
  /// The answer of the operation. Stored beside the ending, which does not depend on its type.
  @usableFromInline var answer: Value?

  @inlinable
  init(for owner: AsyncData<Value>, id: Int? = nil, edge: PageEdge? = nil, home: (any Actor)?) {
    answer = nil
    super.init(for: owner, id: id, edge: edge, home: home)
  }

  /// A load that ended before it began.
  @inlinable
  init(endedWith ending: LoadEnding, answer: Value? = nil) {
    self.answer = answer
    super.init(endedWith: ending)
  }

  /// A request of several data. Each of their loads writes its answer; this one ends when all of them have ended.
  init(of parts: [LoadRun]) {
    answer = nil
    super.init(for: nil, home: nil)
    requiredExtras.parts = parts
  }

  /// The data; nil if it was released, or if there is none.
  // Justified: `init` takes an owner of this type. A checked cast takes 3 % of the instructions of a load. Noticed: every
  // test, because debug builds check the cast.
  @inlinable var data: AsyncData<Value>? {
    guard let owner else { return nil }
    return unsafe unsafeDowncast(owner, to: AsyncData<Value>.self)
  }

  /// The data, as long as this load may write to it.
  var writableData: AsyncData<Value>? {
    isCurrent ? data : nil
  }

  /// Stays open, if the load has opened a stream.
  override func follow(isolation: isolated any Actor) { followStream(isolation: isolation) }

  /// Suspends until the load ends, or the call with this ticket leaves.
  @inlinable
  func outcome(as ticket: Int, isolation: isolated any Actor) async -> AsyncOutcome<Value?> {
    await wait(as: ticket, isolation: isolation)
    return outcome
  }

  /// Writes the answer of the operation if the load is still current.
  @inlinable
  func succeed(with value: Value?) {
    if mayAnswer { data?.succeed(self, with: value) }
  }

  /// True if it has not ended, and is wanted.
  @usableFromInline var mayAnswer: Bool {
    endIfUnwanted()
    return isCurrent
  }

  /// The outcome of the load. A call that left before the end was cancelled.
  @inlinable var outcome: AsyncOutcome<Value?> {
    switch ending {
    case .answered: .success(answer)
    case .failed(let error): .failure(error)
    case .ended(.cancelled), nil: .cancelled
    case .ended(.superseded): .superseded
    case .fresh: .notRequested(answer)
    }
  }
}

extension AsyncData {
  /// True while a load of the whole value runs.
  var hasRunningLoad: Bool { state.core.order.whole != nil }

  /// A request of this data, with its answer. The order of requests has them without their type, so that it is compiled once.
  func typed(_ run: LoadRun) -> Load<Value> {
    guard let load = run as? Load<Value> else {
      preconditionFailure("AsyncState: the requests of data have the type of its value. Report this as a fault.")
    }
    return load
  }
}

// MARK: - The effects of a load on its data

extension AsyncData {
  func yield(_ value: Value?, by load: Load<Value>) {
    // A further page has no parts.
    guard load.edge == nil else { return }
    receive(value, by: .yielded, for: load)
  }

  func report(_ progress: Double?, by load: Load<Value>) {
    // The state of a further page has only the end of its load.
    guard load.edge == nil else { return }
    apply(.progressed(progress.flatMap { $0.isNaN ? nil : min(max($0, 0), 1) }), for: load)
  }

  @usableFromInline
  func operationWillBegin() {
    state.core.operationCount += 1
  }

  /// Ends the operation of a load, which may not be current any more.
  @inlinable
  func operation(of load: Load<Value>, didReturn answer: Value?) {
    load.succeed(with: answer)
    operationDidReturn()
  }

  @inlinable
  func succeed(_ load: Load<Value>, with value: Value?) {
    if hasDependents { return succeedWithDependents(load, with: value) }
    let isEqual = isEqual(latest, value)
    guard let step = beginAnswer(of: load, hasValue: value != nil, isEqual: isEqual) else { return }
    load.answer = value
    var exchanged = value
    swap(&exchanged, &latest)
    deliver(step)
    withExtendedLifetime(exchanged) {}
    if hasWaitingLoad { beginWaitingLoad() }
  }

  /// Begins the answer of a load; the caller exchanges the value.
  ///
  /// - Returns: Nil if the load has ended, because `==` has written.
  @usableFromInline
  func beginAnswer(of load: LoadRun, hasValue: Bool, isEqual: Bool) -> DataStep? {
    begin(.answered(at: now, isOutdated: false, isEqual: isEqual), for: load, hasValue: hasValue)
  }

  @usableFromInline var hasWaitingLoad: Bool { state.core.order.hasWaiting }

  /// True if an answer concerns more than the data: changes lie on it, or a family follows it.
  @usableFromInline var hasDependents: Bool {
    !state.core.features.isEmpty && (hasPatches || features.source != nil)
  }

  @usableFromInline
  func succeedWithDependents(_ load: Load<Value>, with value: Value?) {
    load.answer = value
    answering(load) { isOutdated in
      // With changes over it, the displayed value is computed from the changes, and counts as a different one.
      let isEqual = !hasPatches && isEqual(latest, value)
      receive(value, by: .answered(at: now, isOutdated: isOutdated, isEqual: isEqual), for: load)
    }
    beginWaitingLoad()
  }

  /// Calls `write`, which writes the answer of a load or of a page, and receives whether that is out of date: a tag of it was
  /// invalidated while it was on its way.
  func answering(_ load: LoadRun, _ write: (_ isOutdated: Bool) -> Void) {
    let source = features.source
    write(source?.willAnswer(load) ?? false)
    source?.didAnswer()
  }

  /// Ends a load without a request: the stored value is fresh enough for each call that wanted it.
  func endFresh(_ load: Load<Value>) {
    load.answer = displayed
    apply(.foundFresh, for: load)
    beginWaitingLoad()
  }
}

extension AsyncData: LoadOwner {
  @usableFromInline
  func fail(_ load: LoadRun, with error: any Error) {
    if load.edge != nil { return apply(.failed(error), for: load) }
    applyError(.failed(error), for: load)
    beginWaitingLoad()
  }

  @usableFromInline
  func cancel(_ load: LoadRun) {
    if state.core.order.isWaiting(load) {
      // It has not begun, so nothing visible changes.
      let ended = state.core.order.take(load)
      ended.close(.ended(.cancelled))
      ended.finish()
      // No event says that the load does not wait any more.
      if !features.isEmpty, !state.core.isNotifying { features.didNotify() }
    } else if state.core.order.running === load {
      apply(.cancelled, for: load)
      beginWaitingLoad()
    } else {
      // It has not begun.
      load.close(.ended(.cancelled))
      load.finish()
    }
  }

  var isHeld: Bool { keeper?.isHeld != false }

  @usableFromInline
  func noteFailure(of load: LoadRun, _ error: any Error, failures: Int) {
    guard load.edge == nil else { return }
    RunningOperation.outside { apply(.retried(error, failures: failures), for: load) }
  }

  @usableFromInline
  func predecessor(of load: LoadRun) -> LoadRun? {
    state.core.order.isWaiting(load) ? state.core.order.running : nil
  }

  @usableFromInline
  func noteWaiting(of load: LoadRun, _ isWaiting: Bool) {
    guard context.activity?.isWaiting == !isWaiting else { return }
    RunningOperation.outside { apply(isWaiting ? .waited : .continued, for: load) }
  }

  @usableFromInline
  func prepareToWait(_ load: LoadRun, isolation: isolated any Actor) async throws {
    guard load.edge == nil, let stored = features.source else { return }
    try await stored.findFresh(for: load, isolation: isolation)
  }

  @usableFromInline
  func operationDidReturn() {
    state.core.operationCount -= 1
    assert(state.core.operationCount >= 0, "Each operation returns once.")
    resumeIfSettled()
  }
}
