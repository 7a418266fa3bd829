// SPDX-License-Identifier: MIT
import AsyncState

/// What is fixed for one sequence of commands to a family.
struct FamilySetup: CustomStringConvertible {
  var keepIdle: Int
  var staleAfter: Int?
  var width: Int
  /// Nil: there is no store.
  var role: StoreRole?
  var hasJournal = false

  static func random(using random: inout SeededGenerator) -> FamilySetup {
    FamilySetup(
      keepIdle: [0, 1, 2, .max].randomElement(using: &random)!,
      staleAfter: [nil, 1, 3].randomElement(using: &random)!,
      width: Int.random(in: 1...2, using: &random),
      role: [nil, .cache, .cache, .truth].randomElement(using: &random)!, hasJournal: .random(using: &random))
  }

  var description: String {
    "keepIdle \(keepIdle), staleAfter \(staleAfter as Any), width \(width), store \(role as Any)\(hasJournal ? ", recorded" : "")"
  }
}

/// What can be done at any time, in notifications, too.
enum FamilyAction: CustomStringConvertible {
  case start(Int, LoadCondition)
  case prefetch(Int)
  case hold(Int, screen: Int)
  case set(Int, Int)
  case reset(Int)
  case cancel(Int)
  case invalidateKey(Int)
  /// All keys with this remainder of division by two.
  case invalidateWhere(Int)
  case invalidateTag(AsyncTag)
  case open(Bool)
  case refreshStale
  case restore(Int, value: Int, age: Int?)

  var description: String {
    switch self {
    case .start(let key, let condition):
      "start \(key) when \(condition == .always ? "always" : "\(condition)".filter(\.isNumber))"
    case .prefetch(let key): "prefetch \(key)"
    case .hold(let key, let screen): "hold \(key) on screen \(screen)"
    case .set(let key, let value): "set \(key) to \(value)"
    case .reset(let key): "reset \(key)"
    case .cancel(let key): "cancel \(key)"
    case .invalidateKey(let key): "invalidate \(key)"
    case .invalidateWhere(let remainder): "invalidate where \(remainder)"
    case .invalidateTag(let tag):
      "invalidate "
        + ((0..<3).first { tag == AsyncTag("value", $0) }.map { "values \($0)" }
          ?? (tag == AsyncTag("remainder", 0) ? "even" : "odd"))
    case .open(let isOpen): isOpen ? "open" : "close"
    case .refreshStale: "refresh stale"
    case .restore(let key, let value, let age): "restore \(key) as \(value), age \(age.map(String.init) ?? "unknown")"
    }
  }

  static func random(using random: inout SeededGenerator) -> FamilyAction {
    let key = Int.random(in: 0..<FamilyCommand.keyCount, using: &random)
    switch Int.random(in: 0..<20, using: &random) {
    case 0...4: return .start(key, .random(using: &random))
    case 5: return .prefetch(key)
    case 6...8: return .hold(key, screen: Int.random(in: 0..<2, using: &random))
    case 9: return .set(key, Int.random(in: 0..<10, using: &random))
    case 10: return .reset(key)
    case 11: return .cancel(key)
    case 12: return .invalidateKey(key)
    case 13: return .invalidateWhere(key % 2)
    case 14...16:
      // In an order that is the same in each run: a set's is not.
      let tags = [AsyncTag("remainder", key % 2), AsyncTag("value", Int.random(in: 0..<3, using: &random))]
      return .invalidateTag(tags.randomElement(using: &random)!)
    case 17: return .open(Bool.random(using: &random))
    case 18: return .refreshStale
    default:
      let age = [nil, -1, 0, 1, 2, 5].randomElement(using: &random)!
      return .restore(key, value: Int.random(in: 0..<10, using: &random), age: age)
    }
  }
}

extension LoadCondition {
  fileprivate static func random(using random: inout SeededGenerator) -> LoadCondition {
    [.always, .stale, .olderThan(.seconds(1)), .olderThan(.seconds(2)), .never].randomElement(using: &random)!
  }
}

/// What is done to a family from outside.
enum FamilyCommand: CustomStringConvertible {
  static let keyCount = 4

  case act(FamilyAction, inside: [FamilyAction])
  case drop(Int, screen: Int)
  case trim(Int?)
  case forget(Int)
  case forgetAll
  /// Answers one of the operations that run; nil: it fails.
  case answer(Int, Int?, inside: [FamilyAction])
  case read(Int, succeeds: Bool)
  case write(Int, succeeds: Bool)
  case remove(Int, succeeds: Bool)
  case tick

  static func random(using random: inout SeededGenerator) -> FamilyCommand {
    let index = Int.random(in: 0..<8, using: &random)
    let succeeds = Int.random(in: 0..<4, using: &random) > 0
    let inside = (0..<[0, 0, 0, 1, 2].randomElement(using: &random)!).map { _ in FamilyAction.random(using: &random) }
    switch Int.random(in: 0..<30, using: &random) {
    case 0...11: return .act(.random(using: &random), inside: inside)
    case 12...14: return .drop(index % keyCount, screen: Int.random(in: 0..<2, using: &random))
    case 15: return .trim([nil, 0, 1].randomElement(using: &random)!)
    case 16: return .forget(index % keyCount)
    case 17: return Int.random(in: 0..<2, using: &random) == 0 ? .forgetAll : .tick
    case 18...22: return .answer(index, succeeds ? Int.random(in: 0..<10, using: &random) : nil, inside: inside)
    case 23...24: return .read(index, succeeds: succeeds)
    case 25...26: return .write(index, succeeds: succeeds)
    case 27...28: return .remove(index, succeeds: succeeds)
    default: return .tick
    }
  }

  var description: String {
    switch self {
    case .act(let action, let inside): inside.isEmpty ? "\(action)" : "\(action), inside: \(inside)"
    case .drop(let key, let screen): "drop \(key) on screen \(screen)"
    case .trim(let count): "trim \(count as Any)"
    case .forget(let key): "forget \(key)"
    case .forgetAll: "forget all"
    case .answer(let index, let value, let inside): "answer \(index) with \(value as Any), inside: \(inside)"
    case .read(let index, let succeeds): "read \(index) \(succeeds ? "succeeds" : "fails")"
    case .write(let index, let succeeds): "write \(index) \(succeeds ? "succeeds" : "fails")"
    case .remove(let index, let succeeds): "removal \(index) \(succeeds ? "succeeds" : "fails")"
    case .tick: "tick"
    }
  }

  static func simpler(than command: FamilyCommand) -> [FamilyCommand] {
    switch command {
    case .act(let action, let inside) where !inside.isEmpty: [.act(action, inside: Array(inside.dropLast()))]
    case .answer(let index, let value, let inside) where !inside.isEmpty:
      [.answer(index, value, inside: Array(inside.dropLast())), .answer(index, value, inside: [])]
    case .answer(let index, let value?, _) where value != 0: [.answer(index, 0, inside: [])]
    default: []
    }
  }
}
