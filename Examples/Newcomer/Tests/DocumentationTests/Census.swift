// SPDX-License-Identifier: MIT
/// Counts what is alive: whatever is to be counted holds a life.
final class Census {
  /// Held by one that is counted, for as long as it is there.
  final class Life: Sendable {
    private let end: AsyncStream<Void>.Continuation

    fileprivate init(_ end: AsyncStream<Void>.Continuation) {
      self.end = end
    }

    deinit {
      end.yield()
    }
  }

  private let ends = AsyncStream<Void>.makeStream()
  private var count = 0

  func newLife() -> Life {
    count += 1
    return Life(ends.continuation)
  }

  /// Suspends until none is left. A life may end on any thread, and a moment after its task.
  func isEmpty(isolation: isolated (any Actor)? = #isolation) async {
    var ends = ends.stream.makeAsyncIterator()
    while count > 0 {
      await ends.next(isolation: isolation)
      count -= 1
    }
  }
}
