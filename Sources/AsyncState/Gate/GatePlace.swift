// SPDX-License-Identifier: MIT
/// The position of a request at a gate, waiting or with a room: a place of its own, or one that several share.
protocol GatePosition {
  /// True if its need decides when it is let in.
  var isOrdered: Bool { get }

  /// Sets its need, which has changed.
  func set(_ need: RequestNeed)

  /// Notes that the operations with these rooms await it: it needs no room of its own.
  func add(_ room: GateRoom)

  /// Notes that a call of this priority has joined it.
  func raisePriority(to priority: TaskPriority)

  /// Leaves the gate: it has ended, or is not wanted any more. Does nothing the second time.
  func leave()
}

/// The place of one request at a gate: it waits there, and then has a room, until it leaves.
struct GatePlace: GatePosition, Sendable {
  let gate: LoadGate
  let ticket: Int

  var isOrdered: Bool { gate.isLimited }

  /// Suspends until the request has begun, has left, or its task is cancelled.
  ///
  /// - Parameter note: Called with the obstacle that it waits for, at each change; false: it waits no more.
  func wait(isolation: isolated any Actor, noting note: (LoadGate.Obstacle) -> Bool = { _ in true }) async {
    while !Task.isCancelled, let (obstacle, change) = gate.look(ticket), note(obstacle) {
      await gate.wait(as: ticket, since: change, isolation: isolation)
    }
  }

  func leave() { gate.leave(ticket) }

  func set(_ need: RequestNeed) { gate.set(need, of: ticket) }

  func add(_ room: GateRoom) {
    if let host = room.ticket(at: gate) { gate.add(host: host, of: ticket) }
  }

  /// Does nothing: the request has a task of its own.
  func raisePriority(to priority: TaskPriority) {}
}

/// The rooms that the operation of a task has at gates with a width. A request that it awaits uses the same room: with one of
/// its own, neither could end.
final class GateRoom: Sendable {
  /// The rooms of the operation that the current task runs, or was started in.
  @TaskLocal static var current: GateRoom?

  private let place: GatePlace
  private let outer: GateRoom?

  private init(_ place: GatePlace, in outer: GateRoom?) {
    self.place = place
    self.outer = outer
  }

  /// The ticket of the operation at a gate; nil: it has no room there.
  func ticket(at gate: LoadGate) -> Int? { place.gate === gate ? place.ticket : outer?.ticket(at: gate) }

  /// Calls an operation inside its place.
  static func of<Answer>(
    _ place: GatePlace?, isolation: isolated any Actor, _ operation: () async throws -> Answer
  ) async throws -> Answer {
    guard let place, place.gate.isLimited else { return try await operation() }
    // The closure is isolated by its capture. The operation itself would be called on no actor.
    return try await $current.withValue(
      GateRoom(place, in: current),
      operation: {
        _ = isolation
        return try await operation()
      }, isolation: isolation)
  }

  /// Calls `body` outside of the operation.
  static func none(_ body: () -> Void) {
    if current == nil { body() } else { $current.withValue(nil, operation: body) }
  }
}
