// SPDX-License-Identifier: MIT
import AsyncState

/// A tag that all of 10,000 entries have, which are in use and have values: it is invalidated.
final class TagOfMany: SynchronousWork {
  private let board = AsyncTagBoard()
  private let count: Int
  private var family: AsyncFamily<Int, Int>?
  private var held: [AsyncResource<Int>] = []

  init(entries count: Int) {
    self.count = count
  }

  func begin(on home: isolated any Actor) {
    guard self.family == nil else { return }
    let family = AsyncFamily<Int, Int>(isolation: home, board: board, tags: { _, _ in ["articles"] }) { key in
      .value { key }
    }
    self.family = family
    board.gate.close()
    held = (0..<count).map { family[$0] }
    for (key, resource) in held.enumerated() { resource.data.value = key }
  }

  func run(_ count: Int) {
    for _ in 0..<count { board.invalidate("articles") }
  }
}

/// A log-out of a family with 10,000 entries, which are in use.
final class LogOutOfMany: Work {
  private let count: Int
  private var family: AsyncFamily<Int, Int>?
  private var held: [AsyncResource<Int>] = []

  init(entries count: Int) {
    self.count = count
  }

  func run(_ count: Int, on home: isolated any Actor) async {
    if family == nil {
      let family = AsyncFamily<Int, Int>(isolation: home) { key in .value { key } }
      self.family = family
      held = (0..<self.count).map { family[$0] }
      for (key, resource) in held.enumerated() { resource.data.value = key }
    }
    for _ in 0..<count { try? await family?.forgetAll(isolation: home) }
  }
}
