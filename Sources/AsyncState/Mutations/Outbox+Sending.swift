// SPDX-License-Identifier: MIT
// How an outbox sends what waits: a few lanes at a time, each input by a mutation with lanes, which does its retries and
// its timeout.

extension Outbox {
  /// The largest number of lanes that wait for a reason or for another attempt: while there are so many, no other lane
  /// begins.
  private var pausedLimit: Int { 100 }

  /// The lanes that cannot begin another input.
  private var blocked: Set<String> { held.union(sending.keys) }

  private var isPausing: Bool { held.count + sending.values.count { $0.place?.hasRoom == false } >= pausedLimit }

  /// Whether anything may be sent.
  private var maySend: Bool {
    !isReleased && settings.board.isOpen && settings.options.gate?.isOpen != false && discardingCount == 0
  }

  /// Looks for what can be sent, as soon as it is the store's turn.
  func look() {
    guard maySend, isRestored, !isUnreadable, !isLooking, !isPausing else { return }
    if let emptyBesides, emptyBesides.isSubset(of: blocked) { return }
    isLooking = true
    enqueue(.look)
  }

  func lookForWork(isolation: isolated any Actor) async {
    isLooking = false
    // Room that is not used is for the next one.
    var hasRoom = false
    swap(&hasRoom, &self.hasRoom)
    defer { if hasRoom { settings.board.senders.leave() } }
    guard maySend else { return }
    let besides = blocked
    do {
      guard let entry = try await settings.store.first(besides: besides, isolation: isolation) else {
        emptyBesides = besides
        settled = []
        // The store has nothing of these, though it has failed to remove them.
        for run in leaving.values where run.place.map({ besides.contains($0.lane) }) == false {
          await remove(run, isolation: isolation)
        }
        return look()
      }
      guard !settled.contains(entry.key) else { throw OutboxError.returned(key: entry.key) }
      let run = run(for: entry)
      if run.place?.phase == .waiting, maySend {
        if !hasRoom { hasRoom = settings.board.senders.enter(self) }
        guard hasRoom, await isNoted(run, isolation: isolation) else { return }
        // It may have been cancelled meanwhile.
        if run.place?.phase == .waiting, maySend {
          hasRoom = false
          send(run, isolation: isolation)
        }
      } else if leaving[run.key] === run {
        // The store has failed to remove it. What is just being stored, or removed, has its job behind this one.
        await remove(run, isolation: isolation)
      }
      look()
    } catch {
      isUnreadable = true
      note(error)
    }
  }

  /// - Returns: Whether the store has counted it. If not, its lane waits.
  private func isNoted(_ run: Run, isolation: isolated any Actor) async -> Bool {
    do {
      try await noteAttempt(of: run, isolation: isolation)
      return true
    } catch {
      fail(run, error)
      hold(run)
      return false
    }
  }

  private func send(_ run: Run, isolation: isolated any Actor) {
    guard let place = run.place else { return }
    let request = MutationRun<OutboxEntry<Input>, Output>(entry(of: run, place), key: run.key)
    request.options = options(for: run)
    run.place?.phase = .sending
    run.place?.hasMetClosedBoard = false
    run.place?.hasRoom = true
    run.place?.request = request
    sending[place.lane] = run
    request.begin(MutationEffect { [weak self] end, _ in self?.requestDidEnd(of: run, end) })
    requests.perform(request, isolation: isolation)
  }

  /// What the server has refused for good is not tried again.
  private func options(for run: Run) -> LoadOptions? {
    guard let delay = settings.options.retry.delay, let attempts = run.place?.attempts else { return nil }
    var options = settings.options
    options.retry = RetryPolicy { [permanence = settings.permanence] failures, error in
      permanence(error, attempts) ? nil : delay(failures, error)
    }
    return options
  }

