// SPDX-License-Identifier: MIT
/// What happens to one value: by a person, by the server, by the network.
enum ChangesCommand {
  enum Way: CaseIterable {
    /// `mutate`: each is sent at once.
    case call
    /// A mutation in two lanes, one after another in each.
    case mutation
    /// The same with `confirming:`.
    case confirming
  }

  /// - Parameter setsTitle: True for a change of which the last one counts. These are made in one lane, and in no call, because
  ///   the server may do calls in any order.
  case change(Way, setsTitle: Bool)
  case load
  case refresh
  case cancelLoad
  case invalidate
  /// The server does one of the requests that are on their way.
  case does(Int)
  /// The answer of one of those that it has done arrives.
  case answer(Int)
  /// A request is lost, or its answer.
  case lose(Int)
  /// A person takes back one of the changes.
  case cancel(Int)
  /// The server changes the value by itself, and pushes the change.
  case update(setsTitle: Bool)
  /// It pushes the whole value.
  case push
  /// The value is set by hand.
  case set
  case forget

  static func random(using random: inout SeededGenerator) -> ChangesCommand {
    let place = Int.random(in: 0..<4, using: &random)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<16: return .change(Way.allCases.randomElement(using: &random)!, setsTitle: Bool.random(using: &random))
    case 16..<24: return .load
    case 24..<27: return .refresh
    case 27..<29: return .cancelLoad
    case 29: return .invalidate
    case 30..<54: return .does(place)
    case 54..<78: return .answer(place)
    case 78..<82: return .lose(place)
    case 82..<87: return .cancel(place)
    case 87..<92: return .update(setsTitle: Bool.random(using: &random))
    case 92..<97: return .push
    case 97, 98: return .set
    default: return .forget
    }
  }

  /// Commands that do less, and may fail just as well.
  var simpler: [ChangesCommand] {
    switch self {
    case .change(.confirming, let setsTitle): [.change(.mutation, setsTitle: setsTitle)]
    case .change(.mutation, setsTitle: true): [.change(.mutation, setsTitle: false)]
    case .change(.mutation, setsTitle: false): [.change(.call, setsTitle: false)]
    case .update(setsTitle: true): [.update(setsTitle: false)]
    case .does(let place) where place > 0: [.does(0)]
    case .answer(let place) where place > 0: [.answer(0)]
    case .lose(let place) where place > 0: [.lose(0)]
    case .cancel(let place) where place > 0: [.cancel(0)]
    case .refresh: [.load]
    default: []
    }
  }
}
