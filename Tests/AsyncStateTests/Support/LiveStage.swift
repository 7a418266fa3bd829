// SPDX-License-Identifier: MIT
import AsyncState
@testable import AsyncStateTesting
import Testing

/// A source of live values whose elements the test sends.
@MainActor
final class LiveStage {
  private var continuations: [AsyncThrowingStream<Int, any Error>.Continuation] = []
  /// Which connections have been given up by the library.
  private let cancelled = Locked<Set<Int>>([])
  private let (cancellations, cancelling) = AsyncStream<Int>.makeStream()
  let clock = ManualClock()
  /// How often it was connected, and with which arguments.
  private(set) var keys: [Int] = []
  private let connections = Input(0)
  /// Elements of connections that are not made yet.
  private var early: [Int: [Int]] = [:]

  /// Begins a connection.
  func connect(_ key: Int = 0) -> AsyncThrowingStream<Int, any Error> {
    keys.append(key)
    let number = keys.count
    let (stream, continuation) = AsyncThrowingStream<Int, any Error>.makeStream()
    continuation.onTermination = { [cancelled, cancelling] reason in
      guard case .cancelled = reason else { return }
      cancelled.withLock { _ = $0.insert(number) }
      cancelling.yield(number)
    }
    continuations.append(continuation)
    for element in early.removeValue(forKey: number) ?? [] { continuation.yield(element) }
    connections.write(number)
    return stream
  }

  /// Suspends until it was connected so often.
  func connected(_ count: Int) async {
    for await connections in connections.values where connections >= count { return }
  }

  var connectionCount: Int { keys.count }

  /// Sends an element, at once or when the connection is made.
  func send(_ element: Int, on connection: Int = 1) {
    guard connection <= continuations.count else { return early[connection, default: []].append(element) }
    continuations[connection - 1].yield(element)
  }

  func end(_ connection: Int = 1, throwing error: (any Error)? = nil) {
    continuations[connection - 1].finish(throwing: error)
  }

  /// Suspends until the library has given the connection up: a task that is cancelled before it awaits an element gives it up then.
  func cancellation(of connection: Int) async {
    if isCancelled(connection) { return }
    for await cancelled in cancellations where cancelled == connection { return }
  }

  func isCancelled(_ connection: Int = 1) -> Bool { cancelled.withLock { $0.contains(connection) } }
}

/// Suspends until the snapshot of a resource fulfils a condition.
@MainActor
func reaches<Value: Sendable>(
  _ resource: AsyncResource<Value>, _ condition: (AsyncSnapshot<Value>) -> Bool
) async {
  for await snapshot in resource.observed.values where condition(snapshot) { return }
}
