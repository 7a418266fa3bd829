// SPDX-License-Identifier: MIT
import AsyncStateTesting

@testable import AsyncState

/// What can happen to a mutation and its server.
enum MutationCommand {
  case perform
  /// Before the operation of the first one is called.
  case performTwice
  /// The input that was performed last: where calls join, while it runs or waits.
  case performAgain
  case performAndCancel
  /// An input that was sent, and has ended without an answer: under the same key, where calls join.
  case performUnanswered
  /// The observer of the status performs an input when the next one has succeeded.
  case performAfterSuccess
  /// One of those that are being sent.
  case answer(Int, isSuccess: Bool)
  /// One of the handles.
  case cancel(Int)
  case cancelAll
  case reset
  case retry
  /// The delays are over.
  case advance

  static func random(using random: inout SeededGenerator) -> MutationCommand {
    let place = Int.random(in: 0..<6, using: &random)
    return switch Int.random(in: 0..<36, using: &random) {
    case 0..<9: .perform
    case 9: .performUnanswered
    case 10, 11: .performTwice
    case 12: .performAndCancel
    case 31: .performAgain
    case 13, 14: .performAfterSuccess
    case 15..<21: .answer(place, isSuccess: true)
    case 21..<25: .answer(place, isSuccess: false)
    case 25..<28: .cancel(place)
    case 28: .cancelAll
    case 29: .reset
    case 32..<36: .advance
    default: .retry
    }
  }
}

/// A mutation with an optimistic change and tags, beside its model.
final class MutationComparison: Comparison {
  struct Setup {
    let overlap: MutationModel.Overlap
    let laneCount: Int
    let hasDelay: Bool
  }

  private typealias Call = (number: Int, continuation: CheckedContinuation<Result<Int, any Error>, Never>)

  static let name = "mutation"

  static func setup(using random: inout SeededGenerator) -> Setup {
    Setup(
      overlap: .allCases.randomElement(using: &random)!, laneCount: .random(in: 1...3, using: &random),
      hasDelay: Bool.random(using: &random))
  }
  static func command(using random: inout SeededGenerator) -> MutationCommand { .random(using: &random) }

  private var model: MutationModel
  private let list: AsyncResource<[Int]>
  private let board = AsyncTagBoard()
  private let clock = ManualClock()
  private var send: AsyncMutation<Int, Int>!
  private var token: ObservedToken?
  /// The handles with the numbers of their requests in the model.
  private var tasks: [(number: Int, task: MutationTask<Int>)] = []
  private var ends: [Int: MutationModel.End] = [:]
  private var calls: [Call] = []
  private var sent: [Int] = []
  private var invalidated: [Int] = []
  private var keys: [Int: Set<String>] = [:]
  private var count = 0
  private var performsAfterSuccess = false
  private var isAnswering = false

  init(_ setup: Setup) {
    model = MutationModel(setup.overlap, laneCount: setup.laneCount, hasDelay: setup.hasDelay)
    list = AsyncResource(isolation: ModelActor.shared) { .value { nil } }
    list.data.value = []
    let overlap: MutationOverlap =
      switch setup.overlap {
      case .join: .automatic
      case .queue: .queue
      case .latest: .latest
      }
    let send = AsyncMutation<Int, Int>(
      isolation: ModelActor.shared, overlap: overlap, options: LoadOptions(clock: clock),
      lane: setup.laneCount == 1 ? nil : { $0 % setup.laneCount }, delay: setup.hasDelay ? .seconds(5) : nil
    ) { [weak self] input, request in
      try await self?.receive(input, request.idempotencyKey) ?? 0
    }
    .changing({ [list] _ in list }) { $0.append($1) }
    .invalidating(board) { input, _ in [AsyncTag(input)] }
    self.send = send
    board.hook = MutationBoardHook { [weak self] in self?.invalidated.append($0) }
    token = send.observed.observe { [weak self] _ in
      guard let self, isAnswering, performsAfterSuccess, case .succeeded = self.send.status else { return }
      performsAfterSuccess = false
      count += 1
      follow(self.send.perform(count, isolation: ModelActor.shared), count)
    }
  }

  private func receive(_ input: Int, _ key: String) async throws -> Int {
    keys[input, default: []].insert(key)
    sent.append(input)
    return try await withCheckedContinuation { calls.append((input, $0)) }.get()
  }

  private func perform() {
    count += 1
    let task = send.perform(count, isolation: ModelActor.shared)
    follow(task, model.perform(count, as: count))
  }

  private func follow(_ task: MutationTask<Int>, _ number: Int) {
    tasks.append((number, task))
    ends[number] = ends[number] ?? .open
    ModelActor.task { [weak self] in
      let end: MutationModel.End =
        switch await task.outcome(isolation: ModelActor.shared) {
        case .success, .notRequested: .success
        case .failure: .failure
        case .cancelled: .cancelled
        case .superseded: .superseded
        }
      self?.ends[number] = end
    }
  }

