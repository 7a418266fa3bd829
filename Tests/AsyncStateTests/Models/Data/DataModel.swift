import AsyncState

/// What facts do, written down plainly from the contract, sections 2 and 3.
final class DataModel {
  /// One load that was started.
  private final class Load {
    var request: LoadRequest
    /// When it started, counted in starts and invalidations.
    var stamp: Int
    var deadline: Int?
    var counts = true
    /// It began before the last `invalidate()`, so no later call gets its answer.
    var isOutdated = false
    /// The calls that it waits for, before it has begun: the first still waiting says how it begins.
    var calls: [(waiter: Int, request: LoadRequest)] = []
    /// The changes that were confirmed since it began, and what it reads as known once there is one.
    var confirmed: [Change] = []
    var known: [Int]?
    var outcome: DataOutcome?
    var isPinned = false
    var structured = 0
    var failures = 0
    /// Who waits, by number, and whether it is a structured call.
    var waiters: [(number: Int, isStructured: Bool)] = []

    init(_ request: LoadRequest, stamp: Int, deadline: Int?) {
      self.request = request
      self.stamp = stamp
      self.deadline = deadline
    }

    /// One that was over before it began: nobody was asked.
    static var ended: Load {
      let load = Load(LoadRequest(), stamp: 0, deadline: nil)
      load.counts = false
      return load
    }
  }

  /// One call of an operation.
  private final class Operation {
    let load: Load
    var isOver = false
    init(_ load: Load) { self.load = load }
  }

  /// A change that is shown before it is decided.
  private struct Change {
    let number: Int
    let addend: Int
    var isConfirmed = false
  }

  private struct Sleeper {
    let load: Load
    let time: Int
    let isTimer: Bool
  }

  let setup: DataSetup
  private(set) var isReleased = false

  // The facts, without the changes that are shown over them.
  private var base: [Int]?
  private var facts = DataImage()
  private var changes: [Change] = []
  /// How often all changes were taken out for good.
  private var epoch = 0
  private var hasFailed = false
  private var lastSuccess: Int?
  private var invalidated: Int?

  private var now = 0
  private var stamps = 0
  private var live: Load?
  /// The load that begins when the live one has ended alone.
  private var next: Load?
  private var handles: [Load] = []
  private var operations: [Operation] = []
  private var sleepers: [Sleeper] = []
  private var waiting: [Load?] = []
  private var mutations: [Mutation] = []

  /// One call of `mutate`.
  private struct Mutation {
    let epoch: Int
    let hasServer: Bool
    let lane: Int?
    var hasBegun = false
    var isDecided = false
    /// Its commit is over, and its lane is free.
    var hasReturned = false
  }

  /// What tasks do when the actor is free, in order.
  private var turns: [() -> Void] = []

  private var staged: [DataImage] = []
  private var untold: [Bool] = []
  private var isTelling = false
  private var inside: [DataCommand.Inside] = []

  // What is compared.
  private(set) var heard: [Heard] = []
  private(set) var observed: [DataImage] = []
  private(set) var outcomes: [Int: DataOutcome] = [:]
  private(set) var mutationOutcomes: [Int: DataOutcome] = [:]
  /// What operations read of the facts.
  private(set) var read: [[Int]?] = []
  /// How many yields were refused.
  private(set) var refusals = 0

  init(_ setup: DataSetup) {
    self.setup = setup
    base = setup.seed
    facts.isProvisional = setup.seed != nil
  }

  // MARK: What can be read

  var snapshot: DataImage {
    var snapshot = facts
    snapshot.value = base.map { $0 + changes.map(\.addend) }
    snapshot.isInvalidated = invalidated != nil
    return snapshot
  }

  var isStale: Bool {
    let isTooOld = if let lastSuccess, let limit = setup.staleAfter { now - lastSuccess >= limit } else { false }
    return lastSuccess == nil || invalidated != nil || hasFailed || isTooOld
  }

  var sleeperCount: Int { sleepers.count }
  var operationCount: Int { operations.count }
  var waiterCount: Int { waiting.count }
  var mutationCount: Int { mutations.count }

  /// Whether the one who began to wait so many before the last waits for a structured load.
  func isWaiting(_ back: Int) -> Bool {
    let number = waiting.count - 1 - back
    return outcomes[number] == nil && isStructured(number)
  }

  /// Whether the operation that began so many before the last waits for an order.
  func isAtGate(_ back: Int) -> Bool {
    operations.fromEnd(back)?.isOver == false
  }

