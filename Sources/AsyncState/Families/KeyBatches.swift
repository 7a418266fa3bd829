// SPDX-License-Identifier: MIT
// Keys that are requested together: those that wait, and the requests that run.
//
// The load of a key is one like any other; its operation awaits a seat in a batch. The parts of a request (the gate, the
// interceptors, another attempt) are here, once for each batch; the parts of a key (its end, its timeout, its store) are in its
// load. Keys are gathered during one turn of the actor. One batch at a time waits at a gate: its keys are chosen when it is let
// in.

/// The batches of a family. It belongs to the actor of the family.
final class KeyBatches<Key: Hashable, Value> {
  typealias Fetch = ([Key]) async throws -> [Key: Value]
  typealias Seat = KeySeat<Key, Value>

  /// The largest number of keys of one request.
  let limit: Int
  private let fetch: Fetch
  private let policy: RequestPolicy?
  private let timeline: Timeline
  private weak let home: (any Actor)?

  private var line = KeyLine()
  /// The waiting seats, by ticket.
  private var seats: [Int: Seat] = [:]
  /// The turn in which keys are being gathered.
  private var turn: KeyTurn?
  /// The place of the next batch at the gate.
  private var place: GatePlace?

  init(limit: Int, options: LoadOptions, home: any Actor, _ fetch: @escaping Fetch) {
    self.limit = max(limit, 1)
    self.fetch = fetch
    policy = RequestPolicy(options)
    timeline = Timeline(options.clock)
    self.home = home
  }

  // MARK: Keys

  /// Prepares a seat when the load of a key begins its operation. `value(for:)` follows, or the end of the load.
  func expect(_ key: Key, for reporter: LoadReporter<Value>) {
    guard let turn = openTurn() else { return }
    let load = reporter.load
    let seat = Seat(key, load, in: turn, of: self)
    seat.pass(load.requiredExtras.passedGates)
    load.requiredExtras.place = seat
    turn.readingCount += 1
  }

  /// Suspends until the key has its answer; nil: the answer of its batch lacks it.
  func value(for reporter: LoadReporter<Value>, isolation: isolated (any Actor)?) async throws -> Value? {
    guard let seat = reporter.load.state.extras?.place as? Seat else { throw CancellationError() }
    add(seat)
    return try await seat.value(isolation: isolation)
  }

  private func add(_ seat: Seat) {
    guard case .reading(let turn) = seat.phase else { return }
    let ticket = line.add(isAwaited: seat.passes(policy?.gate))
    seat.phase = .waiting(ticket: ticket)
    seats[ticket] = seat
    place?.pass(seat.passedGates)
    noteReady(in: turn)
    note(seat, isWaiting: policy?.gate?.isOpen == false)
  }

  /// Notes that a key of a turn has begun to wait, or has ended.
  private func noteReady(in turn: KeyTurn) {
    turn.readingCount -= 1
    guard turn.isComplete, let home else { return }
    // Not here: the end of a load must not lead to events of other data in the same call.
    ActorBound(self as any KeyGathering, to: home).callHere { home, batches in batches.sendSoon(isolation: home) }
  }

  /// Lets the batch of a key pass the width of these gates, because operations inside await the key.
  func pass(_ seat: Seat, _ gates: [LoadGate]) {
    guard let ticket = seat.ticket else { return }
    if seat.passes(policy?.gate) { line.setAwaited(ticket) }
    place?.pass(gates)
  }

  /// Removes the key of a load that has ended.
  func leave(_ seat: Seat) {
    switch seat.phase {
    case .reading(let turn):
      seat.giveUp()
      noteReady(in: turn)
    case .waiting(let ticket):
      line.remove(ticket)
      seats[ticket] = nil
      seat.giveUp()
      if line.isEmpty { place.take()?.leave() }
    case .running(let batch): if !seat.hasLeft { batch.leave(seat) }
    case .pausing(let pause): pause.leave(seat)
    case .over: break
    }
  }

  private func note(_ seat: Seat, isWaiting: Bool) {
    guard seat.load.isCurrent else { return }
    seat.load.owner?.noteWaiting(of: seat.load, isWaiting)
  }

  // MARK: Turns

  private func openTurn() -> KeyTurn? {
    if turn == nil, let home {
      ActorBound(self as any KeyGathering, to: home).callHere { home, batches in batches.beginTurn(isolation: home) }
    }
    return turn
  }

  fileprivate func beginTurn(isolation: isolated any Actor) {
    let turn = KeyTurn()
    self.turn = turn
    // Calls that already wait for the actor run before this.
    Task {
      _ = isolation
      self.turn = nil
      turn.isOver = true
      if turn.isComplete { send(isolation: isolation) }
    }
  }

  fileprivate func sendSoon(isolation: isolated any Actor) {
    Task {
      _ = isolation
      send(isolation: isolation)
    }
  }

  // MARK: Batches

  /// Requests the waiting keys, as far as the gate lets them in.
  private func send(isolation: isolated any Actor) {
    while place == nil, !line.isEmpty {
      var place: GatePlace?
      if let gate = policy?.gate {
        place = gate.enter(passing: line.awaited.isEmpty ? [] : [gate])
        if let place, gate.look(place.ticket) != nil { return wait(at: place, isolation: isolation) }
      }
      begin(at: place, isolation: isolation)
    }
  }

