// SPDX-License-Identifier: MIT
import AsyncStateTesting

@testable import AsyncState

/// What can happen to a gate, and to what waits or has room there.
enum GateCommand {
  case open
  case close
  /// In one turn: nothing may begin.
  case openAndClose
  case openAndCancel(Int)
  case startAndClose(Int)
  case start(Int)
  case reload(Int)
  case refresh(Int)
  case call(Int)
  /// The task of one of the calls is cancelled.
  case leave(Int)
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
    let place = Int.random(in: 0..<GateModel.count, using: &random)
    let number = Int.random(in: 0..<4, using: &random)
    return switch Int.random(in: 0..<54, using: &random) {
    case 0..<4: .open
    case 4..<6: .close
    case 6: .openAndClose
    case 7: .openAndCancel(place)
    case 8: .startAndClose(place)
    case 9..<15: .start(place)
    case 15: .reload(place)
    case 16: .refresh(place)
    case 17..<22: .call(place)
    case 22..<24: .leave(number)
    case 24..<26: .cancel(place)
    case 26: .set(place)
    case 27: .reset(place)
    case 28: .release(place)
    case 29..<42: .answer(place, isSuccess: number > 0)
    case 42..<45: .key([nil, 1, 2].randomElement(using: &random)!)
    case 45..<48: .change
    case 48: .cancelChange(number)
    case 49..<53: .confirmChange(number)
    default: .setList
    }
  }
}

/// A gate with a width or without one, with resources that await each other, one that follows a key, and a list with changes, beside
/// their model.
final class GateComparison: Comparison {
  struct Setup {
    let width: Int?
  }

  private typealias Running = (place: Int, continuation: CheckedContinuation<Int?, any Error>)

  static let name = "gate"
  static func setup(using random: inout SeededGenerator) -> Setup {
    Setup(width: [nil, nil, 1, 2, 3, 5].randomElement(using: &random)!)
  }
  static func command(using random: inout SeededGenerator) -> GateCommand { .random(using: &random) }

  private var model: GateModel
  private let gate: LoadGate
  private let key = Input<Int?>(1)
  private var resources: [AsyncResource<Int>] = []
  private let list: AsyncData<[Int]>
  private let sent = ArrivedRequests<Int>()
  private var running: [Running] = []
  private var ends: [Int: String] = [:]
  private var calls: [(number: Int, task: Task<Void, Never>)] = []
  private var changes: [(number: Int, task: Task<Void, Never>)] = []
  /// The numbers of resources are lower.
  private var count = GateModel.count

  init(_ setup: Setup) {
    model = GateModel(width: setup.width)
    gate = LoadGate(width: setup.width)
    list = AsyncData(options: LoadOptions(gate: gate))
    list.value = []
    for place in 0..<GateModel.count { resources.append(make(place)) }
  }

  private func make(_ place: Int) -> AsyncResource<Int> {
    let options = LoadOptions(gate: gate)
    let awaited = GateModel.awaited(by: place).map { resources[$0] }
    guard place == GateModel.followed else {
      return AsyncResource(isolation: ModelActor.shared, options: options) { [weak self, weak awaited] in
        .value { try await self?.receive(place, awaiting: awaited) }
      }
    }
    return AsyncResource(isolation: ModelActor.shared, following: key.map { $0 }, options: options) {
      [weak self] (_: Int) in .value { try await self?.receive(place) }
    }
  }

  private func receive(_ place: Int, awaiting other: AsyncResource<Int>? = nil) async throws -> Int? {
    sent.add(place)
    if let other { return try await other.load(isolation: ModelActor.shared).get() }
    return try await withCheckedThrowingContinuation { running.append((place, $0)) }
  }

  func perform(_ command: GateCommand) async -> String? {
    count += 1
    let isHeld = model.isOpen && mayEndSeveral(command)
    if isHeld { set(isOpen: false) }
    await apply(command)
    await rest()
    if isHeld {
      set(isOpen: true)
      await rest()
    }
    await answerLate()
    await rest()
    return difference
  }

  private func set(isOpen: Bool) {
    if isOpen { gate.open() } else { gate.close() }
    model.set(isOpen: isOpen)
  }

  /// True if requests may end that await each other. Nothing has their room until all have ended.
  private func mayEndSeveral(_ command: GateCommand) -> Bool {
    switch command {
    case .reload(let place), .refresh(let place), .cancel(let place), .set(let place), .reset(let place),
      .answer(let place, _):
      model.isInChain(place)
    case .leave(let place):
      calls.fromEnd(cycling: place).flatMap { model.place(of: $0.number) }.map(model.isInChain) ?? false
    default: false
    }
  }

