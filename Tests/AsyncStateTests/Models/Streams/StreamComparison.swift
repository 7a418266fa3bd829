// SPDX-License-Identifier: MIT
import AsyncStateTesting

@testable import AsyncState

/// A resource that connects to a server, live or not, beside its model.
final class StreamComparison: Comparison {
  static let name = "streams and retries"

  static func setup(using random: inout SeededGenerator) -> StreamSetup {
    StreamSetup(
      isLive: Int.random(in: 0..<3, using: &random) > 0, isDeaf: .random(using: &random),
      retries: [0, 1, 2, 5].randomElement(using: &random) ?? 0, pause: .random(in: 0...3, using: &random),
      timeout: [nil, 1, 3, 6].randomElement(using: &random) ?? nil,
      width: [nil, 1].randomElement(using: &random) ?? nil)
  }

  static func command(using random: inout SeededGenerator) -> StreamCommand {
    switch Int.random(in: 0..<50, using: &random) {
    case 0..<6: .start
    case 6: .reload
    case 7: .refresh
    case 8: .cancel
    case 9: .reset
    case 10: .invalidate
    case 11: .setValue
    case 12: .setError
    case 13: .receive
    case 14, 15: .close
    case 16..<19: .open
    case 19: .closeAndOpen
    case 20..<30: .tick
    case 30..<37: .element
    case 37: .end
    case 38..<45: .fail
    case 45, 46: .interrupt
    default: .late
    }
  }

  static func simpler(than command: StreamCommand) -> [StreamCommand] { [] }

  private let setup: StreamSetup
  private var world: StreamWorld?

  init(_ setup: StreamSetup) { self.setup = setup }

  // In tasks of their own: one that prefers an executor leaves the main actor at each call.
  func perform(_ command: StreamCommand) async -> String? {
    let world = await present
    return await Task { @MainActor in await world.perform(command) }.value
  }

  func finish() async -> String? {
    let world = await present
    return await Task { @MainActor in await world.finish() }.value
  }

  private var present: StreamWorld {
    get async {
      if let world { return world }
      let world = await StreamWorld(setup)
      self.world = world
      return world
    }
  }
}

/// The two, on the main actor: what waits there has its turns in order.
@MainActor
private final class StreamWorld {
  private var model: StreamModel
  private let clock = ManualClock()
  private let gate: LoadGate
  private let server: Server
  private let resource: AsyncResource<Int>
  private var count = 0

  @MainActor
  private final class Server {
    var connections: [ServerStream] = []

    func connect(isDeaf: Bool) -> ServerStream {
      let stream = ServerStream(isDeaf: isDeaf)
      connections.append(stream)
      return stream
    }
  }

  init(_ setup: StreamSetup) {
    model = StreamModel(setup)
    let (server, gate) = (Server(), LoadGate(width: setup.width))
    (self.server, self.gate) = (server, gate)
    let retry = RetryPolicy { failed in failed.count <= setup.retries ? .seconds(setup.pause) : nil }
    let options = LoadOptions(
      retry: retry, timeout: setup.timeout.map { .seconds($0) }, clock: clock, gate: gate)
    if setup.isLive {
      resource = AsyncResource(
        options: options, live: { server.connect(isDeaf: setup.isDeaf) })
    } else {
      resource = AsyncResource(options: options) { () -> Int? in
        var elements = server.connect(isDeaf: setup.isDeaf).makeAsyncIterator()
        return try await elements.next(isolation: MainActor.shared)
      }
    }
  }

  func perform(_ command: StreamCommand) async -> String? {
    count += 1
    await apply(command)
    await rest()
    return difference
  }

  /// Gives all that follows from a command its turns on the main actor. A task that returns by way of the pool of threads takes
  /// more of them, so there are enough for a disagreement to be one.
  private func rest() async {
    for turn in 0..<400 where turn < 20 || difference != nil { await letOthersRun(isolation: MainActor.shared) }
  }

