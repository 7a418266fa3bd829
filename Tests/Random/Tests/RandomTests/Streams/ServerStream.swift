// SPDX-License-Identifier: MIT
@testable import AsyncState

/// One connection: its reader waits on its own actor until a command answers.
final class ServerStream: AsyncSequence {
  private let isDeaf: Bool
  private var reader: CheckedContinuation<Int?, any Error>?
  private var hasLeft = false

  init(isDeaf: Bool) { self.isDeaf = isDeaf }

  /// True while an element is awaited.
  var isRead: Bool { reader != nil }

  func answer(_ answer: Result<Int?, any Error>) {
    let reader = reader
    self.reader = nil
    reader?.resume(with: answer)
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
    guard let isolation, !isDeaf else { return try await read(isolation: isolation) }
    let bound = ActorBound(self, to: isolation)
    return try await withTaskCancellationHandler(
      operation: {
        _ = isolation
        return try await read(isolation: isolation)
      }, onCancel: { bound.send { $0.leave() } }, isolation: isolation)
  }

  private func read(isolation: isolated (any Actor)?) async throws -> Int? {
    if hasLeft { throw CancellationError() }
    return try await withCheckedThrowingContinuation(isolation: isolation) { reader = $0 }
  }

  private func leave() {
    hasLeft = true
    answer(.failure(CancellationError()))
  }
}
