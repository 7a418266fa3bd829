// SPDX-License-Identifier: MIT
import AsyncState

/// A store in which each use waits until it may go on. It checks that one outbox at a time uses it, one after another.
@ModelActor
final class SlowStore {
  enum End: CaseIterable {
    case succeeds
    case fails
    /// It is made, and throws all the same. A read just fails.
    case failsLate
  }

  struct Broken: Error {}

  private(set) var entries: [OutboxEntry<Edit>] = []
  /// The keys whose removal has failed, and that are still here.
  private(set) var unremoved: Set<String> = []
  /// A use by the present outbox has failed.
  private var hasFailed = false
  /// Uses do not wait any more, and none fails. So many of them may follow.
  var usesLeft: Int?
  /// Called when more uses have followed.
  var didTurnEndlessly: () -> Void = {}
  private let ledger: EditLedger
  private var waiting: Promise<End>?
  /// What is being done.
  private(set) var use: String?
  private var lastUser = 0

  init(_ ledger: EditLedger) {
    self.ledger = ledger
  }

  func entry(_ key: String) -> OutboxEntry<Edit>? { entries.first { $0.key == key } }

  /// Lets the present use go on.
  ///
  /// - Returns: False if there is none.
  func goOn(_ end: End) -> Bool {
    guard let use = waiting.take() else { return false }
    use.keep(end)
    return true
  }

  /// - Parameter change: What the use does, unless it fails before that.
  private func use<Result: Sendable>(
    _ name: String, by user: Int, _ change: (_ throws: Bool) -> Result
  ) async throws -> Result {
    if let use { ledger.note("outbox \(user) calls \(name) during \(use)") }
    if user < lastUser { ledger.note("outbox \(user) calls \(name) after outbox \(lastUser) has begun") }
    if user > lastUser {
      ledger.begins(user, with: entries, unremoved: unremoved, hasFailed: hasFailed)
      hasFailed = false
    }
    lastUser = max(lastUser, user)
    use = "\(name) of outbox \(user)"
    defer { use = nil }
    switch await end() {
    case .succeeds: return change(false)
    case .fails: break
    case .failsLate: _ = change(true)
    }
    hasFailed = true
    ledger.useHasFailed()
    throw Broken()
  }

  private func end() async -> End {
    if let left = usesLeft, left > 0 {
      usesLeft = left - 1
      return .succeeds
    }
    if usesLeft != nil { didTurnEndlessly() }
    let promise = Promise<End>()
    waiting = promise
    return await ModelActor.stay { await promise.wait() }
  }

  // MARK: What an outbox calls

  func append(_ entry: OutboxEntry<Edit>, by user: Int) async throws {
    try await use("append", by: user) { throwing in
      let isNew = self.entry(entry.key) == nil
      if isNew { entries.append(entry) }
      if !throwing { ledger.isStored(entry, isNew: isNew) }
    }
  }

  func first(besides lanes: Set<String>, by user: Int) async throws -> OutboxEntry<Edit>? {
    try await use("first", by: user) { _ in
      let first = entries.first { $0.failure == nil && !lanes.contains($0.lane) }
      if let first { ledger.isChosen(first.input) }
      return first
    }
  }

  func entries(after key: String?, limit: Int, by user: Int) async throws -> [OutboxEntry<Edit>] {
    try await use("entries", by: user) { _ in
      let start = entries.firstIndex { $0.key == key }.map { $0 + 1 } ?? 0
      return Array(entries[start...].prefix(limit))
    }
  }

  func update(_ entry: OutboxEntry<Edit>, by user: Int) async throws {
    do {
      try await use("update of \(entry.input)", by: user) { throwing in
        guard let index = entries.firstIndex(where: { $0.key == entry.key }) else { return }
        let former = entries[index]
        entries[index] = entry
        // Others change its lane or its attempts.
        if !throwing, entry.failure == nil, former.failure != nil || former == entry { ledger.isPutBack(entry) }
      }
    } catch {
      if entry.failure != nil, self.entry(entry.key)?.failure == nil { ledger.isNotSetAside(entry.input) }
      throw error
    }
  }

  func remove(_ key: String, by user: Int) async throws -> Bool {
    do {
      return try await use("remove", by: user) { _ in
        let removed = entries.filter { $0.key == key }
        take(removed)
        return !removed.isEmpty
      }
    } catch {
      if entry(key) != nil { unremoved.insert(key) }
      throw error
    }
  }

  func removeAll(by user: Int) async throws {
    do {
      try await use("removeAll", by: user) { _ in take(entries) }
    } catch {
      unremoved.formUnion(entries.map(\.key))
      throw error
    }
  }

  private func take(_ removed: [OutboxEntry<Edit>]) {
    for entry in removed {
      ledger.isRemoved(entry.input)
      unremoved.remove(entry.key)
      entries.removeAll { $0.key == entry.key }
    }
  }
}

/// The store as one outbox uses it.
final class SlowStoreUse: OutboxStore {
  private let store: SlowStore
  private let user: Int

  init(_ store: SlowStore, by user: Int) {
    self.store = store
    self.user = user
  }

  var place: String { "\(ObjectIdentifier(store))" }

  func append(_ entry: OutboxEntry<Edit>, isolation: isolated (any Actor)?) async throws {
    try await store.append(entry, by: user)
  }

  func first(besides lanes: Set<String>, isolation: isolated (any Actor)?) async throws -> OutboxEntry<Edit>? {
    try await store.first(besides: lanes, by: user)
  }

  func entries(
    after key: String?, limit: Int, isolation: isolated (any Actor)?
  ) async throws -> [OutboxEntry<Edit>] {
    try await store.entries(after: key, limit: limit, by: user)
  }

  func update(_ entry: OutboxEntry<Edit>, isolation: isolated (any Actor)?) async throws {
    try await store.update(entry, by: user)
  }

  func remove(_ key: String, isolation: isolated (any Actor)?) async throws -> Bool {
    try await store.remove(key, by: user)
  }

  func removeAll(isolation: isolated (any Actor)?) async throws { try await store.removeAll(by: user) }
}
