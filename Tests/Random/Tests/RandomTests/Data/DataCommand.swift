// SPDX-License-Identifier: MIT
import AsyncState

/// How a load is requested.
struct LoadRequest: Equatable {
  var mode = LoadMode.reload
  var id: Int?
  /// How many ticks to wait after the first and after the second failure; nil: it is not tried again.
  var backOff: Int?
  /// In ticks.
  var timeout: Int?
  /// Whether the operation ignores that it is cancelled.
  var isDeaf = false

  static let retries = 2

  static func random(using random: inout SeededGenerator) -> LoadRequest {
    func perhaps(_ range: ClosedRange<Int>) -> Int? {
      Int.random(in: 0..<3, using: &random) == 0 ? Int.random(in: range, using: &random) : nil
    }
    return LoadRequest(
      mode: .random(using: &random) ? .reload : .refresh, id: perhaps(0...1),
      backOff: perhaps(-1...3), timeout: perhaps(0...6),
      isDeaf: .random(using: &random))
  }
}

/// What an operation does at its gate.
enum OperationOrder: Equatable {
  case yield([Int]?)
  case report(Double?)
  case answer([Int]?)
  /// It answers with the current value.
  case answerCurrent
  case fail(Int)
  /// It throws a `CancellationError` by itself.
  case giveUp

  static func random(using random: inout SeededGenerator) -> OperationOrder {
    switch Int.random(in: 0..<16, using: &random) {
    case 0..<3: .yield(.random(using: &random))
    case 3, 4: .report([nil, .nan, -.infinity, -0.5, 0, 0.25, 1, 7].randomElement(using: &random)!)
    case 5..<9: .answer(.random(using: &random))
    case 9, 10: .answerCurrent
    case 11..<15: .fail(Int.random(in: 0...3, using: &random))
    default: .giveUp
    }
  }
}

extension [Int]? {
  /// Often the same, and sometimes nothing.
  static func random(using random: inout SeededGenerator) -> [Int]? {
    [nil, [], [1], [1], [2], [3]].randomElement(using: &random)!
  }
}

/// One command for data: from outside, or inside a notification.
enum DataAction: Equatable {
  case start(LoadRequest)
  /// Starts a load that is answered by hand.
  case begin(LoadMode)
  case set([Int]?)
  case setError(Int?)
  case reset
  case invalidate
  case cancel
  /// Cancels the handle that was given so many before the last.
  case cancelHandle(Int)
  /// Answers the load that was begun by hand so many before the last.
  case answerPending(Int, [Int]?)
  case failPending(Int, Int)

  static func random(using random: inout SeededGenerator) -> DataAction {
    switch Int.random(in: 0..<25, using: &random) {
    case 0..<8: .start(.random(using: &random))
    case 8..<11: .set(.random(using: &random))
    case 11, 12: .setError([nil, 1, 2].randomElement(using: &random)!)
    case 13, 14: .reset
    case 15, 16: .invalidate
    case 17, 18: .cancel
    case 19, 20: .answerPending(Int.random(in: 0..<2, using: &random), .random(using: &random))
    case 21: .failPending(Int.random(in: 0..<2, using: &random), 4)
    case 22, 23: .begin([.reload, .refresh].randomElement(using: &random)!)
    default: .cancelHandle(Int.random(in: 0..<3, using: &random))
    }
  }
}

/// How a change that is shown already is decided.
enum Verdict: Equatable {
  case confirm
  case fail(Int)
  case giveUp
}

/// The parts of a sequence for data.
struct DataCommand {
  enum Action: Equatable {
    /// Several, before anything that follows from them has happened.
    case now([DataAction])
    /// A structured load, perhaps in a task that is cancelled already.
    case load(LoadRequest, inCancelledTask: Bool)
    /// To the operation that began so many before the last.
    case order(Int, OperationOrder)
    /// Cancels the task that began to wait so many before the last, if it waits for a structured load.
    case cancelWaiting(Int)
    /// Displays a change that adds a number at the end.
    case mutate(Int)
    case decide(Int, Verdict)
    case cancelMutation(Int)
    case ticks(Int)
    case release
  }

  var action: Action
  /// What is done inside notifications meanwhile: in the first, or in one so many later.
  var inside: [Inside<DataAction>] = []

  static func random(using random: inout SeededGenerator) -> DataCommand {
    var command = DataCommand(action: action(using: &random))
    if Int.random(in: 0..<5, using: &random) == 0 {
      command.inside = (0...Int.random(in: 0...1, using: &random)).map { _ in
        Inside(callback: Int.random(in: 0..<3, using: &random), action: .random(using: &random))
      }
    }
    return command
  }

  private static func action(using random: inout SeededGenerator) -> Action {
    let back = [0, 0, 0, 1, 1, 2, 3, 4].randomElement(using: &random)!
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<28:
      let count = [1, 1, 1, 2, 3].randomElement(using: &random)!
      return .now((0..<count).map { _ in .random(using: &random) })
    case 28..<36: return .load(.random(using: &random), inCancelledTask: Int.random(in: 0..<8, using: &random) == 0)
    case 36..<66: return .order(back, .random(using: &random))
    case 66..<70: return .cancelWaiting(back)
    case 70..<76:
      return .mutate(Int.random(in: 10...99, using: &random))
    case 76..<84:
      let verdict: Verdict =
        switch Int.random(in: 0..<8, using: &random) {
        case 0..<5: .confirm
        case 5, 6: .fail(4)
        default: .giveUp
        }
      return .decide(back, verdict)
    case 84..<86: return .cancelMutation(back)
    case 86..<99: return .ticks(Int.random(in: 1...4, using: &random))
    default: return Int.random(in: 0..<3, using: &random) == 0 ? .release : .ticks(1)
    }
  }

  var simpler: [DataCommand] {
    let all = inside.withoutOne.map { DataCommand(action: action, inside: $0) }
    guard case .now(let actions) = action, actions.count > 1 else { return all }
    return all + actions.withoutOne.map { DataCommand(action: .now($0), inside: inside) }
  }
}
