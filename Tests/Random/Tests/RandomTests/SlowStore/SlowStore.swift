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

  private(set) var entries: [StoredEntry<Edit>] = []
  /// The keys whose removal has failed, and that are still here.
  private(set) var unremoved: Set<String> = []
  /// The keys of those that wait here, and could not be set aside.
  private var untoldAside: Set<String> = []
  /// A use by the present outbox has failed.
  private var hasFailed = false
  /// Uses do not wait any more, and none fails. So many of them may follow.
  var usesLeft: Int?
  /// Called when more uses have followed.
  var didTurnEndlessly: () -> Void = {}
  /// No other store has it: an address may be used again.
  let place: String
  private static var count = 0
  private let ledger: EditLedger
  /// The inputs that have a request by now.
  var requested: () -> Set<Edit> = { [] }
  private var formerlyRequested: Set<Int> = []
  private var waiting: Promise<End>?
  /// What is being done.
  private(set) var use: String?
  private var lastUser = 0

  init(_ ledger: EditLedger) {
    self.ledger = ledger
    Self.count += 1
    place = "slow store \(Self.count)"
  }

  func entry(_ key: String) -> StoredEntry<Edit>? { entries.first { $0.key == key } }

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
      ledger.begins(user, with: entries, unremoved: unremoved, aside: untoldAside, hasFailed: hasFailed)
      hasFailed = false
    }
    lastUser = max(lastUser, user)
    noteRequested()
    use = "\(name) of outbox \(user)"
    defer { use = nil }
    let end = await end()
    noteRequested()
    switch end {
    case .succeeds: return change(false)
    case .fails: break
    case .failsLate: _ = change(true)
    }
    hasFailed = true
    ledger.useHasFailed()
    throw Broken()
  }

  private func noteRequested() {
    // A request whose input is replaced, or put back, is the same one.
    let requested = Set(requested().compactMap { ledger.identity(of: $0) })
    for deed in requested.subtracting(formerlyRequested) { ledger.isChosen(deed) }
    formerlyRequested = requested
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

  func all(by user: Int) async throws -> [StoredEntry<Edit>] {
    do {
      return try await use("entries", by: user) { _ in entries }
    } catch {
      // What was discarded before it could be read.
      unremoved.formUnion(entries.map(\.key))
      throw error
    }
  }

  func save(_ saved: [StoredEntry<Edit>], removing keys: Set<String>, by user: Int) async throws {
    do {
      let name = "save of \(saved.map(\.input)), without \(entries.filter { keys.contains($0.key) }.map(\.input))"
      try await use(name, by: user) { throwing in
        take(entries.filter { keys.contains($0.key) })
        for entry in saved { write(entry, throwing: throwing) }
        entries.sort { $0.position < $1.position }
      }
    } catch {
      for entry in saved where entry.attempts > self.entry(entry.key)?.attempts ?? .max {
        ledger.isNotCounted(entry.input)
      }
      unremoved.formUnion(keys.filter { entry($0) != nil })
      for entry in saved where entry.failure != nil && self.entry(entry.key)?.failure == nil {
        untoldAside.insert(entry.key)
        ledger.isNotSetAside(entry.input)
      }
      throw error
    }
  }

  private func write(_ entry: StoredEntry<Edit>, throwing: Bool) {
    guard let index = entries.firstIndex(where: { $0.key == entry.key }) else {
      entries.append(entry)
      if !throwing { isStored(entry) }
      return
    }
    let former = entries[index]
    untoldAside.remove(entry.key)
    entries[index] = entry
    if throwing { return }
    // It was stored by a call that threw.
    if entry.failure == nil, former.failure == nil { ledger.isStored(entry, isNew: false) }
    if entry.failure == nil, former.failure != nil || !ledger.isBeingCounted(entry) { ledger.isPutBack(entry) }
  }

  private func isStored(_ entry: StoredEntry<Edit>) {
    ledger.isStored(entry, isNew: true)
    ledger.isPutBack(entry)
  }

  func removeAll(by user: Int) async throws {
    do {
      try await use("removeAll", by: user) { _ in take(entries) }
    } catch {
      unremoved.formUnion(entries.map(\.key))
      throw error
    }
  }

  private func take(_ removed: [StoredEntry<Edit>]) {
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

  var place: String { store.place }

  func entries(isolation: isolated (any Actor)?) async throws -> [Result<StoredEntry<Edit>, UnreadableEntry>] {
    try await store.all(by: user).map { .success($0) }
  }

  func save(
    _ entries: [StoredEntry<Edit>], removing keys: Set<String>, isolation: isolated (any Actor)?
  ) async throws {
    try await store.save(entries, removing: keys, by: user)
  }

  func removeAll(isolation: isolated (any Actor)?) async throws { try await store.removeAll(by: user) }
}
