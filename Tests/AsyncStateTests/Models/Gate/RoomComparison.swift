// SPDX-License-Identifier: MIT
import AsyncStateTesting

@testable import AsyncState

/// What can happen to a gate with a width, and to what has room there.
enum RoomCommand: CustomStringConvertible {
  case open
  case close
  case openAndClose
  case start(Int)
  case prefetch(Int)
  case reload(Int)
  case call(Int)
  /// The task of one of the calls is cancelled.
  case leave(Int)
  case cancel(Int)
  case answer(Int, isSuccess: Bool)
  case display(Int, Bool)

  static func random(using random: inout SeededGenerator) -> RoomCommand {
    let place = Int.random(in: 0..<RoomModel.heldCount, using: &random)
    let any = Int.random(in: 0..<RoomModel.count, using: &random)
    return switch Int.random(in: 0..<30, using: &random) {
    case 0, 1: .open
    case 2: .close
    case 3: .openAndClose
    case 4..<7: .start(place)
    case 7..<12: .prefetch(any)
    case 12: .reload(place)
    case 13..<16: .call(place)
    case 16, 17: .leave(Int.random(in: 0..<4, using: &random))
    case 18: .cancel(any)
    case 19..<26: .answer(any, isSuccess: Bool.random(using: &random))
    default: .display(place, Bool.random(using: &random))
    }
  }

  var description: String {
    switch self {
    case .open: "open"
    case .close: "close"
    case .openAndClose: "open and close"
    case .start(let place): "start \(place)"
    case .prefetch(let place): "prefetch \(place)"
    case .reload(let place): "reload \(place)"
    case .call(let place): "call \(place)"
    case .leave(let place): "leave call \(place) from the end"
    case .cancel(let place): "cancel \(place)"
    case .answer(let place, let isSuccess): "\(isSuccess ? "answer" : "fail") \(place)"
    case .display(let place, let isDisplayed): "\(isDisplayed ? "display" : "hide") \(place)"
    }
  }
}

/// A gate with a width, and a family whose first entries are held and have a host, beside their model.
final class RoomComparison: Comparison {
  struct Setup: CustomStringConvertible {
    let width: Int
    var description: String { "a width of \(width)" }
  }

  static let name = "rooms"
  static func setup(using random: inout SeededGenerator) -> Setup {
    Setup(width: Int.random(in: 1...3, using: &random))
  }
  static func command(using random: inout SeededGenerator) -> RoomCommand { .random(using: &random) }
  static func simpler(than command: RoomCommand) -> [RoomCommand] { [] }

  private var model: RoomModel
  private let gate: LoadGate
  private var family: AsyncFamily<Int, Int>!
  private var held: [AsyncResource<Int>] = []
  private var hosts: [AsyncHost<Int>] = []
  private let sent = ArrivedRequests<Int>()
  private var running: [(place: Int, continuation: CheckedContinuation<Int?, any Error>)] = []
  private var ends: [Int: String] = [:]
  private var tasks: [(number: Int, task: Task<Void, Never>)] = []
  private var count = 0

  init(_ setup: Setup) {
    model = RoomModel(width: setup.width)
    gate = LoadGate(width: setup.width)
    family = AsyncFamily(isolation: ModelActor.shared, options: LoadOptions(gate: gate)) { [weak self] place in
      try await self?.receive(place)
    }
    held = (0..<RoomModel.heldCount).map { family[$0] }
    hosts = held.map { AsyncHost($0) { _ in [] } }
    for host in hosts { host.start(when: .never, isolation: ModelActor.shared) }
  }

  private func receive(_ place: Int) async throws -> Int? {
    sent.add(place)
    return try await withCheckedThrowingContinuation { running.append((place, $0)) }
  }

  func perform(_ command: RoomCommand) async -> String? {
    count += 1
    switch command {
    case .open:
      gate.open()
      model.set(isOpen: true)
    case .close:
      gate.close()
      model.set(isOpen: false)
    case .openAndClose:
      // In one turn: nothing may begin.
      gate.open()
      gate.close()
      model.isOpen = false
    case .start(let place):
      held[place].start(isolation: ModelActor.shared)
      model.start(place)
    case .prefetch(let place):
      family[place].start(isolation: ModelActor.shared)
      model.start(place)
    case .reload(let place):
      held[place].reload(isolation: ModelActor.shared)
      model.reload(place)
    case .call(let place): call(place)
    case .leave(let place):
      guard let (number, task) = tasks.fromEnd(cycling: place) else { break }
      task.cancel()
      model.leave(number)
    case .cancel(let place):
      family.existing(place)?.cancel()
      model.end(place, "cancelled")
    case .answer(let place, let isSuccess):
      guard model.requests[place]?.hasRoom == true,
        let index = running.lastIndex(where: { $0.place == place })
      else { break }
      running.remove(at: index).continuation.resume(with: isSuccess ? .success(count) : .failure(Failure()))
      await family[place].data.loadEnded(isolation: ModelActor.shared)
      model.end(place, isSuccess ? "value \(count)" : "failure failure")
    case .display(let place, let isDisplayed):
      guard model.displayed.contains(place) != isDisplayed else { break }
      if isDisplayed { hosts[place].appear(animated: false) } else { hosts[place].disappear(animated: false) }
      model.display(place, isDisplayed)
    }
    await rest()
    await answerLate()
    await rest()
    return difference
  }

  private func rest() async {
    await ModelActor.idle()
    await sent.reach(model.sent.count)
    await ModelActor.idle()
    for place in 0..<RoomModel.count { await noted(place) }
    await ModelActor.idle()
  }

  /// Suspends until a request that waits knows whether the gate is open.
  private func noted(_ place: Int) async {
    guard let resource = family.existing(place), model.requests[place]?.hasRoom == false else { return }
    let isClosed = !model.isOpen
    guard resource.isRunning, resource.isWaiting != isClosed else { return }
    for await snapshot in resource.observed.values where snapshot.isWaiting == isClosed || !snapshot.isRunning { break }
  }

  private func call(_ place: Int) {
    let (resource, number) = (held[place], count)
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
      if model.requests[place]?.hasRoom == true, current.insert(place).inserted { continue }
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
    for place in 0..<RoomModel.count {
      let (request, resource) = (model.requests[place], family.existing(place))
      if resource?.isRunning ?? false != (request != nil) { return "\(place) runs: \(request == nil)" }
      let waits = request?.hasRoom == false && !model.isOpen
      if resource?.isWaiting ?? false != waits { return "\(place) waits: \(!waits)" }
    }
    return nil
  }

  /// The gate opens and the server answers everything: nothing is left.
  func finish() async -> String? {
    if let reason = await perform(.open) { return reason }
    while let place = model.requests.first(where: { $0.value.hasRoom })?.key {
      if let reason = await perform(.answer(place, isSuccess: true)) { return reason }
    }
    if gate.waitingCount > 0 || gate.roomCount > 0 || !model.requests.isEmpty { return "something is left at the gate" }
    return running.isEmpty && ends.count == tasks.count ? nil : "left open: \(running.map(\.place))"
  }
}
