// SPDX-License-Identifier: MIT
@testable import AsyncState
import Testing

extension AllTests {
  struct WaitingLineTests {
    @Test("5.16 what waits has its turn in order, and leaves no room behind")
    func turns() {
      for seed in 0..<20 as Range<UInt64> {
        var random = SeededGenerator(seed: seed)
        var line = WaitingLine<Int>()
        var expected: [Int] = []
        for number in 0..<500 {
          if Bool.random(using: &random) {
            line.append(number)
            expected.append(number)
          } else {
            expectEqual(line.takeFirst(), expected.isEmpty ? nil : expected.removeFirst())
          }
          expectEqual(line.count, expected.count)
          expectEqual(line.isEmpty, expected.isEmpty)
        }
      }
    }
  }
}
