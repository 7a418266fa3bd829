// SPDX-License-Identifier: MIT
import AsyncState
import Testing

extension AllTests {
  /// Loads that overlap, whose operations end in every order: four at once, beside the model of data.
  @ModelActor
  struct InterleavingTests {
    nonisolated static let orders = permutations(of: [0, 1, 2, 3])

    nonisolated private static func permutations(of numbers: [Int]) -> [[Int]] {
      guard !numbers.isEmpty else { return [[]] }
      return numbers.flatMap { first in
        permutations(of: numbers.filter { $0 != first }).map { [first] + $0 }
      }
    }

    static let ends: [(Int) -> OperationOrder] = [{ .answer([$0]) }, { .fail($0) }, { _ in .giveUp }]

    static let events: [DataCommand.Action] = [
      .now([]), .now([.cancel]), .now([.start(LoadRequest(isDeaf: true))]), .now([.set([9])]), .now([.reset]), .release,
    ]

    @Test(
      "3.2, 3.3, 1.6 nothing, a cancel, another load, a write, a reset and a release, at every point between the ends",
      arguments: orders, [true, false])
    func allEnds(order: [Int], isDeaf: Bool) async {
      for event in Self.events {
        for end in Self.ends {
          for point in 0...4 {
            var actions = (0..<4).map { _ in DataCommand.Action.now([.start(LoadRequest(isDeaf: isDeaf))]) }
            for (place, number) in order.enumerated() {
              if place == point { actions.append(event) }
              let isStarted = event == Self.events[2] && place >= point
              actions.append(.order((isStarted ? 4 : 3) - number, end(number)))
            }
            if point == 4 { actions.append(event) }
            let failure = await disagreement(DataComparison.self, DataSetup(), actions.map { DataCommand(action: $0) })
            if let failure { Issue.record("\(event) at \(point): \(failure.reason)") }
          }
        }
      }
    }
  }
}
