// SPDX-License-Identifier: MIT
import AsyncState

/// An invalidation of a tag that one entry of many has, with an observer of each entry.
final class TagInvalidation: SynchronousWork {
  private let board = AsyncTagBoard()
  private let count: Int
  private var family: AsyncFamily<Int, Int>?
  private var held: [AsyncResource<Int>] = []
  private var tokens: [ObservedToken] = []
  private let tally = Tally()

  init(entries count: Int) {
    self.count = count
  }

  func begin(on home: isolated any Actor) {
    guard self.family == nil else { return }
    let family = AsyncFamily<Int, Int>(
      isolation: home, board: board, tags: { key, _ in ["articles", AsyncTag("article", key)] }
    ) { key in .value { key } }
    self.family = family
    board.gate.close()
    held = (0..<count).map { family[$0] }
    for (key, resource) in held.enumerated() { resource.data.value = key }
    let tally = tally
    tokens = held.map { $0.observed.observe { _ in tally.add(1) } }
  }

  func run(_ count: Int) {
    for number in 0..<count { board.invalidate(AsyncTag("article", number % held.count)) }
  }
}

/// The same by hand: a dictionary of the keys that have a tag, a flag, and a closure that is called.
final class HandWrittenTags: SynchronousWork {
  private final class Entry {
    var isInvalidated = false
    let observer: () -> Void

    init(_ observer: @escaping () -> Void) {
      self.observer = observer
    }
  }

  private var entries: [Int: Entry] = [:]
  private var keys: [AsyncTag: Set<Int>] = [:]
  private let tally = Tally()

  init(entries count: Int) {
    let tally = tally
    for key in 0..<count {
      entries[key] = Entry { tally.add(1) }
      keys["articles", default: []].insert(key)
      keys[AsyncTag("article", key), default: []].insert(key)
    }
  }

  func run(_ count: Int) {
    for number in 0..<count {
      let hit = (keys[AsyncTag("article", number % entries.count)] ?? []).compactMap { entries[$0] }
      for entry in hit { entry.isInvalidated = true }
      for entry in hit { entry.observer() }
    }
  }
}
