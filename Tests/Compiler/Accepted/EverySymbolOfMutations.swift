// SPDX-License-Identifier: MIT
// A client of every public symbol of mutations, and of those that an outbox keeps until they are sent.
// also with: -default-isolation MainActor
// also with: -enable-upcoming-feature NonisolatedNonsendingByDefault
// also with: -strict-memory-safety
// also with: -enable-upcoming-feature NonisolatedNonsendingByDefault -enable-upcoming-feature InferIsolatedConformances
// also with: -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility

import AsyncState

nonisolated struct Draft: Hashable, Sendable {
  var text = ""
  var topic = ""
}

/// What must not leave its actor.
nonisolated final class Sketch {
  var text = ""
}

nonisolated struct Refused: Error {}

nonisolated struct Forum: Sendable {
  func post(_ draft: Draft, key: String = "") async throws -> Int { draft.text.count }
}

@MainActor
final class Composer {
  private let forum = Forum()
  private let posts = AsyncResource { [Draft]() }
  private let board = AsyncTagBoard()

  private lazy var send = AsyncMutation(overlap: .queue) { [forum] (draft: Draft) in try await forum.post(draft) }
    .changing({ [posts] _ in posts }) { posts, draft in posts.append(draft) }
    .invalidating(board) { draft, number in number == nil ? [] : [AsyncTag("topic", draft.topic)] }
  private lazy var upload = AsyncMutation<Draft, Int>(
    overlap: .latest, options: LoadOptions(timeout: .seconds(60)), delay: .seconds(1)
  ) { [forum] draft, reporter in
    reporter.report(progress: 0.5)
    return try await forum.post(draft, key: reporter.idempotencyKey)
  }
  private let once = AsyncMutation<Draft, Int>(overlap: .automatic) { draft in try await Forum().post(draft) }
  private let votes = AsyncMutation<Draft, Int>(lane: { $0.topic }) { draft in try await Forum().post(draft) }
  private let sketches = AsyncMutation<Sketch, Sketch>(overlap: .queue) { sketch in sketch }
  private let texts = AsyncMutation { (text: String) in try await Forum().post(Draft(text: text)) }
  private var count = 0
  private lazy var counted = AsyncMutation<Draft, Int> { [unowned self] draft in
    count += 1
    return try await Forum().post(draft)
  }.changing({ [posts] _ in posts }) { posts, draft in posts.append(draft) }
  private let logOut = AsyncMutation { try await Forum().post(Draft()) }
  private let clear = AsyncMutation<Void, Int> { _, reporter in
    reporter.report(progress: 1)
    return try await Forum().post(Draft())
  }
  private lazy var create = AsyncMutation<Draft, Int> { draft, _ in try await Forum().post(draft) }
    .changing({ [posts] _ in posts }) {
      $0.append($1)
    } confirming: { posts, draft, number in
      posts.append(Draft(text: "\(number)", topic: draft.topic))
    }

  func tapped(_ draft: Draft) async throws -> Int {
    once.perform(draft)
    votes.perform(draft)
    create.perform(draft)
    logOut.perform()
    clear.perform()
    sketches.perform(Sketch())
    texts.perform(draft.text)
    counted.perform(draft)
    let task: MutationTask<Int> = upload.perform(draft)
    report(await task.outcome())
    if !upload.isRunning { task.cancel() }
    return try await send.perform(draft).get()
  }

  private func report(_ outcome: AsyncOutcome<Int>) {
    switch outcome {
    case .success(let number), .notRequested(let number): print(number)
    case .failure(let error): print(error)
    case .cancelled, .superseded: break
    }
  }

  func retryTapped() async throws -> Int? {
    try await send.retry()?.outcome().get()
  }

  func leave() {
    upload.cancel()
    votes.clear()
    once.reset()
    board.resetMutations()
  }

  var text: String { text(of: upload.status) }

  private func text(of status: MutationStatus<Draft, Int>) -> String {
    switch status {
    case .idle: "Send"
    case .delayed(let draft), .queued(let draft), .waitingForNetwork(let draft): draft.text
    case .sending(let draft, let progress): "\(draft.text): \(progress ?? 0)"
    case .retrying(let error, let draft): "\(draft.text), again after \(error)"
    case .succeeded(let number): "\(number)"
    case .failed(let error, let draft): "\(draft.text): \(error)"
    }
  }

  var details: String {
    """
    \(upload.output as Any) \(upload.error as Any) \(upload.isRunning) \(upload.progress as Any)
    \(upload.observed.current) \(upload.status.description) \(upload.status.isRunning)
    \(upload.status.output as Any) \(upload.status.error as Any)
    """
  }

  /// What a screen shares between its buttons.
  static let overlaps: [MutationOverlap] = [.automatic, .queue, .latest]
  static let overlap: MutationOverlap = .latest
}

/// Posts that are kept until they are sent.
@MainActor
final class OutgoingPosts {
  private let posts: AsyncOutbox<Draft, Int>
  private var tokens: [ObservedToken] = []

