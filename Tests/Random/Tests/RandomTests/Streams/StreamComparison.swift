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

  private var model: StreamModel
  private let clock = ManualClock()
  private let gate: LoadGate
  private let server = StreamServer()
  private let resource: AsyncResource<Int>
  private var count = 0

  init(_ setup: StreamSetup) {
    model = StreamModel(setup)
    gate = LoadGate(width: setup.width)
    let retry = RetryPolicy { failed in failed.count <= setup.retries ? .seconds(setup.pause) : nil }
    let options = LoadOptions(retry: retry, timeout: setup.timeout.map { .seconds($0) }, clock: clock, gate: gate)
    resource = AsyncResource(isolation: ModelActor.shared, options: options) { [server] in
      if setup.isLive {
        .live { server.connect(isDeaf: setup.isDeaf) }
      } else {
        .value {
          var elements = server.connect(isDeaf: setup.isDeaf).makeAsyncIterator()
          return try await elements.next(isolation: ModelActor.shared)
        }
      }
    }
  }

  func perform(_ command: StreamCommand) async -> String? {
    count += 1
    await apply(command)
    await arrive()
    return difference
  }

  /// Suspends until what the model expects of the command has happened. What it does not expect differs, in this step or in one
  /// of the next. In a step that differs it waits until the time limit of the test cancels it.
  private func arrive() async {
    await ModelActor.idle()
    guard difference != nil else { return }
    await expected()
    await ModelActor.idle()
  }

  private func expected() async {
    await server.has(model.connections, reading: model.connection)
    if dataDifference(resource.snapshot) != nil {
      for await snapshot in resource.observed.values where dataDifference(snapshot) == nil { break }
    }
    await clock.sleepers(atLeast: model.sleeperCount)
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
      resource.refresh()
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
      if index + 1 != model.connection, stream.isRead, !stream.isDeaf { return "connection \(index + 1) was not left" }
    }
    if let difference = dataDifference(resource.snapshot) { return difference }
    if clock.sleeperCount != model.sleeperCount {
      return "\(clock.sleeperCount) sleepers, expected \(model.sleeperCount)"
    }
    // Without a width only what has waited is counted.
    if gate.width == nil || gate.roomCount == model.roomCount { return nil }
    return "\(gate.roomCount) have room, expected \(model.roomCount)"
  }

  private func dataDifference(_ snapshot: AsyncSnapshot<Int>) -> String? {
    if snapshot.value != model.value { return "value \(snapshot.value as Any), expected \(model.value as Any)" }
    if word(snapshot.error) != model.error?.rawValue {
      return "error \(word(snapshot.error) as Any), expected \(model.error as Any)"
    }
    if snapshot.isRunning != (model.load != nil) { return "runs: \(snapshot.isRunning)" }
    if snapshot.isWaiting != model.isWaiting { return "waits: \(snapshot.isWaiting)" }
    let (failures, expected) = (snapshot.activity?.failures ?? 0, model.load?.failures ?? 0)
    if failures != expected { return "\(failures) failures, expected \(expected)" }
    return resource.isStale == model.isStale ? nil : "stale: \(resource.isStale)"
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
