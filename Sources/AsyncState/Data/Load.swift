/// A load with its answer and the data that it is written to.
@usableFromInline
final class Load<Value>: LoadRun {
  /// Weak, because a running load does not keep its data alive, and they may be released on any thread.
  @usableFromInline weak let owner: AsyncData<Value>?

  /// What the operation returned. Beside the ending, because nothing specialises what releases this object: it would
  /// look up the type of an outcome each time.
  // Justified: only set and read, and no code is called during that. What checks would cost a load is measured.
  @exclusivity(unchecked) @usableFromInline var answer: Value?

  /// Where it extends the pages, if it is a page request.
  @usableFromInline let edge: PageEdge?

  /// The loads that this one consists of, if it is the request of several data.
  private var parts: [LoadRun] = []

  @usableFromInline
  init(for owner: AsyncData<Value>, id: LoadID?, home: (any Actor)?, edge: PageEdge? = nil) {
    self.owner = owner
    self.edge = edge
    super.init(id: id, home: home)
  }

  /// A load that ended before it began.
  @usableFromInline
  init(endedWith ending: LoadEnding, answer: Value? = nil) {
    owner = nil
    edge = nil
    self.answer = answer
    super.init(id: nil, home: nil)
    state.ending = ending
  }

  /// A request of several data. Their loads write; this one ends when all of them have ended.
  init(of parts: [LoadRun]) {
    owner = nil
    edge = nil
    self.parts = parts
    super.init(id: nil, home: nil)
  }

  /// The data, as long as this load may write to them.
  @inlinable var writableOwner: AsyncData<Value>? {
    isCurrent ? owner : nil
  }

  /// The operation has answered. The answer is written if the load is still current.
  @inlinable
  func succeed(with value: Value?) {
    writableOwner?.succeed(self, with: value)
  }

  /// A page arrived. It is added if the request is still current.
  func extend(_ adding: (Value) -> Value) {
    guard let edge, let owner = writableOwner else { return }
    owner.extend(for: self, at: edge, with: adding)
  }

  @inlinable
  override func fail(with error: any Error) {
    writableOwner?.fail(self, with: error)
  }

  @usableFromInline
  override func cancel() {
    for part in parts { part.cancel() }
    writableOwner?.end(self, .cancelled)
  }

  @usableFromInline
  override func noteFailure(_ error: any Error, failures: Int) {
    writableOwner?.noteFailure(of: self, error, failures: failures)
  }

  @usableFromInline
  override func operationDidReturn() {
    owner?.operationDidReturn()
  }

  /// How it ended. A call that left before the end was cancelled.
  @inlinable var outcome: LoadOutcome<Value> {
    switch state.ending {
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
    guard state.extras?.patches != nil else { return state.known.snapshot.value }
    return editedPatches { $0.valueForLoad }.result
  }

  func yield(_ value: Value?, by load: Load<Value>) {
    guard state.extras?.patches != nil else {
      change(by: load) {
        $0.snapshot.yield(value)
        $0.revision.value &+= 1
      }
      return
    }
    let (patches, shown) = editedPatches {
      $0.rebase(on: value)
      return $0.value
    }
    change(by: load, alongside: { state.extras?.store(patches) }) {
      $0.snapshot.yield(shown)
      $0.revision.value &+= 1
    }
  }

  func report(_ progress: Double?, by load: Load<Value>) {
    let progress = progress.flatMap { $0.isNaN ? nil : min(max($0, 0), 1) }
    change(by: load) { $0.snapshot.activity?.progress = progress }
  }

  func noteFailure(of load: Load<Value>, _ error: any Error, failures: Int) {
    change(by: load) {
      $0.snapshot.activity?.progress = nil
      $0.snapshot.activity?.failures = failures
      $0.snapshot.activity?.lastFailure = error
    }
  }

  @inlinable
  func succeed(_ load: Load<Value>, with value: Value?) {
    let now = now
    if let extras = state.extras, extras.hasPatches { return succeedUnderPatches(load, with: value, at: now) }
    load.answer = value
    change(ending: .only(load), as: .answered, by: load) { $0.succeed(with: value, at: now) }
    if state.order.hasWaiting { beginWaitingLoad() }
  }

  @usableFromInline
  func succeedUnderPatches(_ load: Load<Value>, with value: Value?, at now: Duration) {
    let (patches, result) = editedPatches {
      let isOutdated = $0.rebase(on: value)
      $0.forgetLoad()
      return (shown: $0.value, isOutdated: isOutdated)
    }
    load.answer = value
    change(ending: .only(load), as: .answered, by: load, alongside: { state.extras?.store(patches) }) {
      $0.succeed(with: result.shown, at: now)
      if result.isOutdated { $0.snapshot.invalidate() }
    }
    beginWaitingLoad()
  }

  @inlinable
  func fail(_ load: Load<Value>, with error: any Error) {
    if let edge = load.edge { return failPage(load, at: edge, with: error) }
    change(ending: .only(load), as: .failed(error), by: load) { $0.fail(with: error) }
    if state.order.hasWaiting { beginWaitingLoad() }
  }

  @usableFromInline
  func failPage(_ load: Load<Value>, at edge: PageEdge, with error: any Error) {
    change(ending: .only(load), as: .failed(error), by: load) { $0.snapshot.failPage(at: edge, with: error) }
  }

  /// Ends one load or page request alone.
  func end(_ load: Load<Value>, _ reason: LoadEnd) {
    if let edge = load.edge {
      change(ending: .only(load), as: .ended(reason), by: load) { $0.snapshot.cancelPage(at: edge) }
    } else if load === state.order.waiting {
      // It has not begun, so nothing that can be seen changes.
      state.order.take(load).finish(.ended(reason))
    } else {
      change(ending: .only(load), as: .ended(reason), by: load) { $0.snapshot.end() }
      beginWaitingLoad()
    }
  }

  func operationDidReturn() {
    state.operationCount -= 1
    assert(state.operationCount >= 0, "Each operation returns once.")
    resumeIfSettled()
  }
}
