// SPDX-License-Identifier: MIT
/// A step of screens that share their resources. A number names a key, a screen, a request or a caller, modulo how many
/// there are.
enum SharingCommand {
  case screen(Int, Screen)
  case entry(Int, Entry)
  case answer(Int, Answer)
  case call(Int, Call)
  case cancelCaller(Int)
  case key(Int?)
  case page(Int, Page)
  case board(isOpen: Bool)
  case invalidateTag
  case forgetAll
  /// A second passes.
  case tick

  enum Screen: CaseIterable { case start, refresh, reload, retryOfBoard, cancel, reset }
  enum Entry: CaseIterable {
    case cancel, write, writeError, invalidate, reset, forget, change, reload, begin, prefetch
  }
  enum Answer: CaseIterable { case value, nothing, failure, cancellation }
  enum Call: CaseIterable { case load, get, getStale, several }
  enum Page: CaseIterable { case start, reload, next, previous, cancel, reset, writeError, like }

  static func random(using random: inout SeededGenerator) -> SharingCommand {
    func number() -> Int { Int.random(in: 0..<32, using: &random) }
    return switch Int.random(in: 0..<40, using: &random) {
    case 0..<5: .screen(number(), Screen.allCases.randomElement(using: &random)!)
    case 5..<9: .entry(number(), Entry.allCases.randomElement(using: &random)!)
    case 9..<19:
      .answer(number(), Bool.random(using: &random) ? .value : Answer.allCases.randomElement(using: &random)!)
    case 19..<21: .call(number(), Call.allCases.randomElement(using: &random)!)
    case 21: .cancelCaller(number())
    case 22..<25: .key([nil, 1, 2].randomElement(using: &random)!)
    case 25..<28: .page(number(), Page.allCases.randomElement(using: &random)!)
    case 28..<31: .page(number(), Bool.random(using: &random) ? .next : .previous)
    case 31..<36: .page(number(), .like)
    case 36: .board(isOpen: Bool.random(using: &random))
    case 37, 38: Bool.random(using: &random) ? .invalidateTag : .tick
    default: number() == 0 ? .forgetAll : .invalidateTag
    }
  }
}
