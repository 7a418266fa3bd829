// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting

/// A container beside its model.
final class ContainerComparison: Comparison {
  static let name = "container"

  static func setup(using random: inout SeededGenerator) -> ContainerSetup { .random(using: &random) }

  static func command(using random: inout SeededGenerator) -> ContainerCommand {
    // Numbers of states are taken modulo what there is, so that a command fits every setup.
    var command = ContainerCommand(action: action(using: &random))
    while Int.random(in: 0..<3, using: &random) == 0 {
      // Several in one callback are what makes a line.
      let last = Bool.random(using: &random) ? command.inside.last?.callback : nil
      let callback = last ?? Int.random(in: 0..<24, using: &random)
      command.inside.append(.init(callback: callback, action: .random(stateCount: 5, using: &random)))
    }
    return command
  }

  private static func action(using random: inout SeededGenerator) -> ContainerCommand.Action {
    switch Int.random(in: 0..<20, using: &random) {
    case 4: .cancel(Int.random(in: 0..<3, using: &random))
    case 0: .transition(Int.random(in: 0..<5, using: &random), animated: .random(using: &random))
    case 1: .now(.letGo(Int.random(in: 0..<4, using: &random)))
    case 2, 3: .ticks(Int.random(in: 1...8, using: &random))
    default: .now(.random(stateCount: 5, using: &random))
    }
  }

  static func simpler(than command: ContainerCommand) -> [ContainerCommand] {
    command.inside.withoutOne.map { ContainerCommand(action: command.action, inside: $0) }
  }

  private let system: ContainerUnderTest
  private var model: ContainerModel
  private var laws = ContainerLaws()

  init(_ setup: ContainerSetup) {
    system = ContainerUnderTest(setup)
    model = ContainerModel(setup)
  }

  func perform(_ command: ContainerCommand) async -> String? {
    await system.perform(command)
    model.perform(command)
    return difference()
  }

  private func difference() -> String? {
    if system.trace != model.trace {
      return "called   \(system.trace)\nexpected \(model.trace)"
    }
    if let broken = laws.hear(system.trace, cast: { system.setup.cast[$0] }) ?? system.journal?.difference() {
      return broken
    }
    if system.outcomes != model.outcomes { return "outcomes \(system.outcomes), expected \(model.outcomes)" }
    guard let container = system.container else { return model.isGone ? nil : "the container is deallocated" }
    if model.isGone { return "the container is not gone" }
    let read = (system.state, system.surface, container.isTransitioning, container.appearance)
    let expected = (model.state, model.surface, model.isTransitioning, model.appearance)
    if read != expected { return "reads \(read), expected \(expected)" }
    return laws.rest(surface: read.1, isTransitioning: read.2, appearance: read.3)
  }

  /// Disappears, so that callers that wait for a transition continue, and ends all animations.
  func finish() async -> String? {
    while !model.isGone && model.appearance != .gone {
      let step = ContainerAction.step(turningBack: false, animated: false)
      if let reason = await perform(.init(action: .now(step))) { return "at the end: \(reason)" }
    }
    // Longer than any animation with its delay.
    if let reason = await perform(.init(action: .ticks(13))) { return "at the end: \(reason)" }
    if model.isGone { return nil }
    if model.outcomes.count != model.waiterCount { return "not every caller has an outcome" }
    if model.isTransitioning { return "a transition is left open" }
    let sleepers = system.clock.sleeperCount
    if model.agendaCount > 0 || sleepers > 0 { return "\(sleepers) sleepers are left" }
    if let reason = await perform(.init(action: .now(.release))) { return "at the end: \(reason)" }
    return system.journal?.differenceAtRest()
  }
}
