// SPDX-License-Identifier: MIT
import Foundation

/// What a figure counts, and how it is written.
enum Unit {
  case times
  case nanoseconds
  case bytes
  case allocations
  case percent
  case entries
  case blocks

  func text(_ value: Double) -> String {
    guard !value.isNaN else { return "not counted" }
    return switch self {
    case .times: "\(number(value, value < 0.1 ? 3 : value < 10 ? 2 : 1)) ×"
    case .nanoseconds: "\(number(value, value < 100 ? 1 : 0)) ns"
    case .bytes: "\(number(value, 0)) bytes"
    case .allocations: number(value, 2)
    case .entries, .blocks: number(value, 0)
    case .percent: "\(number(value * 100, 2)) %"
    }
  }

  /// With at most so many decimal places, and a comma after each thousand.
  private func number(_ value: Double, _ places: Int) -> String {
    value.formatted(.number.precision(.fractionLength(0...places)).locale(Locale(identifier: "en_US")))
  }
}
