// SPDX-License-Identifier: MIT
// A family in every position in which one is created, with keys and values that must not leave their actor: without any
// option, in a module whose default isolation is the main actor, and in one whose async functions run on their caller's
// actor.
// also with: -default-isolation MainActor
// also with: -enable-upcoming-feature NonisolatedNonsendingByDefault -enable-upcoming-feature InferIsolatedConformances
// also with: -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility

import AsyncState

nonisolated struct Service: Sendable {
  func article(_ id: Int) async throws -> String { "article \(id)" }
}

/// A value that must not leave its actor.
nonisolated final class Model {
  var name = ""
}

/// A key that must not leave its actor.
nonisolated final class Place: Hashable {
  let name: String

  init(_ name: String) { self.name = name }

  static func == (left: Place, right: Place) -> Bool { left.name == right.name }
  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// Leaves the actor of its caller.
nonisolated final class Files: ValueStore {
  private var values: [Int: StoredValue<String>] = [:]

  func read(_ key: Int, isolation: isolated (any Actor)?) async throws -> StoredValue<String>? { values[key] }
  func save(
    _ stored: [Int: StoredValue<String>], removing keys: Set<Int>, isolation: isolated (any Actor)?
  ) async throws {
    values.merge(stored) { $1 }
    for key in keys { values[key] = nil }
  }
  func removeAll(isolation: isolated (any Actor)?) async throws { values = [:] }
}

@MainActor
final class Screen {
  let board = AsyncTagBoard()
  private(set) var count = 0

  let stored = AsyncFamily { id in try await Service().article(id) }
  let models = AsyncFamily<Int, Model>(keepUnused: 5) { _ in Model() }
  let places = AsyncFamily<Place, Model> { place in
    let model = Model()
    model.name = place.name
    return model
  }
  lazy var own = AsyncFamily<Int, String>(
    options: LoadOptions(staleAfter: .seconds(60)), board: board, tags: { id, _ in [AsyncTag("article", id)] }
  ) { [unowned self] id in
    count += 1
    return "\(id), \(count)"
  }
  let initialised: AsyncFamily<Int, String>
  let selection = Input<Int?>(nil)
  let detail: AsyncResource<String>

  init(service: Service, store: Files) {
    initialised = AsyncFamily(store: store) { id in try await service.article(id) }
    detail = AsyncResource(following: selection, previous: .untilAnswered) { [initialised] id in
      try await initialised[id].get()
    }
  }

  func appear() async throws {
    await stored[1].load(when: .stale)
    models.prefetch(2)
    await places[Place("home")].load()
    initialised.restore(StoredValue("former", age: .seconds(5)), for: 3)
    initialised.invalidate { $0 > 2 }
    board.invalidate("all", AsyncTag("article", 1))
    try await initialised.forget(3)
    try await initialised.forgetAll()
    _ = initialised.entries.filter(\.isUnsaved).count
  }
}

/// An actor of a client that has no flag.
actor Session {
  let board = AsyncTagBoard()
  private var count = 0
  lazy var models = AsyncFamily<Place, Model>(isolation: self) { _ in .value { Model() } }

  func run() async throws {
    let local = AsyncFamily<Int, Int>(isolation: self, board: board, tags: { key, _ in [AsyncTag(key)] }) { key in
      .value { self.next(key) }
    }
    local.prefetch(1)
    await local[1].load()
    board.invalidate(AsyncTag(1))
    await models[Place("home")].load()
    try await models.forgetAll()
  }

  private func next(_ key: Int) -> Int {
    count += 1
    return count + key
  }
}

nonisolated func shared<Key: Hashable, Value>(_ family: AsyncFamily<Key, Value>, _ key: Key) -> Bool {
  family[key] === family[key]
}
