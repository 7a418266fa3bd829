// SPDX-License-Identifier: MIT
import AsyncStateTesting

@testable import AsyncState

/// What can happen to a gate, and to what waits for it.
enum GateCommand: CustomStringConvertible {
  case open
  case close
  /// In one turn: it may not begin.
  case openAndCancel(Int)
  case startAndClose(Int)
  case start(Int)
  case reload(Int)
  case call(Int)
  /// The task of one of the calls is cancelled.
  case leave(Int)
  case lookUp(Int)
  case cancel(Int)
  case set(Int)
  case reset(Int)
  case release(Int)
  case answer(Int, isSuccess: Bool)
  case key(Int?)
  case change
  case cancelChange(Int)
  case confirmChange(Int)
  case setList

  static func random(using random: inout SeededGenerator) -> GateCommand {
    let place = Int.random(in: 0..<3, using: &random)
    return switch Int.random(in: 0..<42, using: &random) {
    case 0..<4: .open
    case 4..<8: .close
    case 8, 9: .openAndCancel(place)
    case 10: .startAndClose(place)
    case 11..<15: .start(place)
    case 15, 16: .reload(place)
    case 17..<20: .call(place)
    case 20, 21: .leave(Int.random(in: 0..<4, using: &random))
    case 22: .lookUp(place)
    case 23, 24: .cancel(place)
    case 25: .set(place)
    case 26: .reset(place)
    case 27: .release(place)
    case 28..<32: .answer(place, isSuccess: Bool.random(using: &random))
    case 32..<35: .key([nil, 1, 2].randomElement(using: &random)!)
    case 35..<38: .change
    case 38: .cancelChange(Int.random(in: 0..<3, using: &random))
    case 39, 40: .confirmChange(Int.random(in: 0..<3, using: &random))
    default: .setList
    }
  }

  var description: String {
    switch self {
    case .open: "open"
    case .close: "close"
    case .openAndCancel(let place): "open and cancel \(place)"
    case .startAndClose(let place): "start \(place) and close"
    case .start(let place): "start \(place)"
    case .reload(let place): "reload \(place)"
    case .call(let place): "call \(place)"
    case .leave(let place): "leave call \(place) from the end"
    case .lookUp(let place): "look up \(place)"
    case .cancel(let place): "cancel \(place)"
    case .set(let place): "set \(place)"
    case .reset(let place): "reset \(place)"
    case .release(let place): "release \(place)"
    case .answer(let place, let isSuccess): "\(isSuccess ? "answer" : "fail") \(place)"
    case .key(let key): "key \(key.map { "\($0)" } ?? "nil")"
    case .change: "change"
    case .cancelChange(let place): "cancel change \(place) from the end"
    case .confirmChange(let place): "confirm change \(place) from the end"
    case .setList: "set the list"
    }
  }
}

/// A gate with three resources, of which the last follows a key, and a list of optimistic changes, beside their model.
final class GateComparison: Comparison {
  struct Setup: CustomStringConvertible { var description: String { "a gate" } }

  private typealias Call = (waiter: GateModel.Waiter, continuation: CheckedContinuation<Int?, any Error>)

  static let name = "gate"
  static func setup(using random: inout SeededGenerator) -> Setup { Setup() }
  static func command(using random: inout SeededGenerator) -> GateCommand { .random(using: &random) }
  static func simpler(than command: GateCommand) -> [GateCommand] { [] }

  private var model = GateModel()
  private let gate = LoadGate()
  private let key = Input<Int?>(1)
  private var resources: [AsyncResource<Int>] = []
  private let list: AsyncData<[Int]>
  private let sent = ArrivedRequests<GateModel.Waiter>()
  private var calls: [Call] = []
  private var ends: [String: String] = [:]
  private var tasks: [(number: Int, task: Task<Void, Never>)] = []
  private var changes: [(number: Int, task: Task<Void, Never>)] = []
  private var count = 0

  init(_ setup: Setup) {
    list = AsyncData(options: LoadOptions(gate: gate))
    list.value = []
    for place in 0..<3 { resources.append(make(place)) }
  }

  private func make(_ place: Int) -> AsyncResource<Int> {
    let options = LoadOptions(gate: gate)
    guard place == GateModel.followed else {
      return AsyncResource(isolation: ModelActor.shared, options: options) { [weak self] in
        .value { try await self?.receive(.load(place)) }
      }
    }
    return AsyncResource(isolation: ModelActor.shared, following: key.map { $0 }, options: options) {
      [weak self] (_: Int) in .value { try await self?.receive(.load(place)) }
    }
  }

  private func receive(_ waiter: GateModel.Waiter) async throws -> Int? {
    sent.add(waiter)
    return try await withCheckedThrowingContinuation { calls.append((waiter, $0)) }
  }

