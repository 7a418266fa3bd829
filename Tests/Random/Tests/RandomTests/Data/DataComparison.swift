// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting

/// Data beside its model.
final class DataComparison: Comparison {
  static let name = "data"

  static func setup(using random: inout SeededGenerator) -> DataSetup { .random(using: &random) }
  static func command(using random: inout SeededGenerator) -> DataCommand { .random(using: &random) }
  static func simpler(than command: DataCommand) -> [DataCommand] { command.simpler }

  private let system: DataUnderTest
  private let model: DataModel

  init(_ setup: DataSetup) {
    system = DataUnderTest(setup)
    model = DataModel(setup)
  }

  func perform(_ command: DataCommand) async -> String? {
    await system.perform(command)
    model.perform(command)
    return difference()
  }

  private func difference() -> String? {
    let operations = system.operations
    if system.ear.received != model.received {
      return "called   \(words(system.ear.received))\nexpected \(words(model.received))"
    }
    if system.ear.observed != model.observed {
      return "observed \(system.ear.observed)\nexpected \(model.observed)"
    }
    if system.outcomes != model.outcomes { return "outcomes \(system.outcomes)\nexpected \(model.outcomes)" }
    if system.mutationOutcomes != model.mutationOutcomes {
      return "mutations \(system.mutationOutcomes)\nexpected  \(model.mutationOutcomes)"
    }
    if operations.count != model.operationCount {
      return "\(operations.count) operations, expected \(model.operationCount)"
    }
    if operations.read != model.read { return "read     \(operations.read)\nexpected \(model.read)" }
    if operations.refusals != model.refusals { return "\(operations.refusals) refusals, expected \(model.refusals)" }
    if system.clock.sleeperCount != model.sleeperCount {
      return "\(system.clock.sleeperCount) sleepers, expected \(model.sleeperCount)"
    }
    guard let data = system.data else { return model.isReleased ? nil : "the data is deallocated" }
    if model.isReleased { return "the data is not deallocated" }
    if DataImage(data.snapshot) != model.snapshot {
      return "reads \(DataImage(data.snapshot)), expected \(model.snapshot)"
    }
    if data.isStale != model.isStale { return "stale is \(data.isStale)" }
    return system.journal?.difference() ?? system.journal?.difference(of: "data", from: data.snapshot)
  }

  private func words(_ received: [Received]) -> String {
    received.map { "\($0.isForced ? "forced " : "")\($0.image)" }.joined(separator: ", ")
  }

  /// Ends every wait and every operation; then nothing may be left.
  func finish() async -> String? {
    var commands: [DataCommand.Action] = [.now([.cancel])]
    commands += (0..<model.waiterCount).filter(model.isWaiting).map { .cancelWaiting($0) }
    commands += (0..<model.mutationCount).map { .cancelMutation($0) }
    commands += (0..<model.operationCount).filter(model.isAtGate).map { .order($0, .fail(9)) }
    commands += [.release]
    for command in commands {
      if let reason = await perform(DataCommand(action: command)) { return "at the end, \(command): \(reason)" }
    }
    await system.operationsEnd()
    if !model.isReleased { return "the data is not released" }
    if system.outcomes.count != model.waiterCount { return "not every load has an outcome" }
    if system.mutationOutcomes.count != model.mutationCount { return "not every change has an outcome" }
    if let difference = system.journal?.differenceAtRest() { return difference }
    return system.clock.sleeperCount == 0 ? nil : "\(system.clock.sleeperCount) sleepers are left"
  }
}