  // MARK: What is done

  func perform(_ command: DataCommand) {
    heard = []
    observed = []
    inside = command.inside
    switch command.action {
    case .now(let actions): actions.forEach(act)
    case .load(let request, let inCancelledTask):
      guard !isReleased else { break }
      let number = waiting.count
      waiting.append(nil)
      if inCancelledTask { outcomes[number] = .cancelled } else { start(request, waiter: number, isStructured: true) }
    case .order(let back, let order):
      if let operation = operations.fromEnd(back), !operation.isOver { obey(order, operation) }
    case .cancelWaiting(let back):
      if back < waiting.count { leave(waiting.count - 1 - back) }
    case .mutate(let addend, let hasServer, let lane):
      guard !isReleased else { break }
      let number = mutations.count
      changes.append(Change(number: number, addend: addend))
      mutations.append(Mutation(epoch: epoch, hasServer: hasServer, lane: lane))
      tell()
      beginCommits()
    case .decide(let back, let verdict): decide(mutations.count - 1 - back, verdict)
    case .cancelMutation(let back): cancelMutation(mutations.count - 1 - back)
    case .ticks(let count): for _ in 0..<count { tick() }
    case .release: release()
    }
    settleDown()
  }

  /// What waits for a turn gets it.
  private func settleDown() {
    while !turns.isEmpty { turns.removeFirst()() }
  }

  private func act(_ action: DataAction) {
    guard !isReleased else { return }
    switch action {
    case .start(let request):
      let number = waiting.count
      waiting.append(nil)
      start(request, waiter: number, isStructured: false)
    case .set(let value):
      let isSame = facts.isValueSet && snapshot.value == value
      dropChanges()
      succeed(value)
      invalidated = nil
      endLive(.superseded)
      tell(forced: isSame)
    case .setError(let number):
      facts.error = number
      if number != nil {
        hasFailed = true
        facts.activity = nil
        endLive(.superseded)
      }
      tell()
    case .reset:
      dropChanges()
      base = setup.seed
      facts = DataImage(isProvisional: setup.seed != nil)
      hasFailed = false
      lastSuccess = nil
      invalidated = nil
      endLive(.cancelled)
      tell()
    case .invalidate:
      stamps += 1
      invalidated = stamps
      live?.isOutdated = true
      tell(forced: true)
    case .cancel:
      guard live != nil || next != nil else { break }
      facts.activity = nil
      endLive(.cancelled)
      tell()
    case .cancelHandle(let back): if let load = handles.fromEnd(back) { giveUp(load) }
    // Only the current load can be answered: not one that has ended, and not one that waits.
    case .answerHandle(let back, let value):
      if let load = handles.fromEnd(back), load === live { settle(load, .value(value)) }
    case .failHandle(let back, let number):
      if let load = handles.fromEnd(back), load === live { settle(load, .failure(number)) }
    }
  }

  private func release() {
    // Whoever waits for a structured load or has a change confirmed keeps the facts.
    let isWanted = waiting.indices.contains { outcomes[$0] == nil && isStructured($0) }
    guard !isWanted, mutations.allSatisfy(\.hasReturned) else { return }
    isReleased = true
    endLive(.cancelled)
  }

  private func isStructured(_ waiter: Int) -> Bool {
    waiting[waiter]?.waiters.contains { $0.number == waiter && $0.isStructured } == true
  }

  // MARK: Starting and ending

  private func start(_ request: LoadRequest, waiter: Int, isStructured: Bool) {
    if request.ifStale && !isStale {
      outcomes[waiter] = .fresh(snapshot.value)
      if !isStructured { handles.append(Load.ended) }
      return
    }
    var load: Load
    if let waiting = next, let id = request.id, waiting.request.id == id {
      load = waiting
      load.calls.append((waiter, request))
    } else if let live, let id = request.id, live.request.id == id {
      load = live
      if live.isOutdated {
        load = Load(request, stamp: 0, deadline: nil)
        load.calls = [(waiter, request)]
        next = load
      }
    } else {
      load = begin(request)
    }
    if isStructured { load.structured += 1 } else { load.isPinned = true }
    if !isStructured { handles.append(load) }
    waiting[waiter] = load
    load.waiters.append((waiter, isStructured))
    if let outcome = load.outcome { outcomes[waiter] = outcome }
  }

  private func begin(_ request: LoadRequest) -> Load {
    let load = Load(request, stamp: 0, deadline: nil)
    begin(load)
    return load
  }

