// SPDX-License-Identifier: MIT
@testable import AsyncStateTesting

@testable import AsyncState

/// Outboxes, one after another, on a store in which each use waits, or works at once, beside what a person did. Where it works at
/// once, it is known after each command what is displayed, what is sent, and what waits for which reason.
final class SlowStoreComparison: Comparison {
  struct Setup {
    let width: Int
    let isPrompt: Bool
    let retries: Int
    /// What waits is displayed, so it is kept in memory.
    let isDisplayed: Bool
    /// At the end what pauses is retried, one by one, before `resume()`.
    let endsWithRetry: Bool
  }

  struct Refusal: Error {}

  typealias Outbox = AsyncOutbox<Edit, Int>

  /// A request at the server.
  @ModelActor
  private final class Request {
    let input: Edit
    let answer = Promise<Result<Int, any Error>>()
    let isGivenUp = Locked(false)
    let outbox: Int

    init(_ input: Edit, by outbox: Int) {
      self.input = input
      self.outbox = outbox
    }
  }

  private struct Handle {
    let task: MutationTask<Int>
    let id: Int
    let outbox: Int
  }

  static let name = "outbox"
  /// What has failed so often is set aside, where the store counts each attempt.
  private nonisolated static let attemptLimit = 4

  static func setup(using random: inout SeededGenerator) -> Setup {
    let isPrompt = Int.random(in: 0..<3, using: &random) == 0
    return Setup(
      width: Int.random(in: 1...3, using: &random), isPrompt: isPrompt,
      retries: isPrompt ? 0 : Int.random(in: 0...1, using: &random),
      isDisplayed: isPrompt || Bool.random(using: &random), endsWithRetry: Bool.random(using: &random))
  }
  static func command(using random: inout SeededGenerator) -> SlowStoreCommand { .random(using: &random) }
  static func simpler(than command: SlowStoreCommand) -> [SlowStoreCommand] { command.simpler }

  private let setup: Setup
  private let ledger = EditLedger()
  private let store: SlowStore
  private let gate: LoadGate
  private let rows: AsyncResource<[Int]>
  private var outbox: Outbox?
  /// The last one. A call that waits for the store keeps it alive.
  private weak var lastOutbox: Outbox?
  private var outboxCount = 0
  /// Something was performed with it, or it was resumed.
  private var isAwake = false
  private var requests: [Request] = []
  private var isPrompt = false
  /// The handles that a person has, of what has not ended.
  private var handles: [Int: Handle] = [:]
  private var handleCount = 0
  private var listed: [StoredEntry<Edit>] = []
  private var calls: [Task<Void, Never>] = []
  private var token: ObservedToken?
  private var placeAfterAnswer: Int?
  private var isAnswering = false
  // Where the store works at once.
  /// The deeds that pause, and those that are a reason for their lane to continue as soon as they are stored.
  private var paused: Set<Int> = []
  private var reasons: Set<Int> = []

  init(_ setup: Setup) {
    self.setup = setup
    store = SlowStore(ledger)
    if setup.isPrompt { store.usesLeft = .max }
    ledger.store = store
    gate = LoadGate(width: setup.width)
    rows = AsyncResource(isolation: ModelActor.shared) { .value { nil } }
    rows.data.value = []
  }

  /// - Returns: Nil if the former one is still in use.
  private func currentOutbox() -> Outbox? {
    if let outbox { return outbox }
    guard lastOutbox == nil else { return nil }
    outboxCount += 1
    isAwake = false
    let limit = setup.retries
    let outbox = Outbox(
      isolation: ModelActor.shared, store: SlowStoreUse(store, by: outboxCount),
      options: LoadOptions(
        retry: RetryPolicy { failed in failed.count > limit ? nil : .zero }, clock: ManualClock(), gate: gate),
      lane: { $0.lane },
      isPermanent: { [isPrompt = setup.isPrompt] error, attempts in
        error is Refusal || isPrompt && attempts >= Self.attemptLimit
      }
    ) { [weak self, outboxCount] input, request in
      try await self?.receive(input, request.idempotencyKey, by: outboxCount) ?? 0
    }
    .rewriting { answered, row in
      guard answered.isCreation else { return nil }
      return { $0.isCreation || $0.row != answered.row ? nil : Edit(number: $0.number, row: row, isCreation: false) }
    }
    if setup.isDisplayed { outbox.changing({ [rows] _ in rows }) { $0.append($1.number) } }
    token = outbox.observedState.observe { [weak self] _ in
      guard let self, isAnswering, let place = placeAfterAnswer.take(), let outbox = self.outbox else { return }
      perform(.perform(place, keepsHandle: true), outbox)
    }
    self.outbox = outbox
    lastOutbox = outbox
    store.requested = { [weak outbox] in
      var inputs: Set<Edit> = []
      _ = outbox?.request {
        inputs.insert($0)
        return false
      }
      return inputs
    }
    return outbox
  }

