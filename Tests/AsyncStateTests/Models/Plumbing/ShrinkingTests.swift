// SPDX-License-Identifier: MIT
import Testing

extension AllTests {
  /// The machinery itself, with a system that is known to be wrong: a search that finds nothing proves nothing.
  @ModelActor
  struct ShrinkingTests {
    /// A file that loses what was written to it, if that was three or more and the file was open, when it is closed.
    final class LossyFile: Comparison {
      enum Command: Equatable, CustomStringConvertible {
        case open
        case write(Int)
        case close
        case look

        var description: String {
          switch self {
          case .open: "open"
          case .write(let amount): "write \(amount)"
          case .close: "close"
          case .look: "look"
          }
        }
      }

      static let name = "file"
      static func setup(using random: inout SeededGenerator) -> String { "empty" }
      static func command(using random: inout SeededGenerator) -> Command {
        [.open, .write(Int.random(in: 1...9, using: &random)), .close, .look, .look].randomElement(using: &random)!
      }
      static func simpler(than command: Command) -> [Command] {
        if case .write(let amount) = command { (1..<amount).map(Command.write) } else { [] }
      }

      private var isOpen = false
      private var written = 0

      init(_ setup: String) {}

      func perform(_ command: Command) -> String? {
        switch command {
        case .open:
          isOpen = true
          written = 0
        case .write(let amount): written = amount
        case .look: break
        case .close:
          defer { isOpen = false }
          if isOpen && written >= 3 { return "lost \(written)" }
        }
        return nil
      }

      func finish() -> String? { nil }
    }

    static let shortestFailure: [LossyFile.Command] = [.open, .write(3), .close]

    @Test(
      "5.16 a sequence of hundreds of commands shrinks to the three that matter", arguments: 0..<20 as Range<UInt64>)
    func shrinks(seed: UInt64) async throws {
      var random = SeededGenerator(seed: seed)
      let commands = (0..<500).map { _ in LossyFile.command(using: &random) }
      let failure = try #require(await disagreement(LossyFile.self, "", commands))
      expectEqual(failure.commands, Array(commands.prefix(failure.commands.count)))
      let shortest = await shortest(LossyFile.self, "", failure)
      expectEqual(shortest.commands, Self.shortestFailure)
      expectEqual(shortest.reason, "lost 3")
    }

    @Test("5.16 what fails is never longer than what it was found in, and few parts are tried")
    func fewTries() async {
      let noise = Array(repeating: LossyFile.Command.look, count: 300)
      var tries = 0
      let shortest = await shrink(
        noise + [.open] + noise + [.write(9)] + noise + [.close], simpler: LossyFile.simpler
      ) {
        tries += 1
        return await disagreement(LossyFile.self, "", $0) != nil
      }
      expectEqual(shortest, Self.shortestFailure)
      expect(tries < 120)
    }

    @Test("5.16 the first disagreement is found, with its seed and the shortest sequence")
    func finds() async {
      let finding = await search(LossyFile.self, seeds: 3, steps: 500)
      expectEqual(finding, "file, seed 0: lost 3\nempty\n  open\n  write 3\n  close")
    }

    @Test("5.16 what follows from a call has happened when the actor is idle, however many turns it takes")
    func idle() async {
      var log: [Int] = []
      Task { @ModelActor in
        log.append(1)
        Task { @ModelActor in
          log.append(2)
          Task { @ModelActor in log.append(3) }
        }
      }
      await ModelActor.idle()
      expectEqual(log, [1, 2, 3])
    }
  }
}
