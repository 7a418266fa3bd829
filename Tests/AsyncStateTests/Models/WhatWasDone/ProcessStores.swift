// SPDX-License-Identifier: MIT
import AsyncStateTesting

@testable import AsyncState

/// A store of values as one process uses it.
final class ProcessValueStore: ValueStore {
  private let store: MemoryStore<Int, [Int]>
  private let process: AppProcess

  init(_ store: MemoryStore<Int, [Int]>, _ process: AppProcess) {
    self.store = store
    self.process = process
  }

  private func use() throws {
    if !process.isAlive { throw LostRequest() }
  }

  func read(_ key: Int, isolation: isolated (any Actor)?) async throws -> StoredValue<[Int]>? {
    try use()
    return try await store.read(key, isolation: isolation)
  }

  func save(
    _ values: [Int: StoredValue<[Int]>], removing keys: Set<Int>, isolation: isolated (any Actor)?
  ) async throws {
    try use()
    try await store.save(values, removing: keys, isolation: isolation)
  }

  func removeAll(isolation: isolated (any Actor)?) async throws {
    try use()
    try await store.removeAll(isolation: isolation)
  }
}

/// A store of an outbox as one process uses it.
final class ProcessOutboxStore: OutboxStore {
  /// One for each process: a process that has ended uses nothing any more.
  var place: String { "\(store.place), process \(process.number)" }
  private let store: MemoryOutboxStore<SentInput>
  private let process: AppProcess

  init(_ store: MemoryOutboxStore<SentInput>, _ process: AppProcess) {
    self.store = store
    self.process = process
  }

  private func use() throws {
    if !process.isAlive { throw LostRequest() }
  }

  func entries(
    isolation: isolated (any Actor)?
  ) async throws -> [Result<StoredEntry<SentInput>, UnreadableEntry>] {
    try use()
    return try await store.entries(isolation: isolation)
  }

  func save(
    _ entries: [StoredEntry<SentInput>], removing keys: Set<String>, isolation: isolated (any Actor)?
  ) async throws {
    try use()
    try await store.save(entries, removing: keys, isolation: isolation)
  }

  func removeAll(isolation: isolated (any Actor)?) async throws {
    try use()
    try await store.removeAll(isolation: isolation)
  }
}
