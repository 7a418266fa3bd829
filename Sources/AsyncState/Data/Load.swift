// SPDX-License-Identifier: MIT
/// A load with its answer.
///
/// Generic over the optional value: nothing specialises what releases a load, and so it finds the type of what it has to
/// release among its own parameters. To look up the type of an optional takes 320 instructions, 3 % of a load.
@usableFromInline
class AnsweredRun<Answer>: LoadRun {
  /// What the operation returned. Beside the ending, for the same reason.
  // Justified: only set and read, and no code is called during that. Checks would cost a load 1.5 % of its instructions.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  @usableFromInline final var answer: Answer

  @inlinable
  init(id: LoadID?, home: (any Actor)?, answer: Answer) {
    self.answer = answer
    super.init(id: id, home: home)
  }

  /// A page request.
  init(at edge: PageEdge, home: any Actor, answer: Answer) {
    self.answer = answer
    super.init(at: edge, home: home)
  }
}

/// A load with the data that it is written to.
@usableFromInline
final class Load<Value>: AnsweredRun<Value?> {
  /// Weak, because a running load does not keep its data alive, and they may be released on any thread.
  @usableFromInline weak let owner: AsyncData<Value>?

  @inlinable
  init(for owner: borrowing AsyncData<Value>, id: LoadID?, home: (any Actor)?) {
    self.owner = copy owner
    super.init(id: id, home: home, answer: nil)
  }

  /// A page request.
  init(for owner: AsyncData<Value>, home: any Actor, edge: PageEdge) {
    self.owner = owner
    super.init(at: edge, home: home, answer: nil)
  }

  /// A load that ended before it began.
  init(endedWith ending: LoadEnding, answer: Value? = nil) {
    owner = nil
    super.init(id: nil, home: nil, answer: answer)
    state.ending = ending
  }

  /// A request of several data. Their loads write; this one ends when all of them have ended.
  init(of parts: [LoadRun]) {
    owner = nil
    super.init(id: nil, home: nil, answer: nil)
    requiredExtras.parts = parts
  }

  /// The data, as long as this load may write to them.
  var writableOwner: AsyncData<Value>? {
    isCurrent ? owner : nil
  }

  /// Suspends until the load ends.
  ///
  /// - Returns: An error if this load waits for the operation that is the caller, so that neither would end.
  @usableFromInline
  func untilEnded(isolation: isolated any Actor) async -> (any Error)? {
    guard isCurrent, let nested = owner?.state.extras?.keeper?.nestedWait else {
      await wait(isolation: isolation)
      return nil
    }
    if let cycle = nested.begin() { return cycle }
    await wait(isolation: isolation)
    nested.end()
    return nil
  }

  /// The operation has answered. The answer is written if the load is still current.
  @inlinable
  func succeed(with value: Value?) {
    if isCurrent { owner?.succeed(self, with: value) }
  }

  /// A page arrived. It is added if the request is still current.
  func extend(_ extending: (Value) -> PageExtension<Value>) {
    guard let edge, let owner = writableOwner else { return }
    owner.extend(for: self, at: edge, with: extending)
  }

  override func fail(with error: any Error) {
    writableOwner?.fail(self, with: error)
  }

  override func cancel() {
    if let parts = state.extras?.parts { for part in parts { part.cancel() } }
    writableOwner?.cancel(self)
  }

  override func noteFailure(_ error: any Error, failures: Int) {
    // The state of a page says only how its request ended.
    guard edge == nil else { return }
    writableOwner?.apply(.retried(error, failures: failures), for: self)
  }

  override func noteWaiting(_ isWaiting: Bool) {
    // The state of a page says only how its request ended.
    guard edge == nil, let owner = writableOwner, owner.context.activity?.isWaiting == !isWaiting else { return }
    owner.apply(isWaiting ? .waited : .continued, for: self)
  }

  override func prepareToWait(isolation: isolated any Actor) async throws {
    guard edge == nil, let keeper = writableOwner?.state.extras?.keeper else { return }
    _ = try await keeper.findFresh(for: self, isolation: isolation)
  }

  override func operationDidReturn() {
    owner?.operationDidReturn()
  }

  /// How it ended. A call that left before the end was cancelled.
  @inlinable var outcome: LoadOutcome<Value> {
    switch ending {
    case .answered: .value(answer)
    case .failed(let error): .failure(error)
    case .ended(.cancelled), nil: .cancelled
    case .ended(.superseded): .superseded
    case .fresh: .fresh(answer)
    }
  }
}

// MARK: - What a load does to its data

