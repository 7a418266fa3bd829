// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

/// An outbox whose store throws after its work, or does nothing in a task that was cancelled, as that of a database.
@Suite("17 Outbox: stores that throw after their work, or in a cancelled task", .timeLimit(.minutes(5)))
@MainActor
struct OddStoreTests {
  final class OddStore: OutboxStore {
    let base = MemoryOutboxStore<String>()
    var throwsAfterUpdates = false
    var place: String { base.place }

    func append(_ entry: OutboxEntry<String>, isolation: isolated (any Actor)?) async throws {
      try Task.checkCancellation()
      try await base.append(entry, isolation: isolation)
    }

    func first(besides lanes: Set<String>, isolation: isolated (any Actor)?) async throws -> OutboxEntry<String>? {
      try Task.checkCancellation()
      return try await base.first(besides: lanes, isolation: isolation)
    }

    func entries(
      after key: String?, limit: Int, isolation: isolated (any Actor)?
    ) async throws -> [OutboxEntry<String>] {
      try Task.checkCancellation()
      return try await base.entries(after: key, limit: limit, isolation: isolation)
    }

    func update(_ entry: OutboxEntry<String>, isolation: isolated (any Actor)?) async throws {
      try Task.checkCancellation()
      try await base.update(entry, isolation: isolation)
      if throwsAfterUpdates { throw Failure() }
    }

    func remove(_ key: String, isolation: isolated (any Actor)?) async throws -> Bool {
      try Task.checkCancellation()
      return try await base.remove(key, isolation: isolation)
    }

    func removeAll(isolation: isolated (any Actor)?) async throws {
      try Task.checkCancellation()
      try await base.removeAll(isolation: isolation)
    }
  }

  let store = OddStore()
  let server = Gate<String>()

  /// Inputs are a verb and the identity of a row, which is the lane. The answer to a creation is the row's identity.
  private func edits() -> AsyncOutbox<String, String> {
    AsyncOutbox<String, String>(
      store: store, lane: { $0.split(separator: " ").last.map(String.init) ?? "" },
      isPermanent: { error, _ in error is OutboxStage.Refusal }
    ) { [server] input, _ in try await server.wait(for: input) }
    .rewriting { input, identity in
      input == "create tmp" ? { $0.hasSuffix(" tmp") ? $0.dropLast(3) + identity : nil } : nil
    }
  }

  @Test("17.12, 17.13 an attempt that was counted and not made is none, also in a store that heeds a cancellation")
  func cancelledCount() async throws {
    let updates = Gate<Void>(ignoresCancellation: true)
    store.base.updates = updates
    let send = edits()
    send.perform("rename 1")
    await updates.arrived(1)
    send.close()
    store.base.updates = nil
    updates.answer(call: 1, with: .success(()))
    await send.settled()
    #expect(store.base.entries.map(\.attempts) == [0] && server.callCount == 0)
  }

  @Test("17.14 an input that is set aside is rewritten by an answer, also where its retry was stored and refused")
  func refusedRetry() async throws {
    let send = edits()
    for call in 1...2 { server.answer(call: call, with: .failure(OutboxStage.Refusal())) }
    send.perform("create tmp")
    send.perform("rename tmp")
    await send.settled()
    let create = try #require(send.state.setAside.first { $0.input == "create tmp" })
    let rename = try #require(send.state.setAside.first { $0.input == "rename tmp" })
    send.retry(create)
    await server.arrived(3)
    store.throwsAfterUpdates = true
    guard case .failure = await send.retry(rename)?.outcome() else { return #expect(Bool(false)) }
    store.throwsAfterUpdates = false
    server.answer(call: 3, with: .success("7"))
    await send.settled()
    let present = try #require(send.state.setAside.first)
    #expect(present.input == "rename 7" && store.base.entries.map(\.input) == ["rename 7"])
    server.answer(call: 4, with: .success(""))
    await send.retry(rename)?.outcome()
    await send.settled()
    #expect(server.arguments(as: String.self) == ["create tmp", "rename tmp", "create tmp", "rename 7"])
    #expect(store.base.count == 0)
  }
}