  func perform(_ command: GateCommand) async -> String? {
    count += 1
    switch command {
    case .open:
      gate.open()
      model.open()
    case .close:
      gate.close()
      model.isOpen = false
    case .openAndCancel(let place):
      gate.open()
      resources[place].cancel()
      model.endLoad(place, "cancelled")
      model.open()
    case .startAndClose(let place):
      resources[place].start(isolation: ModelActor.shared)
      gate.close()
      model.isOpen = false
      model.start(place)
    case .start(let place):
      resources[place].start(isolation: ModelActor.shared)
      model.start(place)
    case .reload(let place):
      resources[place].reload(isolation: ModelActor.shared)
      model.reload(place)
    case .call(let place): call(place)
    case .leave(let place):
      guard let (number, task) = tasks.fromEnd(cycling: place) else { break }
      task.cancel()
      model.leave(number)
    case .lookUp(let place):
      // Nothing is requested, and nothing waits.
      resources[place].start(when: .never, isolation: ModelActor.shared)
    case .cancel(let place):
      resources[place].cancel()
      model.endLoad(place, "cancelled")
    case .set(let place):
      resources[place].data.value = count
      model.set(place, count)
    case .reset(let place):
      resources[place].reset()
      model.reset(place)
    case .release(let place):
      // A call that waits keeps its resource.
      guard model.resources[place].calls.isEmpty else { break }
      resources[place] = make(place)
      if place == GateModel.followed { model.isFollowing = false }
      model.reset(place)
    case .answer(let place, let isSuccess):
      if let index = calls.lastIndex(where: { $0.waiter == .load(place) }), model.resources[place].load == .sent {
        calls.remove(at: index).continuation.resume(with: isSuccess ? .success(count) : .failure(Failure()))
        await resources[place].data.loadEnded(isolation: ModelActor.shared)
      }
      model.answer(place, isSuccess ? count : nil)
    case .key(let next):
      key.write(next)
      model.setKey(next)
    case .change: change()
    case .cancelChange(let place):
      guard let (number, task) = changes.fromEnd(cycling: place) else { break }
      // One whose commit runs is decided by what that returns.
      guard !model.isOpenCommit(number) else { break }
      task.cancel()
      model.cancelChange(number)
    case .confirmChange(let place):
      guard let (number, task) = changes.fromEnd(cycling: place) else { break }
      guard model.isOpenCommit(number), let index = calls.firstIndex(where: { $0.waiter == .commit(number) })
      else { break }
      calls.remove(at: index).continuation.resume(returning: nil)
      await task.value
      model.confirmChange(number)
    case .setList:
      list.value = []
      model.setList()
    }
    await ModelActor.idle()
    await sent.reach(model.sent.count)
    await ModelActor.idle()
    await answerLate()
    return difference
  }

  private func call(_ place: Int) {
    let (resource, number) = (resources[place], count)
    let task = ModelActor.task { [weak self, weak resource] in
      let word = await resource?.load(isolation: ModelActor.shared).word
      self?.ends["call \(number)"] = word
    }
    tasks.append((number, task))
    model.call(place, as: number)
  }

  private func change() {
    let (list, number) = (list, count)
    let task = ModelActor.task { [weak self] in
      let outcome = await list.mutate(isolation: ModelActor.shared) {
        $0.append(number)
      } commit: { [weak self] in
        _ = try await self?.receive(.commit(number))
      }
      let word =
        switch outcome {
        case .success: "confirmed"
        case .failure: "failed"
        case .cancelled: "cancelled"
        case .superseded: "superseded"
        case .notRequested: "not requested"
        }
      self?.ends["change \(number)"] = word
    }
    changes.append((number, task))
    model.change(number)
  }

  /// Requests that were given up answer now, which must change nothing.
  private func answerLate() async {
    var late: [Call] = []
    var current: [Call] = []
    for place in 0..<3 {
      var all = calls.filter { $0.waiter == .load(place) }
      if model.resources[place].load == .sent, let last = all.popLast() { current.append(last) }
      late += all
    }
    for call in calls {
      guard case .commit(let number) = call.waiter else { continue }
      if model.isOpenCommit(number) { current.append(call) } else { late.append(call) }
    }
    calls = current
    for call in late { call.continuation.resume(returning: -1) }
    await ModelActor.idle()
  }

  private var difference: String? {
    if gate.isOpen != model.isOpen { return "open: \(gate.isOpen)" }
    if !sent.areSame(as: model.sent) { return "sent \(sent.all), expected \(model.sent)" }
    if gate.waitingCount != model.queue.count { return "\(gate.waitingCount) wait, expected \(model.queue)" }
    if ends != model.ends { return "ended \(ends), expected \(model.ends)" }
    if list.value != model.displayed { return "displays \(list.value ?? []), expected \(model.displayed)" }
    for place in 0..<3 {
      let (data, expected) = (resources[place].data, model.resources[place])
      if data.isRunning != (expected.load != nil) { return "\(place) runs: \(data.isRunning)" }
      if data.isWaiting != (expected.load == .waiting) { return "\(place) waits: \(data.isWaiting)" }
      if data.value != expected.value { return "\(place) has \(data.value ?? -2), expected \(expected.value ?? -2)" }
      if (data.error != nil) != expected.hasFailed { return "\(place) failed: \(data.error != nil)" }
    }
    return nil
  }

  /// The gate opens and the server takes everything: nothing is left.
  func finish() async -> String? {
    if let reason = await perform(.open) { return reason }
    for place in 0..<3 {
      if let reason = await perform(.answer(place, isSuccess: true)) { return reason }
    }
    for place in changes.indices {
      if let reason = await perform(.confirmChange(place)) { return reason }
    }
    if gate.waitingCount > 0 || resources.contains(where: \.isRunning) || list.hasPendingChanges {
      return "something is left at the gate"
    }
    return calls.isEmpty && ends.count == tasks.count + changes.count ? nil : "left open: \(calls.map(\.waiter))"
  }
}
