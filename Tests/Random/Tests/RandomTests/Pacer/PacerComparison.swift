// SPDX-License-Identifier: MIT
@testable import AsyncState
@testable import AsyncStateTesting

/// Two hosts that share a pacer, beside their models.
final class PacerComparison: Comparison {
  static let name = "pacer"

  static func setup(using random: inout SeededGenerator) -> PacerSetup { .random(using: &random) }
  static func command(using random: inout SeededGenerator) -> PacerCommand { .random(using: &random) }
  static func simpler(than command: PacerCommand) -> [PacerCommand] {
    if case .ticks(let count) = command, count > 1 { [.ticks(1)] } else { [] }
  }

  private let setup: PacerSetup
  private let clock = ManualClock()
  private let systems: [PacerUnderTest]
  private var models: [PacerModel?]

  init(_ setup: PacerSetup) {
    self.setup = setup
    let pacer = DisplayPacer(delay: .seconds(setup.delay), minimum: .seconds(setup.minimum), clock: clock)
    systems = (0..<2).map { _ in PacerUnderTest(setup, pacer) }
    models = [PacerModel(setup), PacerModel(setup)]
    // One with a journal and one without, which must be the same.
    systems[0].record(clock)
  }

  func perform(_ command: PacerCommand) async -> String? {
    switch command {
    case .to(let host, let action):
      guard models[host] != nil else { return nil }
      begin()
      await systems[host].perform(action)
      models[host]?.perform(action)
      return difference()
    case .ticks(let count):
      for _ in 0..<count {
        begin()
        await clock.advance(by: .seconds(1))
        await ModelActor.idle()
        for host in models.indices { models[host]?.tick() }
        if let reason = difference() { return reason }
      }
      return nil
    case .release(let host):
      begin()
      systems[host].release()
      models[host] = nil
      return difference()
    }
  }

  private func begin() {
    for host in models.indices {
      systems[host].begin()
      models[host]?.begin()
    }
  }

  private func difference() -> String? {
    for (host, system) in systems.enumerated() {
      guard let model = models[host] else { continue }
      if system.shown != model.shown { return "host \(host) showed \(system.shown), expected \(model.shown)" }
      let expected = model.onShow.map { [$0] } ?? []
      if system.surface != expected { return "host \(host): displayed \(system.surface), expected \(expected)" }
      let status = system.host.map { PacerModel.Status($0.status) }
      if status != model.status { return "host \(host) means \(status as Any), expected \(model.status)" }
      if let difference = system.difference { return "host \(host): \(difference)" }
    }
    let waiting = models.filter { $0?.isWaiting == true }.count
    return clock.sleeperCount == waiting ? nil : "\(clock.sleeperCount) sleepers, expected \(waiting)"
  }

  /// Waits until all has settled: then what is displayed is the meaning of the data.
  func finish() async -> String? {
    if let reason = await perform(.ticks(setup.delay + setup.minimum)) { return "at the end: \(reason)" }
    for (host, system) in systems.enumerated() where models[host] != nil && system.host?.hasStarted == true {
      let status = system.host.map { PacerModel.Status($0.status) }
      if system.surface != [status] { return "host \(host): \(system.surface) stays displayed for \(status as Any)" }
    }
    for host in systems.indices {
      if let reason = await perform(.release(host)) { return "at the end: \(reason)" }
    }
    await ModelActor.idle()
    if let open = systems[0].journal?.differenceAtRest() { return open }
    return clock.sleeperCount == 0 ? nil : "\(clock.sleeperCount) sleepers are left"
  }
}
