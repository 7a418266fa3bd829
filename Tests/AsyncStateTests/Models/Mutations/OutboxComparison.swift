// SPDX-License-Identifier: MIT
import AsyncStateTesting

@testable import AsyncState

/// An outbox with its gate, beside its model. Its store works: `Tests/OutboxTable` and the slow store are about others.
final class OutboxComparison: Comparison {
  struct Setup: CustomStringConvertible {
    let width: Int
    var description: String { "width \(width)" }
  }

  struct Refusal: Error {}

  private final class Call {
    let number: Int
    let request: Task<Void, Never>?
    let continuation: CheckedContinuation<Result<Int, any Error>, Never>

    init(
      _ number: Int, _ request: Task<Void, Never>?, _ continuation: CheckedContinuation<Result<Int, any Error>, Never>
    ) {
      self.number = number
      self.request = request
      self.continuation = continuation
    }

    /// Answers, and waits until that has had its effect.
    @ModelActor func answer(_ result: Result<Int, any Error>) async {
      continuation.resume(returning: result)
      await request?.value
      await ModelActor.idle()
    }
  }

  static let name = "outbox"

  static func setup(using random: inout SeededGenerator) -> Setup {
    Setup(width: Int.random(in: 1...3, using: &random))
  }
  static func command(using random: inout SeededGenerator) -> OutboxCommand { .random(using: &random) }
  static func simpler(than command: OutboxCommand) -> [OutboxCommand] {
    if case .answer(let place, .refusal) = command { [.answer(place, .failure)] } else { [] }
  }

  private var model: OutboxModel
  private let store = MemoryOutboxStore<Int>()
  private let gate: LoadGate
  private let list: AsyncResource<[Int]>
  private var send: AsyncOutbox<Int, Int>?
  private var token: ObservedToken?
  private var tasks: [Int: MutationTask<Int>] = [:]
  private var ends: [Int: OutboxModel.End] = [:]
  private var calls: [Call] = []
  private var sent: [Int] = []
  /// The keys that each input was sent with.
  private var keys: [Int: Set<String>] = [:]
  private var count = 0
  private var laneAfterSuccess: Int?
  private var isAnswering = false

  init(_ setup: Setup) {
    model = OutboxModel(width: setup.width)
    gate = LoadGate(width: setup.width)
    list = AsyncResource(isolation: ModelActor.shared) { .value { nil } }
    list.data.value = []
    make()
  }

  private func make() {
    let send = AsyncOutbox<Int, Int>(
      isolation: ModelActor.shared, store: store, options: LoadOptions(clock: ManualClock(), gate: gate),
      lane: { "\($0 % 10)" },
      isPermanent: { error, attempts in error is Refusal || attempts >= OutboxModel.attemptLimit }
    ) { [weak self] number, request in
      try await self?.receive(number, request.idempotencyKey) ?? 0
    }
    .changing({ [list] _ in list }) { $0.append($1) }
    .rewriting { answered, _ in
      guard OutboxModel.rewrites(answered) else { return nil }
      return { $0 < OutboxModel.identity ? $0 + OutboxModel.identity : nil }
    }
    self.send = send
    token = send.observedState.observe { [weak self] _ in
      guard let self, isAnswering, let lane = laneAfterSuccess else { return }
      laneAfterSuccess = nil
      perform(lane)
    }
  }

  private func receive(_ number: Int, _ key: String) async throws -> Int {
    keys[number, default: []].insert(key)
    sent.append(number)
    let request = send?.request { $0 == number }
    return try await withCheckedContinuation {
      calls.append(Call(number, request, $0))
    }.get()
  }

  /// An input's last digit is its lane.
  private func perform(_ lane: Int) {
    count += 10
    let number = count + lane
    if let task = send?.perform(number, isolation: ModelActor.shared) { follow(task, number) }
    model.perform(number, lane: lane)
  }

  private func follow(_ task: MutationTask<Int>, _ number: Int) {
    tasks[number] = task
    ends[number] = .open
    ModelActor.task { [weak self] in
      let end: OutboxModel.End =
        switch await task.outcome(isolation: ModelActor.shared) {
        case .success, .notRequested: .success
        case .failure: .failure
        case .cancelled, .superseded: .cancelled
        }
      self?.setEnd(of: number, end)
    }
  }

  /// - Parameter number: The input as it was performed.
  private func setEnd(of number: Int, _ end: OutboxModel.End) {
    var name = number
    while let next = model.names[name] {
      ends[name] = nil
      name = next
    }
    ends[name] = end
  }

  /// Handles are those of what was made of their inputs.
  private func rename() {
    for (number, name) in model.names where number != name {
      if let task = tasks.removeValue(forKey: number) { tasks[name] = task }
      if let end = ends.removeValue(forKey: number) { ends[name] = end }
    }
  }

