// SPDX-License-Identifier: MIT
import AsyncStateTesting

/// What happens to outboxes whose store is slow.
enum SlowStoreCommand {
  enum Answer { case success, failure, refusal }

  /// In one of the rows; nil: a row is created.
  case perform(Int?, keepsHandle: Bool)
  /// An observer of the outbox performs it, in the turn of the next answer.
  case performAfterAnswer(Int)
  /// The store continues with so many uses, one after another.
  case goOn(SlowStore.End, times: Int)
  /// To one of the requests, also to one that was given up.
  case answer(Int, Answer)
  case cancel(Int)
  /// A person looks at what is in the store, to choose from it later, when it may be otherwise.
  case list
  case discard(Int)
  case replace(Int)
  case discardAll
  case retry
  case retryAside(Int)
  case resume
  case toggleGate
  /// The next command that needs an outbox makes another one.
  case release

  static func random(using random: inout SeededGenerator) -> SlowStoreCommand {
    let place = Int.random(in: 0..<6, using: &random)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<6: return .perform(nil, keepsHandle: place > 2)
    case 6..<20: return .perform(place, keepsHandle: Bool.random(using: &random))
    case 20..<22: return .performAfterAnswer(place)
    case 22..<44: return .goOn(.succeeds, times: place + 1)
    case 44..<49: return .goOn(.fails, times: 1)
    case 49..<54: return .goOn(.failsLate, times: 1)
    case 54..<65: return .answer(place, .success)
    case 65..<68: return .answer(place, .failure)
    case 68..<73: return .answer(place, .refusal)
    case 73..<77: return .cancel(place)
    case 77: return .list
    case 78..<80: return .discard(place)
    case 80..<84: return .replace(place)
    case 84: return .discardAll
    case 85, 86: return .retry
    case 87..<91: return .retryAside(place)
    case 91..<95: return .resume
    case 95, 96: return .toggleGate
    default: return .release
    }
  }

  /// Commands that do less, and may fail just as well.
  var simpler: [SlowStoreCommand] {
    switch self {
    case .perform(let row, true): [.perform(row, keepsHandle: false)]
    case .goOn(.succeeds, let times) where times > 1: (1..<times).map { .goOn(.succeeds, times: $0) }
    case .goOn(.fails, _): [.goOn(.succeeds, times: 1)]
    case .goOn(.failsLate, _): [.goOn(.succeeds, times: 1), .goOn(.fails, times: 1)]
    case .answer(let place, let answer) where place > 0: (0..<place).map { .answer($0, answer) }
    case .cancel(let place) where place > 0: (0..<place).map { .cancel($0) }
    default: []
    }
  }
}