  func perform(_ command: MutationCommand) async -> String? {
    switch command {
    case .perform: perform()
    case .performTwice:
      perform()
      perform()
    case .performAgain:
      guard model.pending(with: count) != nil else { break }
      follow(send.perform(count, isolation: ModelActor.shared), model.perform(count, as: count))
    case .performAndCancel:
      perform()
      tasks.last?.task.cancel()
      if let number = tasks.last?.number { model.cancel(number) }
    case .performUnanswered:
      guard model.overlap != .queue, let input = model.unansweredInput else { break }
      count += 1
      follow(send.perform(input, isolation: ModelActor.shared), model.perform(input, as: count))
    case .performAfterSuccess: performsAfterSuccess = true
    case .answer(let place, let isSuccess):
      let answerable = model.answerable
      if !answerable.isEmpty { await answer(answerable[place % answerable.count], isSuccess) }
    case .cancel(let place):
      guard let (number, task) = tasks.fromEnd(cycling: place) else { break }
      model.cancel(number)
      task.cancel()
    case .cancelAll:
      model.cancelAll()
      send.cancel()
    case .reset:
      model.reset()
      send.reset()
    case .retry: retry()
    case .advance:
      model.endDelays()
      await clock.advance(by: .seconds(5))
    }
    await ModelActor.idle()
    model.settle()
    await answerLate()
    return difference
  }

  private func retry() {
    let task = send.retry(isolation: ModelActor.shared)
    guard model.running.isEmpty, let input = model.failedInput else {
      if task != nil { follow(task!, -1) }
      return
    }
    count += 1
    let number = model.perform(input, as: count, isRetry: true)
    if let task { follow(task, number) }
  }

  private func answer(_ running: Int, _ isSuccess: Bool) async {
    guard let input = model.inputs[running], let index = calls.lastIndex(where: { $0.number == input }) else { return }
    let performs = isSuccess && performsAfterSuccess && send != nil
    model.answer(running, success: isSuccess, observer: performs ? (count + 1, count + 1) : nil)
    isAnswering = true
    defer { isAnswering = false }
    calls.remove(at: index).continuation.resume(returning: isSuccess ? .success(input) : .failure(Failure()))
    _ = await tasks.first { $0.number == running }?.task.outcome(isolation: ModelActor.shared)
  }

  /// Requests that were given up succeed now, which changes nothing, but what they have changed is out of date once more.
  private func answerLate() async {
    let current = Set(model.answerable.compactMap { number in calls.lastIndex { $0.number == model.inputs[number] } })
    let late = calls.indices.filter { !current.contains($0) }.map { calls[$0] }
    calls = current.sorted().map { calls[$0] }
    let send = send
    for (index, call) in late.enumerated() {
      model.succeedLate(call.number)
      call.continuation.resume(returning: .success(-1))
      // One by one, because the tasks of the library leave the actor for a moment.
      let left = model.running.count + late.count - index - 1
      await send?.waiters.wait(until: { send?.taskCount == left }, isolation: ModelActor.shared)
    }
    await ModelActor.idle()
  }

  private var difference: String? {
    if sent != model.sent { return "sent \(sent), expected \(model.sent)" }
    if invalidated != model.invalidated { return "invalidated \(invalidated), expected \(model.invalidated)" }
    let displayed = model.displayed.map { model.inputs[$0]! }
    if list.value != displayed { return "displays \(list.value ?? []), expected \(displayed)" }
    if ends != model.ends { return "ended \(ends), expected \(model.ends)" }
    if let keys = keys.first(where: { $0.value.count != 1 }) { return "\(keys.key) has keys \(keys.value)" }
    guard let send else { return nil }
    let status =
      model.running.last.map { "\(model.delayed.contains($0) ? "delayed" : "sending"): \(model.inputs[$0]!)" }
      ?? model.last
    let word = word(send.status)
    return word == status ? nil : "\(word), expected \(status)"
  }

  private func word(_ status: MutationStatus<Int, Int>) -> String {
    switch status {
    case .idle: "idle"
    case .sending(let input, _): "sending: \(input)"
    case .delayed(let input): "delayed: \(input)"
    case .queued, .waitingForNetwork, .retrying: "\(status)"
    case .succeeded(let output): "succeeded: \(output)"
    case .failed(_, let input): "failed: \(input)"
    }
  }

  /// The mutation is released, and the server takes everything: nothing is left.
  func finish() async -> String? {
    token?.cancel()
    weak let released = send
    send = nil
    while !model.running.isEmpty {
      let next = model.answerable.isEmpty ? MutationCommand.advance : .answer(0, isSuccess: true)
      if let reason = await perform(next) { return reason }
    }
    if !calls.isEmpty { return "\(calls.map(\.number)) wait for an answer" }
    let open = ends.filter { $0.value == .open }
    await ModelActor.idle()
    if released != nil { return "kept" }
    return open.isEmpty && !list.data.hasPendingChanges ? nil : "left open: \(open)"
  }
}

/// Notes the inputs whose tags are invalidated.
private final class MutationBoardHook: BoardHook {
  private let note: (Int) -> Void

  init(_ note: @escaping (Int) -> Void) {
    self.note = note
  }

  func invalidating(_ tags: [AsyncTag], _ body: () -> Void) {
    for input in tags.compactMap({ Int("\($0)") }) { note(input) }
    body()
  }
}