  private func apply(_ command: StreamCommand) async {
    switch command {
    case .start:
      resource.start()
      model.start()
    case .reload:
      resource.reload()
      model.begin()
    case .refresh:
      resource.refresh(superseding: true)
      model.begin()
    case .cancel:
      resource.cancel()
      model.endAll()
    case .reset:
      resource.reset()
      model.reset()
    case .invalidate:
      if !resource.isRunning { resource.invalidate() }
      model.invalidate()
    case .setValue:
      resource.data.value = count
      model.set(count)
    case .setError:
      resource.data.error = Failure(name: StreamError.byHand.rawValue)
      model.setError()
    case .receive:
      resource.receive(count)
      model.receive(count)
    case .tick:
      await clock.advance(by: .seconds(1))
      model.tick()
    case .open: set(isOpen: true)
    case .close: set(isOpen: false)
    case .closeAndOpen:
      set(isOpen: false)
      set(isOpen: true)
    case .element:
      answer(.success(count))
      model.element(count)
    case .end:
      answer(.success(nil))
      model.end()
    case .fail:
      answer(.failure(Failure(name: StreamError.failed.rawValue)))
      model.fail(.failed)
    case .interrupt:
      answer(.failure(CancellationError()))
      model.fail(.interrupted)
    case .late:
      for (index, stream) in server.connections.enumerated() where index + 1 != model.connection {
        stream.answer(count.isMultiple(of: 2) ? .success(-1) : .failure(Failure(name: "late")))
      }
    }
  }

  private func set(isOpen: Bool) {
    if isOpen { gate.open() } else { gate.close() }
    model.set(isOpen: isOpen)
  }

  private func answer(_ answer: Result<Int?, any Error>) {
    if let connection = model.connection { server.connections[connection - 1].answer(answer) }
  }

  private var difference: String? {
    if server.connections.count != model.connections {
      return "\(server.connections.count) connections, expected \(model.connections)"
    }
    for (index, stream) in server.connections.enumerated() {
      if index + 1 == model.connection, !stream.isRead { return "the connection is not read" }
      if index + 1 != model.connection, stream.isRead, !model.setup.isDeaf {
        return "connection \(index + 1) was not left"
      }
    }
    let snapshot = resource.snapshot
    if snapshot.value != model.value { return "value \(snapshot.value as Any), expected \(model.value as Any)" }
    if word(snapshot.error) != model.error?.rawValue {
      return "error \(word(snapshot.error) as Any), expected \(model.error as Any)"
    }
    if snapshot.isRunning != (model.load != nil) { return "runs: \(snapshot.isRunning)" }
    if resource.isWaiting != model.isWaiting { return "waits: \(resource.isWaiting)" }
    let failures = snapshot.activity?.failures ?? 0
    if failures != model.load?.failures ?? 0 { return "\(failures) failures, expected \(model.load?.failures ?? 0)" }
    if resource.isStale != model.isStale { return "stale: \(resource.isStale)" }
    if clock.sleeperCount != model.sleeperCount {
      return "\(clock.sleeperCount) sleepers, expected \(model.sleeperCount)"
    }
    // Without a width only what has waited is counted.
    if gate.width == nil || gate.roomCount == model.roomCount { return nil }
    return "\(gate.roomCount) have room, expected \(model.roomCount)"
  }

  private func word(_ error: (any Error)?) -> String? {
    switch error {
    case let failure as Failure: failure.name
    case is LoadTimeoutError: StreamError.timeout.rawValue
    case is RequestInterruptedError: StreamError.interrupted.rawValue
    case let other?: "\(other)"
    case nil: nil
    }
  }

  /// Nothing is left after a cancel, when the server has answered everything.
  func finish() async -> String? {
    if let reason = await perform(.open) { return reason }
    if let reason = await perform(.cancel) { return reason }
    if let reason = await perform(.late) { return reason }
    await resource.settled()
    return server.connections.contains { $0.isRead } ? "a connection is left" : difference
  }
}
