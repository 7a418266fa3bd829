// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting

/// A family on a manual clock, whose requests are answered by hand, and the resources that screens hold.
@MainActor
final class FamilyStage {
  let clock = ManualClock()
  let gate = ManualServer<Int?>()
  let board: AsyncTagBoard?
  let store: MemoryStore<Int, Int>?
  private(set) var family: AsyncFamily<Int, Int>!
  /// What screens hold. A local variable may be released after its last use.
  var held: [Int: AsyncResource<Int>] = [:]

  init(
    staleAfter: Duration? = nil, keepUnused: Int = 0, board: AsyncTagBoard? = nil,
    tags: @escaping (Int, Int?) -> Set<AsyncTag> = { _, _ in [] }, hasStore: Bool = false
  ) {
    self.board = board
    store = hasStore ? MemoryStore(clock: clock) : nil
    makeFamily(staleAfter: staleAfter, keepUnused: keepUnused, tags: tags)
  }

  /// A family in the place of the former one, as at another launch.
  func makeFamily(
    staleAfter: Duration? = nil, keepUnused: Int = 0, tags: @escaping (Int, Int?) -> Set<AsyncTag> = { _, _ in [] }
  ) {
    held = [:]
    family = AsyncFamily(
      options: LoadOptions(staleAfter: staleAfter, clock: clock), keepUnused: keepUnused, board: board, tags: tags,
      store: store
    ) { [gate] key in try await gate.wait(for: key) }
  }

  func release() { family = nil }

  @discardableResult
  func hold(_ keys: Int...) -> FamilyStage {
    for key in keys { held[key] = family[key] }
    return self
  }

  /// From now on each read of the store waits for an answer, also one that was cancelled.
  func holdReads() -> ManualServer<Void> {
    let reads = ManualServer<Void>(ignoresCancellation: true)
    store?.reads = reads
    return reads
  }

  func drop(_ keys: Int...) {
    for key in keys { held[key] = nil }
  }

  func answer(_ key: Int, _ value: Int?) {
    gate.answer(for: key, with: .success(value))
  }

  func fail(_ key: Int) {
    gate.answer(for: key, with: .failure(Failure()))
  }

  /// Loads a key, and answers it.
  func load(_ key: Int, _ value: Int?) async {
    answer(key, value)
    await family[key].load()
  }

  /// The keys that were requested, in order.
  var requests: [Int] { gate.arguments() }

  /// The keys that the family has, in order.
  var keys: [Int] { family.entries.map(\.key).sorted() }

  func entry(_ key: Int) -> FamilyEntry<Int, Int>? {
    family.entries.first { $0.key == key }
  }
}

/// Counts what an observer of a resource is notified of.
@MainActor
final class NotificationCount {
  private(set) var count = 0
  /// What was known when it was notified.
  private(set) var seen: [String] = []
  /// Done inside each notification.
  var inside: () -> Void = {}
  private var token: ObservedToken?

  init(_ resource: AsyncResource<Int>) {
    var isFirst = true
    token = resource.observed.observe { [weak self] snapshot in
      if isFirst { return isFirst = false }
      guard let self else { return }
      count += 1
      if count < 100 { seen.append(SnapshotParts(snapshot).description) }
      inside()
    }
  }
}

/// A suite of tests of a family with a store.
@MainActor
protocol StoreSuite {}

extension StoreSuite {
  func stage(staleAfter: Duration? = .seconds(60)) -> FamilyStage {
    FamilyStage(staleAfter: staleAfter, keepUnused: .max, hasStore: true)
  }
}

/// A suite of tests of a family whose entries have tags.
@MainActor
protocol TagBoardSuite {}

extension TagBoardSuite {
  /// Even and odd keys have tags, all keys have one, and each has its own.
  nonisolated static func tags(_ key: Int, _ value: Int?) -> Set<AsyncTag> {
    ["all", AsyncTag(key.isMultiple(of: 2) ? "even" : "odd"), AsyncTag("key", key)]
  }

  func stage(
    width: Int = 4, keepUnused: Int = .max,
    tags: @escaping (Int, Int?) -> Set<AsyncTag> = Self.tags
  ) -> FamilyStage {
    FamilyStage(
      keepUnused: keepUnused, board: AsyncTagBoard(gate: LoadGate(width: width)),
      tags: tags
    )
  }

  /// A stage with keys that are held and loaded, each with itself as its value.
  func loadedStage(_ keys: Int..., width: Int = 4) async -> FamilyStage {
    let stage = stage(width: width)
    for key in keys {
      stage.hold(key)
      await stage.load(key, key)
    }
    return stage
  }

  func isInvalidated(_ stage: FamilyStage, _ keys: Int...) -> [Bool] {
    keys.map { key in stage.entry(key)?.snapshot.isInvalidated == true }
  }
}