  fileprivate func attempt(_ entry: OutboxEntry<Input>, _ reporter: MutationReporter) async throws -> Output {
    guard let run = sending[entry.lane], run.key == entry.key else { throw CancellationError() }
    try await takeRoom(for: run)
    if run.place?.isNoted == false {
      let noted = PerformedInput<Void>()
      enqueue(.note(run, noted))
      try await noted.untilEnded(isolation: #isolation).get()
      try requireLane(of: run)
    }
    run.place?.isNoted = false
    run.noteSending()
    do {
      return try await settings.operation(run.input, reporter)
    } catch {
      // Other lanes have the room while this one waits for another attempt.
      if settings.options.retry.delay != nil, let place = run.place, !settings.permanence(error, place.attempts) {
        leaveRoom(of: run)
      }
      throw error
    }
  }

  /// Suspends until there is room on the board, which is taken.
  private func takeRoom(for run: Run) async throws {
    while true {
      guard settings.board.isOpen else {
        run.place?.hasMetClosedBoard = true
        throw CancellationError()
      }
      try requireLane(of: run)
      if run.place?.hasRoom == true { return }
      if settings.board.senders.enter(self) {
        run.place?.hasRoom = true
        return
      }
      returning.append(run)
      await untilHasRoom(run, isolation: #isolation)
    }
  }

  /// What has lost its lane is not sent: it was taken back, or its request has ended.
  private func requireLane(of run: Run) throws {
    try Task.checkCancellation()
    guard let lane = run.place?.lane, sending[lane] === run else { throw CancellationError() }
  }

  private func untilHasRoom(_ run: Run, isolation: isolated (any Actor)?) async {
    guard let home = isolation else { return }
    let bound = ActorBound(run, to: home)
    await untilResumed(isolation: isolation) { call in
      if run.place?.hasRoom == false { run.place?.call = call } else { call.resume() }
    } onCancel: {
      bound.send { $0.place?.call.take()?.resume() }
    }
  }

  func leaveRoom(of run: Run) {
    guard run.place?.hasRoom == true else { return }
    run.place?.hasRoom = false
    settings.board.senders.leave()
  }

  private func requestDidEnd(of run: Run, _ end: MutationEnd<Output>) {
    run.place?.request = nil
    guard !isReleased else { return }
    switch end {
    case .succeeded(let output):
      run.place?.rewrite = rewriting?(run.input, output)
      leave(run, .success(output))
      run.endEffects(end)
    case .failed(let error):
      failed = run
      if let place = run.place, settings.permanence(error, place.attempts) {
        run.place?.phase = .leaving
        run.place?.end = .failure(error)
        enqueue(.setAside(run, error))
      } else {
        run.place?.phase = .waiting
        hold(run)
      }
    case .givenUp, .withdrawn:
      if run.place?.isWithdrawn == true {
        leave(run, .cancelled)
        run.takeBackEffects()
      } else {
        run.place?.phase = .waiting
        hold(run)
        // The board may have opened since.
        if run.place?.hasMetClosedBoard == true, settings.board.isOpen { wake() }
      }
    }
  }

  func freeLane(of run: Run) {
    guard let lane = run.place?.lane, sending[lane] === run else { return }
    sending[lane] = nil
    // It waits for room no more: nothing would leave that.
    returning.removeAll { $0 === run }
    run.place?.call.take()?.resume()
    leaveRoom(of: run)
  }

  /// Its lane waits for a reason to continue, which there is for every lane, or for this one.
  func hold(_ run: Run) {
    guard let lane = run.place?.lane else { return }
    freeLane(of: run)
    held.insert(lane)
    look()
  }
}

extension Outbox: BoardSender {
  func boardDidOpen() { wake() }

  func hasRoomNow() -> Bool {
    // What has its lane has waited longer.
    guard giveRoom() else {
      look()
      guard isLooking, !hasRoom else { return false }
      hasRoom = true
      return true
    }
    while !returning.isEmpty, settings.board.senders.enter(self) {
      if !giveRoom() { settings.board.senders.leave() }
    }
    look()
    return true
  }

  /// - Returns: Whether one took it.
  private func giveRoom() -> Bool {
    while !returning.isEmpty {
      let run = returning.removeFirst()
      guard let call = run.place?.call.take() else { continue }
      run.place?.hasRoom = true
      call.resume()
      return true
    }
    return false
  }
}

/// The way from the requests of an outbox back to it.
final class OutboxLink<Input, Output> {
  weak var outbox: Outbox<Input, Output>?

  // Here, and not where it is used: a closure in a function with an isolated parameter does not run on its caller's
  // actor.
  var operation: (OutboxEntry<Input>, MutationReporter) async throws -> Output {
    { entry, reporter in
      guard let outbox = self.outbox else { throw CancellationError() }
      return try await outbox.attempt(entry, reporter)
    }
  }
}