  init(store: any OutboxStore<Draft>, board: AsyncTagBoard, gate: LoadGate, forum: Forum) {
    let list = AsyncResource { [Draft]() }
    posts = AsyncOutbox(
      store: store, options: LoadOptions(retry: .exponential(), gate: gate), lane: { $0.topic },
      isPermanent: { error, attempts in error is Refused || attempts > 9 }
    ) { draft, reporter in try await forum.post(draft, key: reporter.idempotencyKey) }
    .changing({ _ in list }) { $0.append($1) }
    .changing({ _ in list }) {
      $0.append($1)
    } confirming: { list, draft, _ in
      list.append(draft)
    }
    .invalidating(board) { draft, number in number == nil ? [] : [AsyncTag("topic", draft.topic)] }
    .rewriting { answered, number in
      answered.text.isEmpty ? nil : { $0.topic == answered.topic ? Draft(text: "\(number)", topic: $0.topic) : nil }
    }
  }

  func start() async {
    tokens = [
      posts.observedState.observe { state in print(state.waitingCount, state.failedCount, state.description) },
      posts.observedEntries.observe { entries in print(entries.count) },
    ]
    let resumed: OutboxResumption = posts.resume()
    await resumed.restored()
    await resumed.finished()
  }

  func post(_ draft: Draft) async -> String {
    do {
      try await posts.perform(draft).accepted()
      return "kept"
    } catch OutboxError.notStored(let error) {
      return "\(error), \(OutboxError.notStored(error).description)"
    } catch is RequestInterruptedError {
      return RequestInterruptedError().description
    } catch OutboxError.closed {
      return "\(OutboxError.closed)"
    } catch {
      return "\(error)"
    }
  }

  func sendAgain() {
    for entry in posts.entries {
      switch entry.phase {
      case .storing, .queued, .waitingForNetwork, .sending: print(entry.id, entry.key, entry.input, entry.attempts)
      case .retrying: posts.retry(entry)
      case .failed:
        if case OutboxError.previous(let words)? = entry.error { print(words, OutboxError.previous(words)) }
        posts.discard(entry)
      @unknown default: break
      }
    }
    for entry in posts.state.unreadable {
      print(entry.key, entry.position, entry.reason)
      posts.discard(entry)
    }
  }

  func clean() async throws -> Bool {
    guard let entry = posts.entries.first else { return false }
    return try await posts.replace(entry, with: Draft(text: "other"))
  }

  func logOut() async throws { try await posts.discardAll() }

  /// What waits is for the next log-in.
  func leaveForNow() { posts.close() }

  /// A preview of what waits, and of what has failed.
  static var preview: (OutboxState, [OutboxEntry<Draft>]) {
    var state = OutboxState()
    state.waitingCount = 1
    state.failedCount = 1
    state.unreadable = [UnreadableEntry(key: "3", position: 3, reason: "another version")]
    state.error = OutboxError.notStored(Refused())
    let phase: OutboxEntry<Draft>.Phase = .failed
    return (
      state,
      [
        OutboxEntry(key: "1", input: Draft()),
        OutboxEntry(key: "2", input: Draft(), attempts: 3, phase: phase, error: Refused()),
      ]
    )
  }
}

/// A store of the client's own, on the actor of its outbox.
nonisolated final class Drawer: OutboxStore {
  let place = "a drawer"
  private var kept: [String: StoredEntry<Draft>] = [:]

  func entries(isolation: isolated (any Actor)?) async throws -> [Result<StoredEntry<Draft>, UnreadableEntry>] {
    kept.values.sorted { $0.position < $1.position }.map { entry in
      guard entry.input.text.isEmpty else { return .success(entry) }
      return .failure(UnreadableEntry(key: entry.key, position: entry.position, reason: entry.failure ?? "empty"))
    }
  }

  func save(
    _ entries: [StoredEntry<Draft>], removing keys: Set<String>, isolation: isolated (any Actor)?
  ) async throws {
    for entry in entries { kept[entry.key] = entry }
    for key in keys { kept[key] = nil }
  }

  func removeAll(isolation: isolated (any Actor)?) async throws { kept = [:] }
}

/// The same on an actor of a server.
actor Moderator {
  private let forum = Forum()
  private var count = 0

  private lazy var upload = AsyncMutation<Draft, Int>(isolation: self, overlap: .queue) { [forum] draft, reporter in
    try await forum.post(draft, key: reporter.idempotencyKey)
  }
  private lazy var texts = AsyncMutation(isolation: self) { (text: String) in try await Forum().post(Draft(text: text))
  }
  private lazy var kept = AsyncOutbox<Draft, Int>(
    isolation: self, store: Drawer(), isPermanent: { _, _ in false }
  ) { [forum] (draft, reporter: MutationReporter) in try await forum.post(draft, key: reporter.idempotencyKey) }

  func post(_ draft: Draft) async throws -> [Int] {
    let send = AsyncMutation<Draft, Int>(isolation: self) { draft in
      self.count += 1
      return try await self.forum.post(draft)
    }
    texts.perform(draft.text)
    return try await [send.perform(draft).get(), upload.perform(draft).get(), kept.perform(draft).get()]
  }
}