  private func wait(at place: GatePlace, isolation: isolated any Actor) {
    self.place = place
    Task {
      _ = isolation
      await place.wait(isolation: isolation) { obstacle in
        for ticket in seats.keys.sorted() { if let seat = seats[ticket] { note(seat, isWaiting: obstacle == .closed) } }
        return self.place?.ticket == place.ticket
      }
      // It was left because no key waited any more.
      guard self.place?.ticket == place.ticket else { return }
      self.place = nil
      begin(at: place, isolation: isolation)
      send(isolation: isolation)
    }
  }

  private func begin(at place: GatePlace?, isolation: isolated any Actor) {
    let batch = KeyBatch(take(), at: place)
    for seat in batch.seats { seat.phase = .running(batch) }
    // Outside of the operation that has led here.
    LetIn.none { batch.place.begin().begin { start(batch, isolation: isolation) } }
  }

  /// Takes out the next keys: at most as many as the limit, and keys before them that no call wants any more.
  private func take() -> [Seat] {
    var taken: [Seat] = []
    var wantedCount = 0
    while wantedCount < limit, let ticket = line.takeFirst(), let seat = seats.removeValue(forKey: ticket) {
      taken.append(seat)
      if !seat.load.interest.isLost { wantedCount += 1 }
    }
    return taken
  }

  private func start(_ batch: KeyBatch<Key, Value>, isolation: isolated any Actor) {
    batch.task = Task(priority: batch.priority) {
      _ = isolation
      prepare(batch)
      let result = batch.seats.isEmpty ? .success([:]) : await request(batch, isolation: isolation)
      batch.leaveGate()
      end(batch, with: result, isolation: isolation)
    }
  }

  /// Ends the loads of keys that are not wanted any more.
  private func prepare(_ batch: KeyBatch<Key, Value>) {
    RunningOperation.outside {
      for seat in batch.seats {
        seat.load.endIfUnwanted()
        seat.load.endIfUnheld()
        note(seat, isWaiting: false)
      }
    }
    batch.endLeft()
  }

  private func request(
    _ batch: KeyBatch<Key, Value>, isolation: isolated any Actor
  ) async -> Result<[Key: Value], any Error> {
    let keys = batch.seats.map(\.key)
    let label = keys.count == 1 ? "a batch of one key" : "a batch of \(keys.count) keys"
    for seat in batch.seats { seat.beginWait(for: batch.place, label) }
    return await batch.run(isolation: isolation, operation(for: keys))
  }

  private func operation(for keys: [Key]) -> () async throws -> [Key: Value] {
    let fetch = fetch
    // With its type: a closure of an inferred one leaves its caller's actor (Swift 6.3.1).
    let operation: () async throws -> [Key: Value] = { try await fetch(keys) }
    return policy?.intercepting(operation) ?? operation
  }

  private func end(
    _ batch: KeyBatch<Key, Value>, with answer: Result<[Key: Value], any Error>, isolation: isolated any Actor
  ) {
    batch.endLeft()
    switch answer {
    case .success(let values): for seat in batch.seats { seat.end(.success(values[seat.key])) }
    case .failure(let error): fail(batch.seats, with: error, isolation: isolation)
    }
  }

  // MARK: Other attempts

  /// Tries keys that have failed equally often again together, after one pause.
  private func fail(_ seats: [Seat], with error: any Error, isolation: isolated any Actor) {
    let groups = Dictionary(grouping: seats) { $0.failures + 1 }
    for (failures, seats) in groups.sorted(by: { $0.key < $1.key }) {
      // A `NoDataError` is an answer.
      guard !(error is NoDataError), let delay = policy?.pause(after: failures, error) else {
        for seat in seats { seat.end(.failure(error)) }
        continue
      }
      let pause = KeyPause(seats)
      for seat in seats {
        seat.failures = failures
        // The policy is the user's, and may have ended the load.
        if seat.hasLeft { pause.leave(seat) } else { seat.phase = .pausing(pause) }
      }
      RunningOperation.outside {
        for seat in seats where seat.load.isCurrent {
          seat.load.owner?.noteFailure(of: seat.load, error, failures: failures)
        }
      }
      begin(pause, of: delay, isolation: isolation)
    }
  }

  private func begin(_ pause: KeyPause<Key, Value>, of delay: Duration, isolation: isolated any Actor) {
    guard pause.isWanted else { return }
    let end = timeline.now + delay
    pause.task = Task {
      _ = isolation
      let hasPassed = (try? await timeline.sleep(until: end)) != nil
      for seat in pause.seats {
        guard case .pausing = seat.phase else { continue }
        guard hasPassed, let turn = openTurn() else {
          seat.giveUp()
          continue
        }
        turn.readingCount += 1
        seat.phase = .reading(turn)
        add(seat)
      }
    }
  }
}

/// The work on the actor, independent of the type of the keys.
private protocol KeyGathering: AnyObject {
  func beginTurn(isolation: isolated any Actor)
  func sendSoon(isolation: isolated any Actor)
}

extension KeyBatches: KeyGathering {}
