// SPDX-License-Identifier: MIT
import AsyncState

extension FormerValue {
  static let all: [FormerValue] = [.hidden, .untilAnswered]

  static func random(using random: inout SeededGenerator) -> FormerValue { all.randomElement(using: &random)! }
}
