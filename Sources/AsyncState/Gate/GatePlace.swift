// SPDX-License-Identifier: MIT
/// The place of one request at a gate: it waits there, and is then inside, until it leaves.
struct GatePlace: Sendable {
  let gate: LoadGate
  let ticket: Int

  var isInside: Bool { gate.isInside(ticket) }

  /// Suspends until the request has begun, has left, or its task is cancelled.
  ///
  /// - Parameter note: Called with the obstacle that it waits for, at each change; false: it waits no more.
  func wait(isolation: isolated any Actor, noting note: (LoadGate.Obstacle) -> Bool = { _ in true }) async {
    while !Task.isCancelled, let (obstacle, change) = gate.look(ticket), note(obstacle) {
      await gate.wait(as: ticket, since: change, isolation: isolation)
    }
  }

  /// Leaves the gate: it has ended, or is not wanted any more. Does nothing the second time.
  func leave() { gate.leave(ticket) }

  /// Lets it pass the width of these gates, because operations inside await it.
  func pass(_ gates: [LoadGate]) {
    if gates.contains(where: { $0 === gate }) { gate.pass(ticket) }
  }
}

/// The places of the operations that the current task is a part of, at gates with a width. What they await passes the width: if
/// it waited until they are over, neither would end.
///
/// A structure, because a task-local value of a function type crashes in release builds.
struct LetIn: Sendable {
  @TaskLocal private static var current: LetIn?

  private let places: [GatePlace]

  /// The gates of which the current task may pass the width. An operation that has ended has left its gate.
  static var gates: [LoadGate] { current?.places.filter(\.isInside).map(\.gate) ?? [] }

  /// Calls an operation that was let in.
  static func at<Answer>(
    _ place: GatePlace?, isolation: isolated any Actor, _ operation: () async throws -> Answer
  ) async throws -> Answer {
    guard let place, place.gate.width != nil else { return try await operation() }
    let outer = current?.places.filter(\.isInside) ?? []
    // The closure is isolated by its capture. The operation itself would be called on no actor.
    return try await $current.withValue(
      LetIn(places: outer + [place]),
      operation: {
        _ = isolation
        return try await operation()
      }, isolation: isolation)
  }

  /// Calls `body` outside of these operations.
  static func none(_ body: () -> Void) {
    if current == nil { body() } else { $current.withValue(nil, operation: body) }
  }
}