  // MARK: The server

  private func receive(_ input: Edit, _ key: String, by outbox: Int) async throws -> Int {
    ledger.arrives(input, key: key)
    let request = Request(input, by: outbox)
    if isPrompt {
      ledger.isAnswered(input, by: outbox)
    } else {
      requests.append(request)
      let isGivenUp = request.isGivenUp
      return try await withTaskCancellationHandler {
        await ModelActor.stay { await request.answer.wait() }
      } onCancel: {
        isGivenUp.withLock { $0 = true }
      }.get()
    }
    return Edit.answer(to: input.row)
  }

  private func answer(_ request: Request, _ answer: SlowStoreCommand.Answer) {
    requests.removeAll { $0 === request }
    let isGivenUp = request.isGivenUp.withLock { $0 }
    // The server knows by the key what it has done, and refuses nothing of that.
    let isDone = ledger.wasAnswered(request.input.number)
    isAnswering = true
    switch answer {
    case .failure:
      if setup.isPrompt, !isGivenUp { fails(request.input) }
      request.answer.keep(.failure(Failure()))
    case .refusal where !isDone:
      if !isGivenUp { ledger.forbids(request.input) }
      request.answer.keep(.failure(Refusal()))
    case .success, .refusal:
      if !isGivenUp {
        // What it rewrites continues.
        if request.input.isCreation { paused.subtract(deeds(in: request.input.lane)) }
        ledger.isAnswered(request.input, by: request.outbox)
      }
      request.answer.keep(.success(Edit.answer(to: request.input.row)))
    }
  }

  private func fails(_ input: Edit) {
    if ledger.sendingCount(input.number) >= Self.attemptLimit {
      ledger.forbids(input)
    } else if let deed = ledger.identity(of: input) {
      paused.insert(deed)
    }
  }

  private func deeds(in lane: String) -> Set<Int> {
    Set(store.entries.filter { $0.input.lane == lane }.compactMap { ledger.identity(of: $0.input) })
  }

  // MARK: Commands

  func perform(_ command: SlowStoreCommand) async -> String? {
    await make(command)
    isAnswering = false
    return ledger.fault ?? (setup.isPrompt ? difference : nil)
  }

  private func make(_ command: SlowStoreCommand) async {
    switch command {
    case .goOn(let end, let times):
      for _ in 0..<times where store.goOn(end) { await settle() }
    case .answer(let place, let answer):
      if !requests.isEmpty { self.answer(requests[place % requests.count], answer) }
    case .cancel(let place):
      let open = handles.keys.sorted()
      guard !open.isEmpty else { break }
      let handle = handles[open[place % open.count]]!
      ledger.takeBack(open[place % open.count], by: handle.outbox)
      handle.task.cancel()
    case .list: listed = store.entries
    case .performAfterAnswer(let place): placeAfterAnswer = place
    case .toggleGate:
      if gate.isOpen { gate.close() } else { gate.open() }
      if gate.isOpen { paused = [] }
    case .release:
      (outbox, token) = (nil, nil)
      guard setup.isPrompt else { break }
      await settle()
      ledger.restarts()
      paused = []
      if let outbox = currentOutbox() { perform(.resume, outbox) }
    default: if let outbox = currentOutbox() { perform(command, outbox) }
    }
    await settle()
  }

