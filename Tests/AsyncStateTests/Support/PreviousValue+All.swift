// SPDX-License-Identifier: MIT
import AsyncState

extension PreviousValue {
  static let all: [PreviousValue] = [.hidden, .untilAnswered]

  static func random(using random: inout SeededGenerator) -> PreviousValue { all.randomElement(using: &random)! }
}
