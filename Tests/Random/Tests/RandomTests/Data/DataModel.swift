// SPDX-License-Identifier: MIT
import AsyncState

/// The behaviour of data, written plainly from the contract, sections 2 and 3.
final class DataModel {
  /// One load that was started.
  final class Load {
    var request: LoadRequest
    /// When it started, counted in starts and invalidations.
    var stamp: Int
    var deadline: Int?
    var counts = true
    /// It began before the last invalidation, so no later call gets its answer.
    var isOutdated = false
    /// The calls that it waits for, before it has begun: the first still waiting says how it begins.
    var calls: [(waiter: Int, request: LoadRequest)] = []
    /// The changes that were confirmed since it began, and what it reads as known once there is one.
    var confirmed: [Change] = []
    var known: [Int]?
    var outcome: DataOutcome?
    var isPinned = false
    /// It has no operation.
    var isByHand = false
    var structured = 0
    var failures = 0
    /// Who waits, by number, and whether it is a structured call.
    var waiters: [(number: Int, isStructured: Bool)] = []

    init(_ request: LoadRequest, stamp: Int, deadline: Int?) {
      self.request = request
      self.stamp = stamp
      self.deadline = deadline
    }

  }

  /// One call of an operation.
  final class Operation {
    let load: Load
    var isOver = false
    init(_ load: Load) { self.load = load }
  }

  /// A change that is shown before it is decided.
  struct Change {
    let number: Int
    let addend: Int
    var isConfirmed = false
  }

  struct Sleeper {
    let load: Load
    let time: Int
    let isTimer: Bool
  }

  let setup: DataSetup
  private(set) var isReleased = false

  // The data, without the changes that are displayed over it.
  var base: [Int]?
  var image = DataImage()
  var changes: [Change] = []
  var hasFailed = false
  /// What a load has yielded is below the changes.
  var isYielded = false
  var lastSuccess: Int?
  var invalidated: Int?
  /// How often the value was written by what may contain a change that is being sent.
  var writes = 0

  var now = 0
  var stamps = 0
  var live: Load?
  /// The load that begins when the live one has ended alone.
  var next: Load?
  var handles: [Load] = []
  var pending: [Load] = []
  var operations: [Operation] = []
  var sleepers: [Sleeper] = []
  var waiting: [Load?] = []
  var mutations: [Mutation] = []

  /// One call of `mutate`.
  struct Mutation {
    /// How often the value was written when its commit began; nil: it has not.
    var sentAt: Int?
    /// Nothing is displayed of it any more.
    var isDropped = false
    /// The data was reset meanwhile.
    var isEnded = false
    /// Its commit is over.
    var hasReturned = false

    var hasBegun: Bool { sentAt != nil }
  }

  /// What tasks do when the actor is free, in order.
  var turns: [() -> Void] = []

  private var staged: [DataImage] = []
  private var untold: [Bool] = []
  private var isTelling = false
  private var inside: [Inside<DataAction>] = []

  // What is compared.
  private(set) var received: [Received] = []
  private(set) var observed: [DataImage] = []
  var outcomes: [Int: DataOutcome] = [:]
  var mutationOutcomes: [Int: DataOutcome] = [:]
  /// What operations read of the data.
  var read: [[Int]?] = []
  /// How many yields were refused.
  var refusals = 0

  init(_ setup: DataSetup) {
    self.setup = setup
    base = setup.seed
    image.isProvisional = setup.seed != nil
  }

  // MARK: What can be read

  var snapshot: DataImage {
    var snapshot = image
    snapshot.value = base.map { $0 + changes.map(\.addend) }
    snapshot.isInvalidated = invalidated != nil
    return snapshot
  }

  var isStale: Bool {
    let isTooOld = if let lastSuccess, let limit = setup.staleAfter { now - lastSuccess >= limit } else { false }
    return lastSuccess == nil || invalidated != nil || hasFailed || isYielded || isTooOld
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
    received = []
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
    case .mutate(let addend):
      guard !isReleased else { break }
      let number = mutations.count
      changes.append(Change(number: number, addend: addend))
      mutations.append(Mutation())
      tell()
      turns.append { [self] in beginCommits() }
    case .decide(let back, let verdict): decide(mutations.count - 1 - back, verdict)
    case .cancelMutation(let back): cancelMutation(mutations.count - 1 - back)
    case .ticks(let count): for _ in 0..<count { tick() }
    case .release: release()
    }
    settleDown()
  }

  /// What waits for a turn gets it.
  func settleDown() {
    while !turns.isEmpty { turns.removeFirst()() }
  }

  private func act(_ action: DataAction) {
    guard !isReleased else { return }
    switch action {
    case .start(let request):
      let number = waiting.count
      waiting.append(nil)
      start(request, waiter: number, isStructured: false)
    case .begin(let mode):
      let number = waiting.count
      waiting.append(nil)
      beginByHand(mode, waiter: number)
    case .set(let value):
      let isSame = image.isValueSet && snapshot.value == value
      dropChanges()
      writes += 1
      succeed(value)
      invalidated = nil
      endLive(.superseded)
      tell(forced: isSame)
    case .setError(let number):
      guard number != nil || image.error != nil else { break }
      image.error = number
      if number != nil {
        hasFailed = true
        image.activity = nil
        endLive(.superseded)
      }
      tell()
    case .reset:
      dropChanges()
      endCommits()
      writes += 1
      base = setup.seed
      image = DataImage(isProvisional: setup.seed != nil)
      hasFailed = false
      isYielded = false
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
      image.activity = nil
      endLive(.cancelled)
      tell()
    case .cancelHandle(let back): if let load = handles.fromEnd(back) { giveUp(load) }
    // Only the current load can be answered.
    case .answerPending(let back, let value):
      if let load = pending.fromEnd(back), load === live { settle(load, .value(value)) }
    case .failPending(let back, let number):
      if let load = pending.fromEnd(back), load === live { settle(load, .failure(number)) }
    }
  }

  private func release() {
    // A caller that waits for a structured load or has a change confirmed keeps the data.
    let isWanted = waiting.indices.contains { outcomes[$0] == nil && isStructured($0) }
    guard !isWanted, mutations.allSatisfy(\.hasReturned) else { return }
    isReleased = true
    endLive(.cancelled)
  }

  func isStructured(_ waiter: Int) -> Bool {
    waiting[waiter]?.waiters.contains { $0.number == waiter && $0.isStructured } == true
  }

  // MARK: Notifying

  func tell(forced isForced: Bool = false) {
    staged.append(snapshot)
    untold.append(isForced)
    guard !isTelling else { return }
    isTelling = true
    while !untold.isEmpty {
      let isForced = untold.removeFirst()
      observed.append(staged.removeFirst())
      let number = received.count
      received.append(Received(isForced: isForced, image: snapshot))
      for one in inside where one.callback == number { act(one.action) }
    }
    isTelling = false
  }
}
