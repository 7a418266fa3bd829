// SPDX-License-Identifier: MIT
/// The request of one key, which is made with those of others. It is the position of the key's load at the gate, so it is left
/// whenever the load ends.
final class KeySeat<Key: Hashable, Value>: GatePosition {
  enum Phase {
    /// The stored value of the key is being read.
    case reading(KeyTurn)
    case waiting(ticket: Int)
    case running(KeyBatch<Key, Value>)
    /// Its batch has failed, and is followed by another one.
    case pausing(KeyPause<Key, Value>)
    case over
  }

  let key: Key
  let load: LoadRun
  private let batches: KeyBatches<Key, Value>
  var phase: Phase
  /// The gates of which its batch passes the width.
  private(set) var passedGates: [LoadGate] = []
  private(set) var priority = Task.currentPriority
  /// The number of its batches that have failed.
  var failures = 0
  /// True if its load has ended while its batch runs.
  private(set) var hasLeft = false

  private let place = RunningOperation.waitingPlace
  private var wait: NestedWait?
  private var result: Result<Value?, any Error>?
  private var call: SuspendedCall?

  init(_ key: Key, _ load: LoadRun, in turn: KeyTurn, of batches: KeyBatches<Key, Value>) {
    self.key = key
    self.load = load
    self.batches = batches
    phase = .reading(turn)
  }

  /// Its ticket, if it only waits for its batch.
  var ticket: Int? { if case .waiting(let ticket) = phase { ticket } else { nil } }

  // MARK: The operation of its load

  /// Suspends until there is an answer. The answer of a running batch is awaited even if the load has ended, like an operation
  /// that ignores its cancellation.
  func value(isolation: isolated (any Actor)?) async throws -> Value? {
    await untilResumed(isolation: isolation) {
      if result == nil { call = $0 } else { $0.resume() }
    } onCancel: {
    }
    return try result?.get()
  }

  func end(_ result: Result<Value?, any Error>) {
    phase = .over
    self.result = result
    wait.take()?.end()
    call.take()?.resume()
  }

  func giveUp() { end(.failure(CancellationError())) }

  /// Begins the wait of its load's operation for that of a batch.
  func beginWait(for batch: LoadPlace, _ label: String) {
    guard let place else { return }
    let wait = NestedWait(at: place, for: batch, label: label)
    // No operation awaits a batch that has not begun, so this is no circle.
    if wait.begin() == nil { self.wait = wait }
  }

  /// Notes that its load has ended, and its batch continues for others.
  func leaveBatch() {
    hasLeft = true
    wait.take()?.end()
  }

  // MARK: Calls of its load

  func pass(_ gates: [LoadGate]) {
    passedGates += gates
    batches.pass(self, gates)
  }

  func passes(_ gate: LoadGate?) -> Bool { passedGates.contains { $0 === gate } }

  func raisePriority(to priority: TaskPriority) {
    self.priority = max(self.priority, priority)
    if case .running(let batch) = phase { batch.task?.raisePriority(to: priority) }
  }

  func leave() { batches.leave(self) }
}

/// One turn of the actor, in which keys are requested.
final class KeyTurn {
  /// The number of its keys that have yet to begin to wait, or to end.
  var readingCount = 0
  var isOver = false
  /// True if all keys of the turn can be requested together.
  var isComplete: Bool { isOver && readingCount == 0 }
}

/// A request of several keys.
final class KeyBatch<Key: Hashable, Value> {
  private(set) var seats: [KeySeat<Key, Value>]
  /// The number of them that want the answer.
  private var wantedCount: Int
  var task: Task<Void, Never>?
  /// Its place at the gate.
  private let gatePlace: GatePlace?
  /// The place of the batch among operations that await each other.
  let place = LoadPlace()

  init(_ seats: [KeySeat<Key, Value>], at gatePlace: GatePlace?) {
    self.seats = seats
    self.gatePlace = gatePlace
    wantedCount = seats.count
  }

  var priority: TaskPriority? { seats.map(\.priority).max() }

  func leave(_ seat: KeySeat<Key, Value>) {
    seat.leaveBatch()
    wantedCount -= 1
    guard wantedCount == 0 else { return }
    task?.cancel()
    // Also if the operation ignores the cancellation.
    leaveGate()
  }

  /// Calls the operation, in its room.
  func run<Answer>(
    isolation: isolated any Actor, _ operation: @escaping () async throws -> Answer
  ) async -> Result<Answer, any Error> {
    do {
      return .success(try await LetIn.at(gatePlace, isolation: isolation, operation))
    } catch {
      return .failure(error)
    }
  }

  func leaveGate() { gatePlace?.leave() }

  /// Ends the keys that have left before the operation is called.
  func endLeft() {
    for seat in seats where seat.hasLeft { seat.giveUp() }
    seats.removeAll(where: \.hasLeft)
  }
}

/// The pause between a batch that has failed and another one, for those of its keys that are tried again together.
final class KeyPause<Key: Hashable, Value> {
  let seats: [KeySeat<Key, Value>]
  private var wantedCount: Int
  var task: Task<Void, Never>?
  var isWanted: Bool { wantedCount > 0 }

  init(_ seats: [KeySeat<Key, Value>]) {
    self.seats = seats
    wantedCount = seats.count
  }

  func leave(_ seat: KeySeat<Key, Value>) {
    seat.giveUp()
    wantedCount -= 1
    if wantedCount == 0 { task?.cancel() }
  }
}