  private func perform(_ command: SlowStoreCommand, _ outbox: Outbox) {
    switch command {
    case .perform(let place, let keepsHandle):
      let rows = ledger.rows(for: outboxCount)
      let input = ledger.nextInput(place.map { rows[$0 % rows.count] })
      ledger.perform(input)
      reasons.insert(input.number)
      isAwake = true
      let handle = outbox.perform(input, isolation: ModelActor.shared)
      if keepsHandle { follow(input, handle) }
    case .discard(let place):
      guard let entry = entry(place) else { break }
      ledger.takeBack(entry.input.number, by: outboxCount)
      outbox.discard(entry)
    case .replace(let place): if let entry = entry(place) { replace(entry, outbox) }
    case .discardAll:
      call { [ledger, outboxCount] in
        ledger.takeBackAll(by: outboxCount)
        try? await outbox.discardAll(isolation: ModelActor.shared)
      }
    case .retry: retry(outbox)
    case .retryAside(let place):
      let aside = outbox.entries.filter { $0.phase == .failed }
      guard !aside.isEmpty else { break }
      let input = aside[place % aside.count].input
      ledger.performAgain(input.number)
      if let deed = ledger.identity(of: input) { reasons.insert(deed) }
      if let handle = outbox.retry(aside[place % aside.count]) { follow(input, handle) }
    case .resume:
      isAwake = true
      paused = []
      call { await outbox.resume(isolation: ModelActor.shared).restored(isolation: ModelActor.shared) }
    default: break
    }
  }

  /// In a task that prefers no executor: its first call begins in the turn in which it is made.
  private func call(_ body: @escaping @ModelActor () async -> Void) { calls.append(Task { await body() }) }

  /// One that is in the store, or was when a person looked.
  private func entry(_ place: Int) -> OutboxEntry<Edit>? {
    let entries = store.entries + listed
    if entries.isEmpty { return nil }
    let entry = entries[place % entries.count]
    return OutboxEntry(key: entry.key, input: entry.input)
  }

  private func retry(_ outbox: Outbox) {
    if gate.isOpen { paused = [] }
    for entry in outbox.entries where entry.phase == .retrying {
      if let handle = outbox.retry(entry) { follow(entry.input, handle) }
    }
  }

  private func replace(_ entry: OutboxEntry<Edit>, _ outbox: Outbox) {
    let rows = ledger.rows(for: outboxCount)
    // By the identity that a person can know by now.
    guard !entry.input.isCreation,
      let row = [entry.input.row, Edit.answer(to: entry.input.row)].first(where: rows.contains)
    else { return }
    let input = ledger.nextInput(row)
    ledger.propose(input, for: entry.input.number)
    call { [ledger] in
      let isReplaced = try? await outbox.replace(entry, with: input, isolation: ModelActor.shared)
      ledger.replaced(by: input, isReplaced)
    }
  }

  private func follow(_ input: Edit, _ handle: MutationTask<Int>) {
    handleCount += 1
    let number = input.number
    let id = handleCount
    handles[number] = Handle(task: handle, id: id, outbox: outboxCount)
    ModelActor.task { [weak self] in
      let outcome = await handle.outcome(isolation: ModelActor.shared)
      guard let self else { return }
      switch outcome {
      case .success, .notRequested:
        if !ledger.wasAnswered(number) { ledger.note("\(number) has ended without an answer") }
      case .failure: if setup.isPrompt, !ledger.isForbidden(number) { ledger.note("\(number) has failed") }
      case .cancelled, .superseded:
        if setup.isPrompt, outbox != nil, handles[number]?.outbox == outboxCount, !ledger.hasEnded(number) {
          ledger.note("\(number) is cancelled, and no one has done that")
        }
      }
      if handles[number]?.id == id { handles[number] = nil }
    }
  }