  private func apply(_ command: GateCommand) async {
    switch command {
    case .open: set(isOpen: true)
    case .close: set(isOpen: false)
    case .openAndClose:
      gate.open()
      gate.close()
      model.isOpen = false
    case .openAndCancel(let place):
      guard !model.isInChain(place) else { break }
      gate.open()
      resources[place].cancel()
      model.end(place, .cancelled)
      model.set(isOpen: true)
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
    case .refresh(let place):
      resources[place].refresh(isolation: ModelActor.shared)
      model.reload(place)
    case .call(let place): call(place)
    case .leave(let place):
      guard let (number, task) = calls.fromEnd(cycling: place) else { break }
      task.cancel()
      model.leave(number)
    case .cancel(let place):
      resources[place].cancel()
      model.end(place, .cancelled)
    case .set(let place):
      resources[place].data.value = count
      model.set(place, count)
    case .reset(let place):
      resources[place].reset()
      model.reset(place)
    case .release(let place):
      // A call that waits keeps its resource, and an operation finds the one that it awaits.
      guard (1...GateModel.followed).contains(place), !model.isAwaited(place) else { break }
      resources[place] = make(place)
      model.release(place)
    case .answer(let place, let isSuccess):
      guard model.isRunning(place), let index = running.lastIndex(where: { $0.place == place }) else { break }
      // What ends by it may begin it again at once.
      let load = resources[place].data.currentLoad
      running.remove(at: index).continuation.resume(with: isSuccess ? .success(count) : .failure(Failure()))
      await load.outcome(isolation: ModelActor.shared)
      model.end(place, isSuccess ? .value(count) : .failure)
    case .key(let next):
      key.write(next)
      model.setKey(next)
    case .change: change()
    case .cancelChange(let place):
      // One whose commit runs is decided by what that returns.
      guard let (number, task) = changes.fromEnd(cycling: place), !model.isRunning(number) else { break }
      task.cancel()
      model.cancelChange(number)
    case .confirmChange(let place):
      guard let (number, task) = changes.filter({ model.isRunning($0.number) }).fromEnd(cycling: place),
        let index = running.firstIndex(where: { $0.place == number })
      else { break }
      running.remove(at: index).continuation.resume(returning: nil)
      await task.value
      model.confirmChange(number)
    case .setList:
      list.value = []
      model.setList()
    }
  }

  private func rest() async {
    await ModelActor.idle()
    await sent.reach(model.sent.count)
    await ModelActor.idle()
    // What has begun and must not have will never wait.
    guard sent.areSame(as: model.sent) else { return }
    for place in 0..<GateModel.count { await noted(place) }
    await ModelActor.idle()
  }

  /// Suspends until a request that waits knows whether the gate is open, and one that has ended has left: what an operation
  /// returns takes a way of its own.
  private func noted(_ place: Int) async {
    let (resource, isClosed) = (resources[place], !model.isOpen)
    let hasEnded = model.requests[place] == nil
    guard hasEnded || model.requests[place]?.phase == .waiting else { return }
    func isNoted(_ snapshot: AsyncSnapshot<Int>) -> Bool {
      !snapshot.isRunning || !hasEnded && snapshot.isWaiting == isClosed
    }
    guard !isNoted(resource.snapshot) else { return }
    for await snapshot in resource.observed.values where isNoted(snapshot) { break }
  }

  private func call(_ place: Int) {
    let (resource, number) = (resources[place], count)
    let task = ModelActor.task { [weak self, weak resource] in
      let word = await resource?.load(isolation: ModelActor.shared).word
      self?.ends[number] = word
    }
    calls.append((number, task))
    model.call(place, as: number)
  }

  private func change() {
    let (list, number) = (list, count)
    let task = ModelActor.task { [weak self] in
      let outcome = await list.mutate(isolation: ModelActor.shared) {
        $0.append(number)
      } commit: { [weak self] in
        _ = try await self?.receive(number)
      }
      self?.ends[number] = if case .success = outcome { "confirmed" } else { "\(outcome)" }
    }
    changes.append((number, task))
    model.change(number)
  }

  /// Requests that were given up answer now, which must change nothing.
  private func answerLate() async {
    var current: Set<Int> = []
    for index in running.indices.reversed() {
      let place = running[index].place
      if model.isRunning(place), current.insert(place).inserted { continue }
      running.remove(at: index).continuation.resume(returning: -1)
    }
  }

  private var difference: String? {
    if gate.isOpen != model.isOpen { return "open: \(gate.isOpen)" }
    if !sent.areSame(as: model.sent) { return "sent \(sent.all), expected \(model.sent)" }
    // Without a width only what has waited is counted.
    if let width = gate.width, gate.roomCount != model.roomCount || gate.roomCount > width {
      return "\(gate.roomCount) have room, expected \(model.roomCount)"
    }
    if gate.waitingCount != model.waitingCount { return "\(gate.waitingCount) wait, expected \(model.waitingCount)" }
    if ends != model.ends { return "ended \(ends), expected \(model.ends)" }
    if list.value != model.displayed { return "displays \(list.value ?? []), expected \(model.displayed)" }
    for (place, resource) in resources.enumerated() {
      let (data, request) = (resource.data, model.requests[place])
      if data.isRunning != (request != nil) { return "\(place) runs: \(data.isRunning)" }
      let waits = request?.phase == .waiting && !model.isOpen
      if data.isWaiting != waits { return "\(place) waits: \(data.isWaiting)" }
      if data.value != model.values[place] {
        return "\(place) has \(data.value as Any), not \(model.values[place] as Any)"
      }
      if (data.error != nil) != model.failed.contains(place) { return "\(place) failed: \(data.error != nil)" }
    }
    return nil
  }

  /// The gate opens and the server takes everything: nothing is left.
  func finish() async -> String? {
    if let reason = await perform(.open) { return reason }
    while let place = running.last?.place {
      let isOfResource = place < GateModel.count
      if let reason = await perform(isOfResource ? .answer(place, isSuccess: true) : .confirmChange(0)) {
        return reason
      }
    }
    if gate.waitingCount > 0 || gate.roomCount > 0 || !model.requests.isEmpty || list.hasPendingChanges {
      return "something is left at the gate"
    }
    return ends.count == calls.count + changes.count ? nil : "calls are left"
  }
}
