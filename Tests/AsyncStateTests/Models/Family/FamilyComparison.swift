// SPDX-License-Identifier: MIT
import AsyncStateTesting
import Testing

/// A family beside its model.
final class FamilyComparison: Comparison {
  static let name = "family"

  static func setup(using random: inout SeededGenerator) -> FamilySetup { .random(using: &random) }
  static func command(using random: inout SeededGenerator) -> FamilyCommand { .random(using: &random) }
  static func simpler(than command: FamilyCommand) -> [FamilyCommand] { FamilyCommand.simpler(than: command) }

  private let system: FamilyUnderTest
  private let model: FamilyModel

  init(_ setup: FamilySetup) {
    system = FamilyUnderTest(setup)
    model = FamilyModel(setup)
  }

  func perform(_ command: FamilyCommand) async -> String? {
    await system.perform(command)
    model.perform(command)
    if let reason = system.image.difference(from: model.image) ?? system.difference { return reason }
    return system.clock.sleeperCount == 0 ? nil : "a sleeper is in the clock"
  }

  func finish() async -> String? {
    // What was invalidated in whatever way is requested when the board is opened, and everything ends well.
    for isOpen in [false, true] {
      if let reason = await perform(.act(.open(isOpen), inside: [])) { return reason }
    }
    while let command = model.ending {
      if let reason = await perform(command) { return "\(command) at the end: \(reason)" }
    }
    if let reason = model.differenceAtRest { return reason }
    await system.end()
    return system.differenceAtRest
  }
}

extension AllTests {
  @ModelActor
  struct FamilyModelTests {
    @Test("10, 11, 12 whatever is held, requested, invalidated, stored and forgotten, in whatever order")
    func random() async {
      await check(FamilyComparison.self, seeds: 300, steps: 60)
    }
  }
}