  private func begin(_ load: Load) {
    let request = load.request
    stamps += 1
    load.stamp = stamps
    load.deadline = request.timeout.map { now + $0 }
    let isHidden = facts.activity?.mode == .reload
    facts.activity = .init(mode: isHidden ? .reload : request.mode, id: request.id)
    endLive(.superseded)
    live = load
    tell()
    if load.counts { turns.append { [self] in run(load) } }
  }

  /// The live load has ended alone: the one that waits begins.
  private func beginNext() {
    guard live == nil, let load = next else { return }
    next = nil
    load.request = load.calls[0].request
    begin(load)
  }

  private func run(_ load: Load) {
    guard load.counts else { return }
    if let deadline = load.deadline {
      if now >= deadline { return settle(load, .failure(Trouble.timeout)) }
      sleepers.append(Sleeper(load: load, time: deadline, isTimer: true))
    }
    operations.append(Operation(load))
  }

  /// One load is given up alone.
  private func giveUp(_ load: Load) {
    if load === next {
      next = nil
      end(load, .cancelled)
    } else if load === live {
      live = nil
      end(load, .cancelled)
      facts.activity = nil
      tell()
      beginNext()
    }
  }

  /// The live load does not count any more, and no load follows it.
  private func endLive(_ outcome: DataOutcome) {
    let ended = [live, next]
    live = nil
    next = nil
    for load in ended { if let load { end(load, outcome) } }
  }

  private func end(_ load: Load, _ outcome: DataOutcome) {
    load.counts = false
    load.outcome = outcome
    sleepers.removeAll { $0.load === load }
    for operation in operations where operation.load === load && !load.request.isDeaf { operation.isOver = true }
    for waiter in load.waiters where outcomes[waiter.number] == nil { outcomes[waiter.number] = outcome }
  }

  private func leave(_ waiter: Int) {
    guard let load = waiting[waiter], isStructured(waiter), outcomes[waiter] == nil else { return }
    outcomes[waiter] = .cancelled
    load.structured -= 1
    load.calls.removeAll { $0.waiter == waiter }
    if load.structured == 0 && !load.isPinned { giveUp(load) }
  }

  private func settle(_ load: Load, _ outcome: DataOutcome) {
    guard load.counts else { return }
    live = nil
    end(load, outcome)
    facts.activity = nil
    switch outcome {
    case .value(let value):
      rebase(value, load)
      succeed(base)
      if let since = invalidated, since < load.stamp { invalidated = nil }
      if !load.confirmed.isEmpty { markStale() }
    case .failure(let number):
      facts.error = number
      hasFailed = true
    case .cancelled, .superseded, .fresh: break
    }
    tell()
    beginNext()
  }

  private func markStale() {
    stamps += 1
    invalidated = stamps
  }

  /// An answer: by a load or by hand.
  private func succeed(_ value: [Int]?) {
    base = value
    facts = DataImage(isValueSet: true)
    hasFailed = false
    lastSuccess = now
  }

  // MARK: Operations

  private func obey(_ order: OperationOrder, _ operation: Operation) {
    let load = operation.load
    let current = load.counts ? (load.confirmed.isEmpty ? baseWithConfirmed : load.known) : nil
    read.append(current)
    switch order {
    case .yield(let value):
      guard load.counts else { return refusals += 1 }
      rebase(value, load)
      load.known = value
      facts.isValueSet = true
      facts.isProvisional = true
      facts.error = nil
      facts.activity?.mode = .refresh
      tell()
    case .report(let progress):
      guard load.counts else { return }
      facts.activity?.progress = progress.flatMap { $0.isNaN ? nil : $0 < 0 ? 0 : $0 > 1 ? 1 : $0 }
      tell()
    case .answer(let value):
      operation.isOver = true
      settle(load, .value(value))
    case .answerCurrent:
      operation.isOver = true
      settle(load, .value(current))
    case .fail(let number):
      operation.isOver = true
      fail(load, number)
    case .giveUp:
      operation.isOver = true
      giveUp(load)
    }
  }

  private func fail(_ load: Load, _ number: Int) {
    guard load.counts else { return }
    load.failures += 1
    guard let backOff = load.request.backOff, load.failures <= LoadRequest.retries else {
      return settle(load, .failure(number))
    }
    facts.activity?.progress = nil
    facts.activity?.failures = load.failures
    facts.activity?.lastFailure = number
    tell()
    guard load.counts else { return }
    if backOff > 0 {
      sleepers.append(Sleeper(load: load, time: now + backOff, isTimer: false))
    } else {
      operations.append(Operation(load))
    }
  }