  /// Lets all go on that can. A task of the library may come back by another thread: that decides how alike two runs of a
  /// sequence are, and nothing else.
  private func settle() async {
    for _ in 0..<2 {
      await ModelActor.idle()
      await Task.detached {}.value
    }
    await ModelActor.idle()
    guard setup.isPrompt, let outbox = outbox?.outbox else { return }
    for call in calls { await call.value }
    calls = []
    // Until what can be sent now is.
    await outbox.waiters.wait(
      until: {
        !outbox.isWorking
          && outbox.active.values.allSatisfy { !outbox.gate.isOpen || $0.place?.isAtWork == true }
      }, isolation: ModelActor.shared)
    await ModelActor.idle()
  }

  /// What must be after each command, where the store works at once.
  private var difference: String? {
    guard let outbox else { return nil }
    let sending = requests.filter { request in request.outbox == outboxCount && !request.isGivenUp.withLock { $0 } }
    let sent = Set(sending.compactMap { ledger.identity(of: $0.input) })
    let (shown, expected) = (ledger.byRow(rows.value ?? []), ledger.shown(sent: sent))
    if shown != expected { return "displays by row \(shown), expected \(expected)" }
    if let open = handles.first(where: { ledger.hasEnded($0.key) || $0.value.outbox != outboxCount }) {
      return "the handle of \(open.key) has not ended"
    }
    guard isAwake else { return nil }
    for reason in reasons {
      paused.subtract(
        store.entries.first { ledger.identity(of: $0.input) == reason }.map { deeds(in: $0.input.lane) } ?? [])
    }
    reasons = []
    let (entries, stored) = (outbox.entries, store.entries)
    if entries.map(\.key) != stored.map(\.key) || entries.map(\.attempts) != stored.map(\.attempts) {
      return "the outbox has \(entries), and the store \(stored)"
    }
    // The lanes in which an input is sent, pauses, or waits.
    var blocked = Set(
      entries.filter { isPaused($0) || ledger.identity(of: $0.input).map(sent.contains) == true }.map(\.input.lane))
    for entry in entries {
      let phase: OutboxEntry<Edit>.Phase =
        ledger.isForbidden(entry.input.number)
        ? .failed
        : ledger.identity(of: entry.input).map(sent.contains) == true
          ? .sending : !gate.isOpen ? .waitingForNetwork : isPaused(entry) ? .retrying : .queued
      if entry.phase != phase { return "\(entry.input) is \(entry.phase), expected \(phase)" }
      if phase == .queued, sending.count < setup.width, !blocked.contains(entry.input.lane) {
        return "\(entry.input) waits without a reason"
      }
      if phase == .queued { blocked.insert(entry.input.lane) }
    }
    let failedCount = entries.count { $0.phase == .failed }
    let state = outbox.state
    return state.failedCount == failedCount && state.waitingCount == entries.count - failedCount ? nil : "\(state)"
  }

  private func isPaused(_ entry: OutboxEntry<Edit>) -> Bool {
    ledger.identity(of: entry.input).map(paused.contains) == true
  }

  // MARK: The end

  /// The store and the server work, and the gate is open: all is sent, or set aside.
  func finish() async -> String? {
    let end = Promise<String?>()
    store.usesLeft = 60 * (ledger.deeds.count + 5)
    store.didTurnEndlessly = { end.keep("the store is used endlessly") }
    ModelActor.task { [self] in end.keep(await rest()) }
    let reason = await end.wait()
    return ledger.fault ?? reason
  }

  private func rest() async -> String? {
    isPrompt = true
    gate.open()
    while let request = requests.first { answer(request, .success) }
    _ = store.goOn(.succeeds)
    for call in calls { await call.value }
    await settle()
    guard let outbox = currentOutbox() else { return "a released outbox is kept" }
    if setup.endsWithRetry, isAwake { retry(outbox) }
    // Each is a reason for every lane to continue: for what has failed before, and since.
    for _ in 0..<2 {
      await outbox.resume(isolation: ModelActor.shared).restored(isolation: ModelActor.shared)
      await outbox.untilSettled(isolation: ModelActor.shared)
    }
    await ModelActor.idle()
    let (state, shown) = (outbox.state, outbox.entries)
    self.outbox = nil
    await settle()
    if let open = handles.keys.min() { return "the handle of \(open) has not ended" }
    return ledger.difference(store.entries, state, shown)
  }
}