extension AsyncData {
  /// The value without changes that are not confirmed.
  func confirmedValue(for load: Load<Value>) -> Value? {
    // The value of a former key is nothing that is known of this one.
    if state.core.record.isOfFormerKey { return nil }
    guard hasPatches else { return state.value }
    return editedPatches { $0.valueForLoad }.result
  }

  func yield(_ value: Value?, by load: Load<Value>) {
    guard hasPatches else { return apply(.yielded, for: load, writing: value) }
    let announced = announce(.yielded, hasValue: value != nil)
    let edit = editedPatches {
      $0.rebase(on: value)
      return $0.value
    }
    guard let step = take(.yielded, for: load, hasValue: value != nil, announced: announced) else { return }
    deliver(step, storing: edit.patches, displaying: edit.result)
  }

  func report(_ progress: Double?, by load: Load<Value>) {
    apply(.progressed(progress.flatMap { $0.isNaN ? nil : min(max($0, 0), 1) }), for: load)
  }

  /// The operation of a load that may not be current any more has returned.
  @inlinable
  func operation(of load: Load<Value>, didReturn answer: Value?) {
    if load.isCurrent { succeed(load, with: answer) }
    operationDidReturn()
  }

  @inlinable
  func succeed(_ load: Load<Value>, with value: Value?) {
    if isEntangled { return succeedEntangled(load, with: value) }
    guard let step = beginAnswer(of: load, hasValue: value != nil) else { return }
    load.answer = value
    var exchanged = value
    swap(&exchanged, &state.value)
    deliver(step)
    withExtendedLifetime(exchanged) {}
    if hasWaitingLoad { beginWaitingLoad() }
  }

  /// A load succeeds, and the caller exchanges the value.
  @usableFromInline
  func beginAnswer(of load: LoadRun, hasValue: Bool) -> DataStep? {
    begin(.answered(at: now, isOutdated: false), for: load, hasValue: hasValue)
  }

  @usableFromInline var hasWaitingLoad: Bool { state.core.order.hasWaiting }

  /// More depends on an answer than the data: patches lie on it, or a family follows it.
  @usableFromInline var isEntangled: Bool {
    guard let extras = state.extras else { return false }
    return extras.patches != nil || extras.keeper != nil
  }

  @usableFromInline
  func succeedEntangled(_ load: Load<Value>, with value: Value?) {
    let keeper = state.extras?.keeper
    let isOutdated = keeper?.willSucceed(load, with: value) ?? false
    answer(load, with: value, isOutdated: isOutdated)
    keeper?.didSucceed()
    beginWaitingLoad()
  }

  private func answer(_ load: Load<Value>, with value: Value?, isOutdated: Bool) {
    let now = now
    let hasValue = value != nil
    let announced = announce(.answered(at: now, isOutdated: isOutdated), hasValue: hasValue)
    let edit = editedPatches {
      let isOutdated = $0.rebase(on: value) || isOutdated
      $0.forgetLoad()
      return (shown: $0.value, isOutdated: isOutdated)
    }
    let event = DataEvent.answered(at: now, isOutdated: edit.result.isOutdated)
    guard let step = take(event, for: load, hasValue: hasValue, announced: announced) else { return }
    load.answer = value
    deliver(step, storing: edit.patches, displaying: edit.result.shown)
  }

  /// What was stored is fresh enough for each call that wanted the load, so nothing is requested.
  func endFresh(_ load: Load<Value>) {
    load.answer = displayed
    apply(.foundFresh, for: load)
    beginWaitingLoad()
  }

  func fail(_ load: Load<Value>, with error: any Error) {
    if let edge = load.edge { return apply(.pageFailed(edge, error), for: load) }
    applyError(.failed(error), for: load)
    beginWaitingLoad()
  }

  /// Cancels one load or page request alone.
  func cancel(_ load: Load<Value>) {
    if let edge = load.edge {
      apply(.pageEnded(edge, .cancelled), for: load)
    } else if state.core.order.isWaiting(load) {
      // It has not begun, so nothing that can be seen changes.
      let ended = state.core.order.take(load)
      ended.close(.ended(.cancelled))
      ended.finish()
    } else {
      apply(.cancelled, for: load)
      beginWaitingLoad()
    }
  }

  @usableFromInline
  func operationWillBegin() {
    state.core.operationCount += 1
  }

  @usableFromInline
  func operationDidReturn() {
    state.core.operationCount -= 1
    assert(state.core.operationCount >= 0, "Each operation returns once.")
    resumeIfSettled()
  }
}
