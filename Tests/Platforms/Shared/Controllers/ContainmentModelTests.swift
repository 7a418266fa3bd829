// SPDX-License-Identifier: MIT
import AsyncStateUI
import Testing
import Toolkit

/// Sequences of everything that happens to a screen, against the order that Apple documents.
extension ToolkitTests {
  @MainActor
  struct ContainmentModelTests {
    private func findings(_ commands: [World.Command], isLogging: Bool = false) -> [String] {
      let world = World(isLogging: isLogging)
      defer { StandIn.reset() }
      for command in commands {
        world.carryOut(command)
        if isLogging { world.log?.append("> \(command)") }
        if !world.violations.isEmpty { return world.violations + (world.log ?? []) }
      }
      world.settle()
      let atRest = world.findings()
      return atRest.isEmpty ? world.close() : atRest
    }

    @Test(
      "15.1 ten thousand random sequences, three containers deep, keep Apple's order and leave nothing open",
      arguments: 0..<10)
    func randomSequences(part: Int) {
      for seed in stride(from: part, to: Sequences.count, by: 10) {
        var generator = Generator(seed: seed)
        let commands = (0..<40).map { _ in World.Command.random(using: &generator) }
        let found = findings([.push(animated: false)] + commands)
        guard found.isEmpty else {
          let shortest = shrink([.push(animated: false)] + commands)
          let lines = shortest.map { "\($0)" }.joined(separator: "\n")
          Issue.record("Seed \(seed): \(findings(shortest, isLogging: true))\n\(lines)")
          return
        }
      }
    }

    private func shrink(_ commands: [World.Command]) -> [World.Command] {
      var commands = commands
      var index = 0
      while index < commands.count {
        var shorter = commands
        shorter.remove(at: index)
        if findings(shorter).isEmpty { index += 1 } else { (commands, index) = (shorter, 0) }
      }
      return commands
    }

    @Test("15.1 a screen is released with everything in it, in the middle of a transition, too")
    func release() async {
      weak var screen: ViewController?
      weak var leaf: ViewController?
      do {
        let world = World()
        world.carryOut(.push(animated: false))
        world.carryOut(.request(level: 0, state: 6, animated: true))
        screen = world.screens[0]
        leaf = world.leaves.last
        StandIn.reset()
      }
      // What the release of an animation ends is carried out when the main actor is free.
      await Task { @MainActor in }.value
      #expect(screen == nil)
      #expect(leaf == nil)
    }
  }
}
