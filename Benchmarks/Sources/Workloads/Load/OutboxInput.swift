// SPDX-License-Identifier: MIT
import AsyncState

/// An input of an outbox, from `perform` to its answer: it is stored, counted, sent, and removed.
final class OutboxInput: Work {
  private var outbox: AsyncOutbox<Int, Int>?
  private let tally = Tally()

  func run(_ count: Int, on home: isolated any Actor) async {
    let outbox = self.outbox ?? make(on: home)
    self.outbox = outbox
    for turn in 0..<count {
      if case .success(let output) = await outbox.perform(turn).outcome() { tally.add(output) }
    }
  }

  private func make(on home: isolated any Actor) -> AsyncOutbox<Int, Int> {
    AsyncOutbox(isolation: home, store: PlainStore(), isPermanent: { _, _ in false }) {
      (input: Int, _: MutationReporter) in input
    }
  }
}

/// A store in memory that does nothing else.
private final class PlainStore: OutboxStore {
  private var stored: [String: StoredEntry<Int>] = [:]

  var place: String { "memory" }

  func entries(isolation: isolated (any Actor)?) async throws -> [Result<StoredEntry<Int>, UnreadableEntry>] {
    stored.values.sorted { $0.position < $1.position }.map { .success($0) }
  }

  func save(
    _ entries: [StoredEntry<Int>], removing keys: Set<String>, isolation: isolated (any Actor)?
  ) async throws {
    for key in keys { stored[key] = nil }
    for entry in entries { stored[entry.key] = entry }
  }

  func removeAll(isolation: isolated (any Actor)?) async throws { stored = [:] }
}
