// SPDX-License-Identifier: MIT
import AsyncState

/// What can be done to a host with a pacer.
enum PacerAction: Equatable {
  /// The first request.
  case load
  /// What a reload control calls.
  case reload
  /// What pull to refresh calls.
  case refresh
  case start(LoadMode)
  /// The load that runs yields.
  case yield(Int)
  case answer(Int?)
  case fail
  case cancel
  case set(Int?)
  case setError
  case clearError
  case reset
  case invalidate

  static func random(using random: inout SeededGenerator) -> PacerAction {
    let value = [1, 1, 2, 3].randomElement(using: &random)!
    switch Int.random(in: 0..<30, using: &random) {
    case 0..<4: return .load
    case 4: return .reload
    case 5: return .refresh
    case 6..<10: return .start(.random(using: &random) ? .reload : .refresh)
    case 10, 11: return .yield(value)
    case 12..<16: return .answer(value)
    case 16: return .answer(nil)
    case 17, 18: return .fail
    case 19..<22: return .cancel
    case 22, 23: return .set(value)
    case 24: return .set(nil)
    case 25: return .setError
    case 26: return .clearError
    case 27: return .reset
    default: return .invalidate
    }
  }
}

/// What a sequence for two hosts that share a pacer is made of.
enum PacerCommand {
  /// To the first host or to the second.
  case to(Int, PacerAction)
  case ticks(Int)
  case release(Int)

  static func random(using random: inout SeededGenerator) -> PacerCommand {
    let host = Int.random(in: 0..<4, using: &random) == 0 ? 1 : 0
    switch Int.random(in: 0..<40, using: &random) {
    case 0..<26: return .to(host, .random(using: &random))
    case 26: return Int.random(in: 0..<4, using: &random) == 0 ? .release(host) : .ticks(1)
    default: return .ticks([1, 1, 1, 2, 3].randomElement(using: &random)!)
    }
  }
}

/// What two hosts are made with: fixed for one sequence. In ticks.
struct PacerSetup {
  var delay: Int
  var minimum: Int
  var seed: Int?
  /// What a host's request does.
  var request: PacerAction

  static func random(using random: inout SeededGenerator) -> PacerSetup {
    PacerSetup(
      delay: Int.random(in: 0...3, using: &random), minimum: Int.random(in: 0...4, using: &random),
      seed: Int.random(in: 0..<4, using: &random) == 0 ? 0 : nil,
      request: [.start(.reload), .start(.reload), .set(1), .setError].randomElement(using: &random)!)
  }
}
