// SPDX-License-Identifier: MIT
import AsyncStateLists
import AsyncState

/// An object is recycled and handed out again.
final class PoolWork: SynchronousWork {
  private final class Cell {}

  private let pool = ReusePool<String, Cell>()

  func run(_ count: Int) {
    for _ in 0..<count {
      let cell = pool.dequeue(for: "row", orMake: Cell.init)
      pool.recycle(cell, for: "row")
    }
  }
}

extension Comparison {
  /// An object is recycled and handed out again.
  public static let pool = Comparison("recycle and dequeue", [Contender(.asyncState) { PoolWork() }])
}