  func perform(_ command: OutboxCommand) async -> String? {
    switch command {
    case .perform(let lane): perform(lane)
    case .performAfterSuccess(let lane): laneAfterSuccess = lane
    case .answer(let place, let answer):
      guard !model.sending.isEmpty else { break }
      await self.answer(model.sending[place % model.sending.count], answer)
    case .cancel(let place):
      let open = model.ends.filter { $0.value == .open }.keys.sorted()
      guard !open.isEmpty else { break }
      model.cancel(open[place % open.count])
      tasks[open[place % open.count]]?.cancel()
    case .resume:
      await send?.resume(isolation: ModelActor.shared).restored(isolation: ModelActor.shared)
      model.wake()
    case .toggleGate:
      model.isOpen.toggle()
      if model.isOpen { model.wake() }
      if model.isOpen { gate.open() } else { gate.close() }
    case .retry(let place):
      guard let aside = send?.entries.filter({ $0.phase == .failed }), !aside.isEmpty else { break }
      let entry = aside[place % aside.count]
      if let task = send?.retry(entry) { follow(task, entry.input) }
      model.retry(entry.input)
    case .discard(let place):
      guard let entry = any(place) else { break }
      model.discard(entry.input)
      send?.discard(entry)
    case .replace(let place):
      guard let entry = any(place) else { break }
      count += 10
      let input = count + entry.input % 10
      model.replace(entry.input, by: input)
      _ = try? await send?.replace(entry, with: input, isolation: ModelActor.shared)
    case .discardAll:
      model.discardAll()
      try? await send?.discardAll(isolation: ModelActor.shared)
    case .restart: await restart()
    }
    await ModelActor.idle()
    await sent(by: send)
    model.pump()
    rename()
    await answerLate()
    return difference
  }

  /// Suspends until what can be sent now is, in tasks of the library that leave the actor for a moment.
  private func sent(by send: AsyncOutbox<Int, Int>?) async {
    guard let outbox = send?.outbox else { return }
    await outbox.waiters.wait(
      until: {
        !outbox.isWorking
          && outbox.active.values.allSatisfy { !outbox.gate.isOpen || $0.place?.isAtWork == true }
      }, isolation: ModelActor.shared)
    await ModelActor.idle()
  }

  private func any(_ place: Int) -> OutboxEntry<Int>? {
    guard let entries = send?.entries, !entries.isEmpty else { return nil }
    return entries[place % entries.count]
  }

  private func answer(_ number: Int, _ answer: OutboxCommand.Answer) async {
    guard let index = calls.lastIndex(where: { $0.number == number }) else { return }
    model.answer(number, answer)
    isAnswering = answer == .success
    defer { isAnswering = false }
    switch answer {
    case .success: await calls.remove(at: index).answer(.success(number))
    case .failure: await calls.remove(at: index).answer(.failure(Failure()))
    case .refusal: await calls.remove(at: index).answer(.failure(Refusal()))
    }
  }

  private func restart() async {
    laneAfterSuccess = nil
    token?.cancel()
    send = nil
    await ModelActor.idle()
    model.restart()
    make()
    await send?.resume(isolation: ModelActor.shared).restored(isolation: ModelActor.shared)
  }

  /// Requests that were given up answer now, which must change nothing.
  private func answerLate() async {
    let current = model.sending.compactMap { number in calls.last { $0.number == number } }
    let late = calls.filter { call in !current.contains { $0 === call } }
    calls = current
    for call in late { await call.answer(.success(-1)) }
  }

  private func byLane(_ inputs: [Int]) -> [Int: [Int]] { Dictionary(grouping: inputs) { $0 % 10 } }

  private var difference: String? {
    let stored = store.entries.map { "\($0.input)*\($0.attempts)\($0.failure == nil ? "" : " aside")" }
    let expected = model.entries.map { "\($0.number)*\($0.attempts)\($0.isAside ? " aside" : "")" }
    if stored != expected { return "stored \(stored), expected \(expected)" }
    // Lanes that begin in the same turn may call their operations in another order.
    if byLane(sent) != byLane(model.sent) { return "sent \(sent), expected \(model.sent)" }
    if list.value != model.shown { return "displays \(list.value ?? []), expected \(model.shown)" }
    if ends != model.ends { return "ended \(ends), expected \(model.ends)" }
    let phases = (send?.entries ?? []).map { "\($0.input)*\($0.attempts) \($0.phase)" }
    if phases != expectedPhases { return "entries \(phases), expected \(expectedPhases)" }
    let (state, aside) = (send?.state ?? OutboxState(), model.entries.count(where: \.isAside))
    if state.waitingCount != model.entries.count - aside || state.failedCount != aside { return "\(state)" }
    if let keys = keys.first(where: { $0.value.count != 1 }) { return "\(keys.key) has keys \(keys.value)" }
    return nil
  }

  private var expectedPhases: [String] {
    model.entries.map { entry in
      let isPaused = !entry.isAside && !model.sending.contains(entry.number) && model.isHeld(entry.number)
      let phase: OutboxEntry<Int>.Phase =
        entry.isAside
        ? .failed
        : model.sending.contains(entry.number)
          ? .sending : !model.isOpen ? .waitingForNetwork : isPaused ? .retrying : .queued
      return "\(entry.number)*\(entry.attempts) \(phase)"
    }
  }

  /// The server takes everything: nothing is left.
  func finish() async -> String? {
    if !model.isOpen, let reason = await perform(.toggleGate) { return reason }
    if let reason = await perform(.resume) { return reason }
    while !model.sending.isEmpty {
      if let reason = await perform(.answer(0, .success)) { return reason }
    }
    if !calls.isEmpty { return "\(calls.map(\.number)) wait for an answer" }
    let open = ends.filter { $0.value == .open }
    token?.cancel()
    send = nil
    await ModelActor.idle()
    return open.isEmpty && !list.data.hasPendingChanges ? nil : "left open: \(open)"
  }
}
