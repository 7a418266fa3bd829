// SPDX-License-Identifier: MIT
import Foundation
import SingleThread
import Workloads

/// Does one work a given number of times, the same way on every run, for a tool that counts instructions.
///
/// Without arguments it lists the works, each with how many operations are worth counting.
@main
struct InstructionProbe {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.isEmpty {
      for comparison in Comparison.all { print(comparison.batch, comparison.name, separator: "\t") }
    } else if let (contender, count) = parse(arguments) {
      run(contender, count)
    } else {
      fatalError("InstructionProbe: \(arguments) is not understood; expected: <count> <work> [<side>]")
    }
  }

  private static func parse(_ arguments: [String]) -> (Contender, Int)? {
    guard 2...3 ~= arguments.count, let count = Int(arguments[0]),
      let comparison = Comparison.all.first(where: { $0.name == arguments[1] }),
      let side = arguments.count == 3 ? Contender.Side(rawValue: arguments[2]) : .asyncState,
      let contender = comparison.contender(side)
    else { return nil }
    return (contender, count)
  }

  private static func run(_ contender: Contender, _ count: Int) -> Never {
    singleThreadBegin()
    Task {
      await Home(contender).run(count)
      exit(0)
    }
    singleThreadRun()
    fatalError("InstructionProbe: the work went on to another thread, so that what was counted is not all of it.")
  }
}
