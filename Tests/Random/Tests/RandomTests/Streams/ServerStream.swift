// SPDX-License-Identifier: MIT
@testable import AsyncState

/// A server, whose connections wait for what a command sends.
@ModelActor
final class StreamServer {
  private(set) var connections: [ServerStream] = []
  /// What waits until a connection has been made, is read, or was left.
  private let waiters = ConditionWaiters()

  func connect(isDeaf: Bool) -> ServerStream {
    let stream = ServerStream(isDeaf: isDeaf) { [waiters] in waiters.resume() }
    connections.append(stream)
    waiters.resume()
    return stream
  }

  /// Suspends until it has so many connections, of which one is read, and each other one was left, unless it is deaf.
  ///
  /// - Parameter current: The number of the connection that is read; nil: none.
  func has(_ count: Int, reading current: Int?) async {
    await waiters.wait(
      until: {
        connections.count >= count
          && connections.enumerated().allSatisfy { index, stream in
            index + 1 == current ? stream.isRead : stream.isDeaf || !stream.isRead
          }
      }, isolation: ModelActor.shared)
  }
}

/// One connection: its reader waits on its own actor until a command answers.
final class ServerStream: AsyncSequence {
  let isDeaf: Bool
  private let note: () -> Void
  private var reader: SuspendedCall?
  private var answered = Result<Int?, any Error>.success(nil)
  private var hasLeft = false

  /// - Parameters:
  ///   - isDeaf: True: it continues when its reader has left.
  ///   - note: Called when it is read, and when its reader has left.
  init(isDeaf: Bool, note: @escaping () -> Void) {
    self.isDeaf = isDeaf
    self.note = note
  }

  /// True while an element is awaited.
  var isRead: Bool { reader != nil }

  func answer(_ answer: Result<Int?, any Error>) {
    guard let reader = reader.take() else { return }
    answered = answer
    reader.resume()
  }

  func makeAsyncIterator() -> Iterator { Iterator(stream: self) }

  struct Iterator: AsyncIteratorProtocol {
    let stream: ServerStream

    mutating func next() async throws -> Int? { try await stream.next(isolation: nil) }

    mutating func next(isolation: isolated (any Actor)?) async throws -> Int? {
      try await stream.next(isolation: isolation)
    }
  }

  private func next(isolation: isolated (any Actor)?) async throws -> Int? {
    guard let home = isolation else { return nil }
    let stream = ActorBound(self, to: home)
    await untilResumed(isolation: isolation) {
      if hasLeft { $0.resume() } else { reader = $0 }
      note()
    } onCancel: {
      stream.send { $0.leave() }
    }
    return try answered.get()
  }

  private func leave() {
    guard !isDeaf, !hasLeft else { return }
    hasLeft = true
    if isRead { answer(.failure(CancellationError())) } else { answered = .failure(CancellationError()) }
    note()
  }
}
