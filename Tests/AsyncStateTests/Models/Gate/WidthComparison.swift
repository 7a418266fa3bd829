// SPDX-License-Identifier: MIT
import AsyncStateTesting

@testable import AsyncState

/// What can happen to a gate with a width, and to what has room there.
enum WidthCommand: CustomStringConvertible {
  case open
  case close
  case openAndClose
  case start(Int)
  case reload(Int)
  case refresh(Int)
  case call(Int)
  /// The task of one of the calls is cancelled.
  case leave(Int)
  case cancel(Int)
  case answer(Int, isSuccess: Bool)

  static func random(using random: inout SeededGenerator) -> WidthCommand {
    let place = Int.random(in: 0..<WidthModel.count, using: &random)
    return switch Int.random(in: 0..<30, using: &random) {
    case 0, 1: .open
    case 2: .close
    case 3: .openAndClose
    case 4..<10: .start(place)
    case 10: .reload(place)
    case 11: .refresh(place)
    case 12..<17: .call(place)
    case 17, 18: .leave(Int.random(in: 0..<4, using: &random))
    case 19, 20: .cancel(place)
    default: .answer(place, isSuccess: Int.random(in: 0..<4, using: &random) > 0)
    }
  }

  var description: String {
    switch self {
    case .open: "open"
    case .close: "close"
    case .openAndClose: "open and close"
    case .start(let place): "start \(place)"
    case .reload(let place): "reload \(place)"
    case .refresh(let place): "refresh \(place), superseding"
    case .call(let place): "call \(place)"
    case .leave(let place): "leave call \(place) from the end"
    case .cancel(let place): "cancel \(place)"
    case .answer(let place, let isSuccess): "\(isSuccess ? "answer" : "fail") \(place)"
    }
  }
}

/// A gate with a width, and resources that await each other, beside their model.
final class WidthComparison: Comparison {
  struct Setup: CustomStringConvertible {
    let width: Int
    var description: String { "a width of \(width)" }
  }

  static let name = "width"
  static func setup(using random: inout SeededGenerator) -> Setup {
    Setup(width: [1, 2, 3, 5].randomElement(using: &random) ?? 1)
  }
  static func command(using random: inout SeededGenerator) -> WidthCommand { .random(using: &random) }
  static func simpler(than command: WidthCommand) -> [WidthCommand] { [] }

  private var model: WidthModel
  private let gate: LoadGate
  private var resources: [AsyncResource<Int>] = []
  private let sent = ArrivedRequests<Int>()
  private var running: [(place: Int, continuation: CheckedContinuation<Int?, any Error>)] = []
  private var ends: [Int: String] = [:]
  private var tasks: [(number: Int, task: Task<Void, Never>)] = []
  private var count = 0

  init(_ setup: Setup) {
    model = WidthModel(width: setup.width)
    gate = LoadGate(width: setup.width)
    for place in 0..<WidthModel.count {
      let awaited = WidthModel.awaited(by: place).map { resources[$0] }
      resources.append(
        AsyncResource(isolation: ModelActor.shared, options: LoadOptions(gate: gate)) { [weak self, weak awaited] in
          .value { try await self?.receive(place, awaiting: awaited) }
        })
    }
  }

  private func receive(_ place: Int, awaiting other: AsyncResource<Int>?) async throws -> Int? {
    sent.add(place)
    if let other { return try await other.load(isolation: ModelActor.shared).get() }
    return try await withCheckedThrowingContinuation { running.append((place, $0)) }
  }

  func perform(_ command: WidthCommand) async -> String? {
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
  private func mayEndSeveral(_ command: WidthCommand) -> Bool {
    switch command {
    case .open, .close, .openAndClose, .start, .call: false
    case .reload(let place), .refresh(let place), .cancel(let place), .answer(let place, _): model.isInChain(place)
    case .leave(let place):
      tasks.fromEnd(cycling: place).flatMap { model.place(of: $0.number) }.map(model.isInChain) ?? false
    }
  }

  private func apply(_ command: WidthCommand) async {
    switch command {
    case .open: set(isOpen: true)
    case .close: set(isOpen: false)
    case .openAndClose:
      // In one turn: nothing may begin.
      gate.open()
      gate.close()
      model.isOpen = false
    case .start(let place):
      resources[place].start(isolation: ModelActor.shared)
      model.start(place)
    case .reload(let place):
      resources[place].reload(isolation: ModelActor.shared)
      model.reload(place)
    case .refresh(let place):
      resources[place].refresh(superseding: true, isolation: ModelActor.shared)
      model.reload(place)
    case .call(let place): call(place)
    case .leave(let place):
      guard let (number, task) = tasks.fromEnd(cycling: place) else { break }
      task.cancel()
      model.leave(number)
    case .cancel(let place):
      resources[place].cancel()
      model.end(place, "cancelled")
    case .answer(let place, let isSuccess):
      guard model.requests[place].map({ $0.phase != .waiting }) == true,
        let index = running.lastIndex(where: { $0.place == place })
      else { break }
      // What ends by it may begin it again at once.
      let load = resources[place].data.currentLoad
      running.remove(at: index).continuation.resume(with: isSuccess ? .success(count) : .failure(Failure()))
      await load.outcome(isolation: ModelActor.shared)
      model.end(place, isSuccess ? "value \(count)" : "failure failure")
    }
  }

  private func rest() async {
    await ModelActor.idle()
    await sent.reach(model.sent.count)
    await ModelActor.idle()
    for place in 0..<WidthModel.count { await noted(place) }
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
    tasks.append((number, task))
    model.call(place, as: number)
  }

  /// Requests that were given up answer now, which must change nothing.
  private func answerLate() async {
    var current: Set<Int> = []
    for index in running.indices.reversed() {
      let place = running[index].place
      if model.requests[place].map({ $0.phase != .waiting }) == true, current.insert(place).inserted { continue }
      running.remove(at: index).continuation.resume(returning: -1)
    }
  }

  private var difference: String? {
    if !sent.areSame(as: model.sent) { return "sent \(sent.all), expected \(model.sent)" }
    if gate.roomCount != model.roomCount || gate.roomCount > model.width {
      return "\(gate.roomCount) have room, expected \(model.roomCount)"
    }
    if gate.waitingCount != model.waitingCount { return "\(gate.waitingCount) wait, expected \(model.waitingCount)" }
    if ends != model.ends { return "ended \(ends), expected \(model.ends)" }
    for (place, resource) in resources.enumerated() {
      let request = model.requests[place]
      if resource.isRunning != (request != nil) { return "\(place) runs: \(resource.isRunning)" }
      let waits = request?.phase == .waiting && !model.isOpen
      if resource.isWaiting != waits { return "\(place) waits: \(resource.isWaiting)" }
    }
    return nil
  }

  /// The gate opens and the server answers everything: nothing is left.
  func finish() async -> String? {
    if let reason = await perform(.open) { return reason }
    while let place = running.last?.place {
      if let reason = await perform(.answer(place, isSuccess: true)) { return reason }
    }
    if gate.waitingCount > 0 || gate.roomCount > 0 || !model.requests.isEmpty { return "something is left at the gate" }
    return ends.count == tasks.count ? nil : "calls are left"
  }
}
