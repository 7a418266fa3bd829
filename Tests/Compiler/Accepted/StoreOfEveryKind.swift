// SPDX-License-Identifier: MIT
// Stores that are a struct, a class, an actor, and a class of the main actor.
// also with: -default-isolation MainActor
// also with: -enable-upcoming-feature NonisolatedNonsendingByDefault
// also with: -strict-memory-safety

import AsyncState

nonisolated struct Note: Hashable, Sendable {
  var text = ""
}

/// Leaves the caller's actor for each call.
actor Disk {
  private var files: [Int: StoredValue<Note>] = [:]

  func file(_ key: Int) -> StoredValue<Note>? { files[key] }
  func write(_ stored: [Int: StoredValue<Note>], removing keys: Set<Int>) {
    files.merge(stored) { $1 }
    for key in keys { files[key] = nil }
  }
  func removeAll() { files = [:] }
}

nonisolated struct StructStore: ValueStore {
  let disk = Disk()

  func read(_ key: Int, isolation: isolated (any Actor)?) async throws -> StoredValue<Note>? { await disk.file(key) }
  func save(
    _ values: [Int: StoredValue<Note>], removing keys: Set<Int>, isolation: isolated (any Actor)?
  ) async throws {
    await disk.write(values, removing: keys)
  }
  func removeAll(isolation: isolated (any Actor)?) async throws { await disk.removeAll() }
}

/// With values and keys that must not leave the actor of the family.
nonisolated final class ClassStore<Key: Hashable, Value>: ValueStore {
  private var values: [Key: StoredValue<Value>] = [:]

  func peek(_ key: Key) -> StoredValue<Value>? { values[key] }
  func read(_ key: Key, isolation: isolated (any Actor)?) async throws -> StoredValue<Value>? { values[key] }
  func save(
    _ stored: [Key: StoredValue<Value>], removing keys: Set<Key>, isolation: isolated (any Actor)?
  ) async throws {
    values.merge(stored) { $1 }
    for key in keys { values[key] = nil }
  }
  func markStale(_ keys: Set<Key>, isolation: isolated (any Actor)?) async throws {
    for key in keys { values[key]?.isInvalidated = true }
  }
  func removeAll(isolation: isolated (any Actor)?) async throws { values = [:] }
}

actor ActorStore: ValueStore {
  private var values: [Int: StoredValue<Note>] = [:]

  private func set(_ stored: [Int: StoredValue<Note>], removing keys: Set<Int>) {
    values.merge(stored) { $1 }
    for key in keys { values[key] = nil }
  }
  private func value(for key: Int) -> StoredValue<Note>? { values[key] }
  private func clear() { values = [:] }

  func read(_ key: Int, isolation: isolated (any Actor)?) async throws -> StoredValue<Note>? {
    await value(for: key)
  }
  func save(
    _ stored: [Int: StoredValue<Note>], removing keys: Set<Int>, isolation: isolated (any Actor)?
  ) async throws {
    await set(stored, removing: keys)
  }
  func removeAll(isolation: isolated (any Actor)?) async throws { await clear() }
}

@MainActor
final class MainActorStore: ValueStore {
  private var values: [Int: StoredValue<Note>] = [:]

  func read(_ key: Int, isolation: isolated (any Actor)?) async throws -> StoredValue<Note>? {
    await value(for: key)
  }
  func save(
    _ stored: [Int: StoredValue<Note>], removing keys: Set<Int>, isolation: isolated (any Actor)?
  ) async throws {
    await set(stored, removing: keys)
  }
  func removeAll(isolation: isolated (any Actor)?) async throws { await clear() }

  private func set(_ stored: [Int: StoredValue<Note>], removing keys: Set<Int>) {
    values.merge(stored) { $1 }
    for key in keys { values[key] = nil }
  }
  private func value(for key: Int) -> StoredValue<Note>? { values[key] }
  private func clear() { values = [:] }
}

/// An outbox in an actor.
actor Queue: OutboxStore {
  nonisolated var place: String { "a queue" }
  private var kept: [StoredEntry<Note>] = []

  private func change(_ body: @Sendable (inout [StoredEntry<Note>]) -> Void) { body(&kept) }
  private func entries() -> [StoredEntry<Note>] { kept }

  func entries(isolation: isolated (any Actor)?) async throws -> [Result<StoredEntry<Note>, UnreadableEntry>] {
    await entries().sorted { $0.position < $1.position }.map { .success($0) }
  }
  func save(
    _ entries: [StoredEntry<Note>], removing keys: Set<String>, isolation: isolated (any Actor)?
  ) async throws {
    await change { kept in
      kept.removeAll { entry in keys.contains(entry.key) || entries.contains { $0.key == entry.key } }
      kept += entries
    }
  }
  func removeAll(isolation: isolated (any Actor)?) async throws { await change { $0 = [] } }
}

@MainActor
func families() -> [AsyncFamily<Int, Note>] {
  [
    AsyncFamily(store: StructStore()) { _ in Note() },
    AsyncFamily(store: ClassStore()) { _ in Note() },
    AsyncFamily(store: ActorStore()) { _ in Note() },
    AsyncFamily(store: MainActorStore()) { _ in Note() },
  ]
}

@MainActor
func outgoing(_ store: Queue) -> AsyncOutbox<Note, Int> {
  AsyncOutbox(store: store, isPermanent: { _, _ in false }) { note, _ in note.text.count }
}
