// SPDX-License-Identifier: MIT
import AsyncState

// The loads of the model: how they begin and end, and what their operations do.
extension DataModel {
  // MARK: Starting and ending

  func start(_ request: LoadRequest, waiter: Int, isStructured: Bool) {
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

  func beginByHand(_ mode: LoadMode, waiter: Int) {
    let load = Load(LoadRequest(mode: mode), stamp: 0, deadline: nil)
    load.isByHand = true
    load.isPinned = true
    begin(load)
    pending.append(load)
    handles.append(load)
    waiting[waiter] = load
    load.waiters.append((waiter, false))
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
    let isHidden = image.activity?.mode == .reload
    image.activity = .init(mode: isHidden ? .reload : request.mode)
    endLive(.superseded)
    live = load
    tell()
    if load.counts, !load.isByHand { turns.append { [self] in run(load) } }
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
    load.deadline = load.request.timeout.map { now + $0 }
    if let deadline = load.deadline {
      if now >= deadline { return settle(load, .failure(Trouble.timeout)) }
      sleepers.append(Sleeper(load: load, time: deadline, isTimer: true))
    }
    operations.append(Operation(load))
  }

  /// One load is given up alone.
  func giveUp(_ load: Load) {
    if load === next {
      next = nil
      end(load, .cancelled)
    } else if load === live {
      live = nil
      end(load, .cancelled)
      image.activity = nil
      tell()
      beginNext()
    }
  }

  /// The live load does not count any more, and no load follows it.
  func endLive(_ outcome: DataOutcome) {
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

  func leave(_ waiter: Int) {
    guard let load = waiting[waiter], isStructured(waiter), outcomes[waiter] == nil else { return }
    outcomes[waiter] = .cancelled
    load.structured -= 1
    load.calls.removeAll { $0.waiter == waiter }
    if load.structured == 0 && !load.isPinned { giveUp(load) }
  }

  func settle(_ load: Load, _ outcome: DataOutcome) {
    guard load.counts else { return }
    live = nil
    end(load, outcome)
    image.activity = nil
    switch outcome {
    case .value(let value):
      rebase(value, load)
      succeed(base)
      if let since = invalidated, since < load.stamp { invalidated = nil }
      if !load.confirmed.isEmpty { markStale() }
    case .failure(let number):
      image.error = number
      hasFailed = true
    case .cancelled, .superseded, .fresh: break
    }
    tell()
    beginNext()
  }

  func markStale() {
    stamps += 1
    invalidated = stamps
  }

  /// An answer: by a load or by hand.
  func succeed(_ value: [Int]?) {
    base = value
    image = DataImage(isValueSet: true)
    hasFailed = false
    isYielded = false
    lastSuccess = now
  }

  // MARK: Operations

  func obey(_ order: OperationOrder, _ operation: Operation) {
    let load = operation.load
    let current = load.counts ? (load.confirmed.isEmpty ? baseWithConfirmed : load.known) : nil
    read.append(current)
    switch order {
    case .yield(let value):
      guard load.counts else { return refusals += 1 }
      rebase(value, load)
      load.known = value
      isYielded = true
      image.isValueSet = true
      image.isProvisional = true
      image.error = nil
      image.activity?.mode = .refresh
      tell()
    case .report(let progress):
      guard load.counts else { return }
      image.activity?.progress = progress.flatMap { $0.isNaN ? nil : $0 < 0 ? 0 : $0 > 1 ? 1 : $0 }
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
      fail(load, Trouble.interruption)
    }
  }

  private func fail(_ load: Load, _ number: Int) {
    guard load.counts else { return }
    load.failures += 1
    guard let backOff = load.request.backOff, load.failures <= LoadRequest.retries else {
      return settle(load, .failure(number))
    }
    image.activity?.progress = nil
    image.activity?.failures = load.failures
    image.activity?.lastFailure = number
    tell()
    guard load.counts else { return }
    if backOff > 0 {
      sleepers.append(Sleeper(load: load, time: now + backOff, isTimer: false))
    } else {
      operations.append(Operation(load))
    }
  }

  func tick() {
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
}
