// SPDX-License-Identifier: MIT
import AsyncStateTesting

@testable import AsyncState

/// What can happen to the keys of a family that are requested together.
enum BatchCommand: CustomStringConvertible {
  indirect case several([BatchCommand])
  case open
  case close
  case start(Int)
  case call(Int)
  case prefetch(Int)
  case cancelPrefetch(Int)
  /// The task of one of the calls is cancelled.
  case leave(Int)
  case cancel(Int)
  case forget(Int)
  case display(Int, Bool)
  case answer(Int, BatchModel.Answer)

  static func random(using random: inout SeededGenerator) -> BatchCommand {
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<4:
      return answer(
        Int.random(in: 0..<3, using: &random),
        [.values, .values, .lacking, .failure].randomElement(using: &random)!)
    case 4: return .leave(Int.random(in: 0..<4, using: &random))
    case 5: return .open
    // What may give room back has a turn of its own: what waits for that returns by a way of its own.
    case 6:
      let key = Int.random(in: 0..<BatchModel.count, using: &random)
      return [.cancel(key), .cancel(key), .forget(key), .cancelPrefetch(key)].randomElement(
        using: &random)!
    default: break
    }
    let count = Int.random(in: 1...5, using: &random)
    return .several((0..<count).map { _ in inTurn(using: &random) })
  }

  /// What several can be of in one turn.
  private static func inTurn(using random: inout SeededGenerator) -> BatchCommand {
    let key = Int.random(in: 0..<BatchModel.heldCount, using: &random)
    let any = Int.random(in: 0..<BatchModel.count, using: &random)
    return switch Int.random(in: 0..<22, using: &random) {
    case 0..<7: .start(key)
    case 7..<11: .call(key)
    case 11..<17: .prefetch(any)
    case 17: .close
    default: .display(key, Bool.random(using: &random))
    }
  }

  var description: String {
    switch self {
    case .several(let commands):
      "in one turn: " + commands.map(\.description).joined(separator: ", ")
    case .open: "open"
    case .close: "close"
    case .start(let key): "start \(key)"
    case .call(let key): "call \(key)"
    case .prefetch(let key): "prefetch \(key)"
    case .cancelPrefetch(let key): "cancel the prefetch of \(key)"
    case .leave(let place): "leave call \(place) from the end"
    case .cancel(let key): "cancel \(key)"
    case .forget(let key): "forget \(key)"
    case .display(let key, let isDisplayed): "\(isDisplayed ? "display" : "hide") \(key)"
    case .answer(let place, let answer): "answer \(place) with \(answer)"
    }
  }
}

/// A family whose keys are requested together, of which the first are held and have a host, with a gate or without, beside the
/// model.
final class BatchComparison: Comparison {
  struct Setup: CustomStringConvertible {
    let limit: Int
    let width: Int?
    let hasGate: Bool
    var description: String {
      "at most \(limit) keys, \(hasGate ? width.map { "a width of \($0)" } ?? "a gate" : "no gate")"
    }
  }

  static let name = "batches"
  static func setup(using random: inout SeededGenerator) -> Setup {
    let hasGate = Int.random(in: 0..<4, using: &random) > 0
    return Setup(
      limit: Int.random(in: 1...5, using: &random),
      width: hasGate ? [nil, 1, 1, 2, 3].randomElement(using: &random)! : nil, hasGate: hasGate)
  }
  static func command(using random: inout SeededGenerator) -> BatchCommand {
    .random(using: &random)
  }
  static func simpler(than command: BatchCommand) -> [BatchCommand] {
    guard case .several(let commands) = command, commands.count > 1 else { return [] }
    return commands.indices.map { index in
      var fewer = commands
      fewer.remove(at: index)
      return .several(fewer)
    }
  }

  private var model: BatchModel
  private let gate: LoadGate?
  private var family: AsyncFamily<Int, Int>!
  private var held: [AsyncResource<Int>] = []
  private var hosts: [AsyncHost<Int>] = []
  /// How many of those that were sent the model has seen.
  private var requestCount = 0
  private let arrived = ArrivedRequests<[Int]>()
  private var sent: [[Int]] { arrived.all }
  private var running: [(number: Int, continuation: CheckedContinuation<[Int: Int], any Error>)] =
    []
  private var ends: [Int: String] = [:]
  private var tasks: [(number: Int, task: Task<Void, Never>)] = []
  private var count = 0

  init(_ setup: Setup) {
    model = BatchModel(limit: setup.limit, width: setup.width)
    gate = setup.hasGate ? LoadGate(width: setup.width) : nil
    family = AsyncFamily(
      isolation: ModelActor.shared, options: LoadOptions(gate: gate), keepIdle: .all,
      batching: setup.limit
    ) { [weak self] keys in try await self?.receive(keys) ?? [:] }
    held = (0..<BatchModel.heldCount).map { family[$0] }
    hosts = held.map { AsyncHost($0) { _ in [] } }
    for host in hosts { host.start(when: .never, isolation: ModelActor.shared) }
  }

  private func receive(_ keys: [Int]) async throws -> [Int: Int] {
    arrived.add(keys)
    let number = sent.count - 1
    return try await withCheckedThrowingContinuation { running.append((number, $0)) }
  }

