// SPDX-License-Identifier: MIT
@testable import AsyncState

/// One connection: its reader waits on its own actor until a command answers.
final class ServerStream: AsyncSequence {
  private let isDeaf: Bool
  private var reader: SuspendedCall?
  private var answered = Result<Int?, any Error>.success(nil)
  private var hasLeft = false

  init(isDeaf: Bool) { self.isDeaf = isDeaf }

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
    } onCancel: {
      stream.send { $0.leave() }
    }
    return try answered.get()
  }

  private func leave() {
    guard !isDeaf, !hasLeft else { return }
    hasLeft = true
    if isRead { answer(.failure(CancellationError())) } else { answered = .failure(CancellationError()) }
  }
}
