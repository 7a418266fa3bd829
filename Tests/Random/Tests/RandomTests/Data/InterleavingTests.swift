// SPDX-License-Identifier: MIT
import AsyncState
import Testing

extension AllTests {
  /// Four loads, ended in every order there is, with everything that can happen in between at every point.
  @ModelActor
  struct InterleavingTests {
    nonisolated static let orders = permutations(of: [0, 1, 2, 3])

    nonisolated static func permutations(of numbers: [Int]) -> [[Int]] {
      guard !numbers.isEmpty else { return [[]] }
      return numbers.flatMap { first in
        permutations(of: numbers.filter { $0 != first }).map { [first] + $0 }
      }
    }

    /// How an operation ends.
    enum End: CaseIterable { case answers, fails, givesUp }

    private func starts(isDeaf: Bool) -> [DataCommand.Action] {
      (0..<4).map { _ in .now([.start(LoadRequest(isDeaf: isDeaf))]) }
    }

    private func ending(_ number: Int, _ end: End, of count: Int) -> DataCommand.Action {
      let back = count - 1 - number
      return switch end {
      case .answers: .order(back, .answer([number]))
      case .fails: .order(back, .fail(number))
      case .givesUp: .order(back, .giveUp)
      }
    }

    @Test(
      "3.2 whatever the order in which they end, only the last load counts, whether the others listen or not",
      arguments: orders, [true, false])
    func onlyTheLast(order: [Int], isDeaf: Bool) async {
      for end in End.allCases {
        let system = DataUnderTest(DataSetup())
        await ModelActor.stay {
          for action in starts(isDeaf: isDeaf) { await system.perform(DataCommand(action: action)) }
          for number in order {
            await system.perform(DataCommand(action: ending(number, end, of: 4)))
            // The data is as it was until the last load has ended.
            let hasEnded = order.firstIndex(of: 3)! <= order.firstIndex(of: number)!
            #expect(system.data?.isRunning == !hasEnded)
          }
        }
        let last: DataOutcome =
          switch end {
          case .answers: .value([3])
          case .fails: .failure(3)
          case .givesUp: .failure(Trouble.interruption)
          }
        #expect(system.outcomes == [0: .superseded, 1: .superseded, 2: .superseded, 3: last])
        #expect(system.data?.value == (end == .answers ? [3] : nil))
        #expect((system.data?.error != nil) == (end != .answers))
        await system.operationsEnd()
      }
    }

    static let events: [DataCommand.Action] = [
      .now([.cancel]), .now([.start(LoadRequest(isDeaf: true))]), .now([.set([9])]), .now([.reset]), .release,
    ]

    @Test(
      "3.2, 3.3, 1.6 a cancel, another load, a write, a reset and a release, at every point between the ends",
      arguments: orders, [true, false])
    func withEvents(order: [Int], isDeaf: Bool) async {
      for event in Self.events {
        for point in 0...4 {
          var actions = starts(isDeaf: isDeaf)
          for (place, number) in order.enumerated() {
            if place == point { actions.append(event) }
            let isStarted = event == Self.events[1] && place >= point
            actions.append(ending(number, .answers, of: isStarted ? 5 : 4))
          }
          if point == 4 { actions.append(event) }
          let commands = actions.map { DataCommand(action: $0) }
          let reason = await disagreement(DataComparison.self, DataSetup(), commands)?.reason
          #expect(reason == nil, "\(event) at \(point)")
        }
      }
    }
  }
}