  func perform(_ command: BatchCommand) async -> String? {
    count += 1
    if case .answer(let place, let answer) = command {
      let numbers = model.batches.keys.sorted()
      if let number = numbers.fromEnd(cycling: place),
        let index = running.firstIndex(where: { $0.number == number })
      {
        let loads = (model.batches[number] ?? []).map { family[$0].data.currentLoad }
        running.remove(at: index).continuation.resume(with: result(of: number, answer))
        model.answer(number, answer, count)
        for load in loads { await load.outcome(isolation: ModelActor.shared) }
      }
    } else if case .forget(let key) = command {
      try? await family.forget(key, isolation: ModelActor.shared)
      model.forget(key)
    } else {
      perform(inTurn: command)
    }
    if let reason = await rest() { return reason }
    // Requests that were given up answer now, which must change nothing.
    for index in running.indices.reversed() where model.batches[running[index].number] == nil {
      let call = running.remove(at: index)
      call.continuation.resume(
        returning: Dictionary(uniqueKeysWithValues: sent[call.number].map { ($0, -1) }))
    }
    return await rest() ?? model.rest() ?? difference
  }

  /// Suspends until all that has to be requested has been, and what waits knows whether the gate is open.
  ///
  /// - Returns: What is wrong about a request.
  private func rest() async -> String? {
    await ModelActor.idle()
    while requestCount < sent.count || model.mayRequest {
      await arrived.reach(requestCount + 1)
      if let reason = model.request(sent[requestCount], as: requestCount) { return reason }
      requestCount += 1
      await ModelActor.idle()
    }
    for (key, expected) in model.keys.enumerated()
    where expected.load != nil && expected.load?.batch == nil {
      guard let resource = family.existing(key), resource.isRunning,
        resource.isWaiting == model.isOpen
      else { continue }
      for await snapshot in resource.observed.values
      where snapshot.isWaiting != model.isOpen || !snapshot.isRunning {
        break
      }
    }
    await ModelActor.idle()
    return nil
  }

  private func result(of number: Int, _ answer: BatchModel.Answer) -> Result<[Int: Int], any Error> {
    if answer == .failure { return .failure(Failure()) }
    let keys = sent[number].filter { model.has($0, answer) }
    return .success(Dictionary(uniqueKeysWithValues: keys.map { ($0, count) }))
  }

  private func perform(inTurn command: BatchCommand) {
    switch command {
    case .several(let commands):
      for command in commands {
        count += 1
        perform(inTurn: command)
      }
    case .open:
      gate?.open()
      if gate != nil { model.isOpen = true }
    case .close:
      gate?.close()
      if gate != nil { model.isOpen = false }
    case .start(let key):
      held[key].start(isolation: ModelActor.shared)
      model.start(key)
    case .call(let key): call(key)
    case .prefetch(let key):
      family.prefetch(key, when: .always, isolation: ModelActor.shared)
      model.prefetch(key)
    case .cancelPrefetch(let key):
      family.cancelPrefetch(key)
      model.cancelPrefetch(key)
    case .leave(let place):
      guard let (number, task) = tasks.fromEnd(cycling: place) else { break }
      task.cancel()
      model.leave(number)
    case .cancel(let key):
      family.existing(key)?.cancel()
      model.cancel(key)
    case .display(let key, let isDisplayed):
      guard model.displayed.contains(key) != isDisplayed else { break }
      if isDisplayed {
        hosts[key].appear(animated: false)
      } else {
        hosts[key].disappear(animated: false)
      }
      model.display(key, isDisplayed)
    case .answer, .forget: break
    }
  }

  private func call(_ key: Int) {
    let number = count
    let call = held[key].call(when: .always, isolation: ModelActor.shared)
    let task = ModelActor.task { [weak self] in
      let word = await call.outcome(isolation: ModelActor.shared).word
      self?.ends[number] = word
    }
    tasks.append((number, task))
    model.call(key, as: number)
  }

  private var difference: String? {
    if ends != model.ends { return "ended \(ends), expected \(model.ends)" }
    if let gate, let width = model.width, gate.roomCount > width {
      return "\(gate.roomCount) have room"
    }
    for (key, expected) in model.keys.enumerated() {
      let entry = family.existing(key)
      if entry?.isRunning ?? false != (expected.load != nil) {
        return "\(key) runs: \(expected.load == nil)"
      }
      let isWaiting = expected.load.map { $0.batch == nil } == true && !model.isOpen
      if entry?.isWaiting ?? false != isWaiting { return "\(key) waits: \(!isWaiting)" }
      if entry?.value != expected.value {
        return "\(key) has \(entry?.value ?? -2), expected \(expected.value ?? -2)"
      }
      if (entry?.error != nil) != expected.hasFailed {
        return "\(key) failed: \(!expected.hasFailed)"
      }
      let isNoData = entry?.snapshot.isSettled == true && entry?.value == nil && entry?.error == nil
      if isNoData != (expected.isAnswered && expected.value == nil && !expected.hasFailed) {
        return "\(key) has no data: \(isNoData)"
      }
    }
    return nil
  }

  /// The gate opens and the server answers everything: nothing is left.
  func finish() async -> String? {
    if let reason = await perform(.open) { return reason }
    while !model.batches.isEmpty {
      if let reason = await perform(.answer(0, .values)) { return reason }
    }
    if held.contains(where: \.isRunning) || gate.map({ $0.waitingCount + $0.roomCount }) ?? 0 > 0 {
      return "something is left"
    }
    return running.isEmpty && ends.count == tasks.count
      ? nil : "left open: \(running.map(\.number))"
  }
}