  private func tick() {
    now += 1
    while let next = sleepers.firstIndex(where: { $0.time == now }) {
      let sleeper = sleepers.remove(at: next)
      if sleeper.isTimer {
        settle(sleeper.load, .failure(Trouble.timeout))
      } else {
        operations.append(Operation(sleeper.load))
      }
      settleDown()
    }
  }

  // MARK: Changes

  private var baseWithConfirmed: [Int]? {
    base.map { $0 + changes.filter(\.isConfirmed).map(\.addend) }
  }

  /// A new base has what was confirmed before its load began; what was confirmed since, or is undecided, stays on top.
  private func rebase(_ value: [Int]?, _ load: Load) {
    base = value
    changes = (changes.filter { !$0.isConfirmed } + load.confirmed).sorted { $0.number < $1.number }
    fold()
  }

  private func dropChanges() {
    for change in changes where !change.isConfirmed {
      mutations[change.number].isDecided = true
      // A commit that has not begun never does; one that runs has its outcome when it returns.
      guard !mutations[change.number].hasBegun else { continue }
      mutations[change.number].hasReturned = true
      mutationOutcomes[change.number] = .superseded
    }
    changes = []
    epoch += 1
  }

  /// Each commit that is first in its lane begins.
  private func beginCommits() {
    for number in mutations.indices where !mutations[number].hasBegun && !mutations[number].isDecided {
      let lane = mutations[number].lane
      let isFirst = lane == nil || !mutations[..<number].contains { $0.lane == lane && !$0.hasReturned }
      if isFirst { mutations[number].hasBegun = true }
    }
  }

  private func decide(_ number: Int, _ verdict: Verdict) {
    guard mutations.indices.contains(number), mutations[number].hasBegun, !mutations[number].hasReturned else { return }
    defer { beginCommits() }
    mutations[number].hasReturned = true
    guard !mutations[number].isDecided else { return mutationOutcomes[number] = .superseded }
    mutations[number].isDecided = true
    let index = changes.firstIndex { $0.number == number }!
    switch verdict {
    case .confirm, .answer:
      let known = baseWithConfirmed
      changes[index].isConfirmed = true
      if let live {
        if live.confirmed.isEmpty { live.known = known }
        live.confirmed.append(changes[index])
      }
      if mutations[number].hasServer {
        // The answer has what was confirmed before it.
        changes = changes[..<index].filter { !$0.isConfirmed } + changes[(index + 1)...]
        base = if case .answer(let value) = verdict { value } else { nil }
      }
      fold()
      tell()
      mutationOutcomes[number] = .value(snapshot.value)
    case .fail(let trouble):
      takeOut(index)
      mutationOutcomes[number] = .failure(trouble)
    case .giveUp:
      takeOut(index)
      mutationOutcomes[number] = .cancelled
    }
  }

  /// The task of a change is cancelled.
  private func cancelMutation(_ number: Int) {
    guard mutations.indices.contains(number) else { return }
    if mutations[number].hasBegun { return decide(number, .giveUp) }
    guard !mutations[number].isDecided else { return }
    mutations[number].isDecided = true
    mutations[number].hasReturned = true
    mutationOutcomes[number] = .cancelled
    changes.removeAll { $0.number == number }
    fold()
    tell()
    beginCommits()
  }

  /// A commit that had begun came to nothing.
  private func takeOut(_ index: Int) {
    changes.remove(at: index)
    fold()
    markStale()
    tell()
  }

  /// A confirmed change with nothing undecided below it is part of the base.
  private func fold() {
    while let first = changes.first, first.isConfirmed {
      base = base.map { $0 + [first.addend] }
      changes.removeFirst()
    }
  }

  // MARK: Telling

  private func tell(forced isForced: Bool = false) {
    staged.append(snapshot)
    untold.append(isForced)
    guard !isTelling else { return }
    isTelling = true
    while !untold.isEmpty {
      let isForced = untold.removeFirst()
      observed.append(staged.removeFirst())
      let number = heard.count
      heard.append(Heard(isForced: isForced, facts: snapshot))
      for one in inside where one.notification == number { act(one.action) }
    }
    isTelling = false
  }
}

extension Array {
  /// The element that stands so many before the last.
  func fromEnd(_ back: Int) -> Element? {
    back < count ? self[count - 1 - back] : nil
  }
}
