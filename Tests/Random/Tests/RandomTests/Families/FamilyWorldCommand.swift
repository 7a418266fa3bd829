// SPDX-License-Identifier: MIT

/// What can happen to the families of the random world.
enum FamilyWorldCommand {
  case start(Int, isStale: Bool)
  case call(Int)
  case leave(Int)
  case supersede(Int)
  case cancel(Int)
  case hold(Int)
  case drop(Int)
  case answer(Int, isSuccess: Bool)
  case push(Int, breaks: Bool)
  case set(Int)
  case restore(Int, age: Int)
  case like(Int)
  /// The server pushes a change of a post.
  case update(Int)
  case reset(Int)
  case invalidate(Int)
  case change(Int, isForAll: Bool)
  case refreshStale
  case gate(isOpen: Bool)
  case network(isOpen: Bool)
  case evict
  case forget(Int)
  case forgetResource(Int)
  case logOut
  case store(Int, FamilyWorldStore.End)
  case advance(Int)

  static func random(using random: inout SeededGenerator) -> Self {
    let key = Int.random(in: 0..<FamilyWorld.keyCount, using: &random)
    let place = Int.random(in: 0..<6, using: &random)
    return switch Int.random(in: 0..<64, using: &random) {
    case 0..<4: .start(key, isStale: .random(using: &random))
    case 4..<6: .call(key)
    case 6: .leave(place)
    case 7: .supersede(key)
    case 8: .cancel(key)
    case 9..<12: .hold(key)
    case 12: .drop(key)
    case 13..<22: .answer(place, isSuccess: Int.random(in: 0..<4, using: &random) > 0)
    case 22..<26: .push(key, breaks: Int.random(in: 0..<4, using: &random) == 0)
    case 26..<29: .set(key)
    case 29: .restore(key, age: Int.random(in: 0..<5, using: &random))
    case 30..<32: .like(key)
    case 32: .reset(key)
    case 33: .invalidate(key)
    case 34..<40: .change(key, isForAll: Int.random(in: 0..<4, using: &random) == 0)
    case 40: .refreshStale
    case 41: .gate(isOpen: false)
    case 42, 43: .gate(isOpen: true)
    case 44: .network(isOpen: false)
    case 45, 46: .network(isOpen: true)
    case 47..<49: .evict
    case 49: .forget(key)
    case 50: .forgetResource(key)
    case 51: .logOut
    case 52..<60:
      .store(place, Int.random(in: 0..<3, using: &random) > 0 ? .succeeds : .allCases.randomElement(using: &random)!)
    case 60..<62: .update(key)
    default: .advance(Int.random(in: 1..<4, using: &random))
    }
  }
}
