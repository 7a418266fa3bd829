// SPDX-License-Identifier: MIT
/// What can happen to an outbox, its gate and its server.
enum OutboxCommand: CustomStringConvertible {
  enum Answer: CaseIterable {
    case success, failure, refusal
  }

  case perform(lane: Int)
  /// The observer of the state performs an input when the next one has succeeded.
  case performAfterSuccess(lane: Int)
  /// To one of those that are being sent.
  case answer(Int, Answer)
  /// One of the handles.
  case cancel(Int)
  case resume
  case toggleGate
  /// One of those that were set aside.
  case retry(Int)
  /// One of those in the store.
  case discard(Int)
  case replace(Int)
  case discardAll
  case restart

  static func random(using random: inout SeededGenerator) -> OutboxCommand {
    let place = Int.random(in: 0..<6, using: &random)
    switch Int.random(in: 0..<64, using: &random) {
    case 0..<20: return .perform(lane: place % 3)
    case 20, 21: return .performAfterSuccess(lane: place % 3)
    case 22..<36: return .answer(place, .success)
    case 36..<40: return .answer(place, .failure)
    case 40..<43: return .answer(place, .refusal)
    case 43..<47: return .cancel(place)
    case 47..<52: return .resume
    case 52..<54: return .toggleGate
    case 54, 55: return .retry(place)
    case 56: return .discard(place)
    case 57..<60: return .replace(place)
    case 60: return .discardAll
    default: return .restart
    }
  }

  var description: String {
    switch self {
    case .perform(let lane): "perform in lane \(lane)"
    case .performAfterSuccess(let lane): "perform in lane \(lane) after the next success"
    case .answer(let place, let answer): "\(answer) for \(place)"
    case .cancel(let place): "cancel \(place)"
    case .retry(let place): "retry \(place)"
    case .discard(let place): "discard \(place)"
    case .replace(let place): "replace \(place)"
    case .resume: "resume"
    case .toggleGate: "the gate opens or closes"
    case .discardAll: "discard all"
    case .restart: "restart"
    }
  }
}
