// SPDX-License-Identifier: MIT
import Foundation

/// `Stress --list` prints the names of all programs. `Stress NAME SECONDS` runs one, over and over for so long.
@main
struct Stress {
  static func main() async {
    let arguments = CommandLine.arguments
    if arguments.dropFirst() == ["--list"] {
      for program in Program.all { print(program.name) }
      return
    }
    guard arguments.count == 3, let program = Program.all.first(where: { $0.name == arguments[1] }),
      let seconds = Double(arguments[2])
    else { fail("usage: Stress --list, or Stress NAME SECONDS") }
    let budget = Budget(seconds: seconds)
    await program.body(budget)
    print("\(program.name): \(budget.rounds) rounds")
  }
}

/// Something to do over and over, in a process of its own.
struct Program {
  let name: String
  let body: @MainActor (Budget) async -> Void

  init(_ name: String, _ body: @escaping @MainActor (Budget) async -> Void) {
    self.name = name
    self.body = body
  }

  @MainActor static var all: [Program] { releases + otherThreads }
}

/// The same on the main actor, on another actor, and on one with an executor of its own.
@MainActor
func everywhere(_ name: String, _ body: @escaping @Sendable (isolated any Actor) async -> Void) -> [Program] {
  let home = Home()
  let threadHome = ThreadHome()
  return [
    Program("\(name)-main") { while $0.next() { await body(MainActor.shared) } },
    Program("\(name)-actor") { budget in while budget.next() { await body(home) } },
    Program("\(name)-executor") { budget in while budget.next() { await body(threadHome) } },
  ]
}

/// How long a program runs.
@MainActor
final class Budget {
  private let end: ContinuousClock.Instant
  private(set) var rounds = 0

  init(seconds: Double) { end = .now + .seconds(seconds) }

  /// Whether there is time for another round. There always is for the first one.
  func next() -> Bool {
    guard rounds == 0 || ContinuousClock.now < end else { return false }
    rounds += 1
    return true
  }
}

/// Ends the process, and says why.
func fail(_ message: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line) -> Never {
  FileHandle.standardError.write(Data("stress: \(message()) (\(file):\(line))\n".utf8))
  exit(2)
}

/// Ends the process unless the condition is true.
func expect(
  _ condition: Bool, _ message: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) {
  if !condition { fail(message(), file: file, line: line) }
}
