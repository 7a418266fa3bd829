// SPDX-License-Identifier: MIT
/// What happens to an app: by a person, by the server, by the network, by the system.
enum AppCommand: CustomStringConvertible {
  enum Way: CaseIterable {
    case taps, line, outbox
    case commit
  }

  enum Object: CaseIterable { case taps, line, payments, outbox, lobby, feed }

  enum Store: CaseIterable { case appends, updates, removals, reads, values }

  case perform(Way, room: Int, lane: Int)
  case tapAgain
  case pay(room: Int)
  /// The same payment, because it is not known what became of it.
  case payAgain(byRetry: Bool)
  /// What was sent hangs, longer than a payment may take.
  case hang
  case load(room: Int, replacing: Bool)
  case loadNext
  case cancelLoad(room: Int)
  case invalidate(room: Int)
  /// The server does the oldest, second oldest, … of the requests that it has not done.
  case answer(Int)
  case end(Int, AppServer.End)
  /// Others do something, which is pushed later.
  case others(room: Int)
  case push
  /// The whole value is pushed, as it is now.
  case receive(room: Int)
  /// The same, set by hand.
  case set(room: Int)
  case cancel(Int)
  case cancelAll
  /// A screen that is left keeps its outbox, and the next one has another of the same store.
  case leak
  case retry
  /// One of the inputs of the outbox that pause.
  case retryOutbox(Int)
  case retryAside(Int)
  case discard(Int)
  case resume
  case show(room: Int)
  case leave(room: Int)
  case release(Object)
  case logOut
  case kill
  case fail(Store)
  case toggleNetwork
  case rest(loads: Bool)

  /// All that a sequence is made of, with how often it is.
  static func random(using random: inout SeededGenerator) -> AppCommand {
    let room = Int.random(in: 0...AppServer.rows.upperBound, using: &random)
    let listed = Int.random(in: 0...3, using: &random)
    let place = Int.random(in: 0...5, using: &random)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<20:
      let target = Bool.random(using: &random) ? listed : room
      return .perform(
        Way.allCases.randomElement(using: &random)!, room: target, lane: Int.random(in: 0...1, using: &random))
    case 20, 21: return .pay(room: listed)
    case 22: return .hang
    case 23: return .payAgain(byRetry: false)
    case 24, 25: return .tapAgain
    case 26..<34: return .load(room: listed, replacing: Bool.random(using: &random))
    case 34..<37: return .loadNext
    case 37: return .cancelLoad(room: listed)
    case 38: return .invalidate(room: listed)
    case 39..<50: return .answer(place)
    case 50..<64:
      let ends: [AppServer.End] = [.answered, .answered, .answered, .lost, .unreachable, .refused]
      return .end(place, ends.randomElement(using: &random)!)
    case 64..<67: return .others(room: room)
    case 67..<70: return .push
    case 70..<72: return .receive(room: listed)
    case 72..<74: return .set(room: listed)
    case 74: return .cancel(place)
    case 75: return Bool.random(using: &random) ? .cancelAll : .leak
    case 76: return Bool.random(using: &random) ? .retry : .retryOutbox(place)
    case 77: return .retryAside(place)
    case 78: return .discard(place)
    case 79: return .resume
    case 80..<83: return .show(room: Int.random(in: App.storedRooms, using: &random))
    case 83..<85: return .leave(room: Int.random(in: App.storedRooms, using: &random))
    case 85..<88: return .release(Object.allCases.randomElement(using: &random)!)
    case 88: return .logOut
    case 89..<91: return .kill
    case 91..<94: return .fail(Store.allCases.randomElement(using: &random)!)
    case 94: return .toggleNetwork
    case 95: return .hang
    case 96: return .payAgain(byRetry: Bool.random(using: &random))
    default: return .rest(loads: Bool.random(using: &random))
    }
  }

  /// Commands that do less, and may fail just as well.
  var simpler: [AppCommand] {
    switch self {
    case .perform(let way, let room, let lane):
      (room > 0 ? [.perform(way, room: 0, lane: lane)] : []) + (lane > 0 ? [.perform(way, room: room, lane: 0)] : [])
    case .load(let room, replacing: true): [.load(room: room, replacing: false)]
    case .answer(let place) where place > 0: (0..<place).map { .answer($0) }
    case .end(let place, let end) where place > 0: (0..<place).map { .end($0, end) }
    case .cancel(let place) where place > 0: (0..<place).map { .cancel($0) }
    default: []
    }
  }

  var description: String {
    switch self {
    case .perform(let way, let room, let lane): "perform by \(way) in room \(room), lane \(lane)"
    case .tapAgain: "tap again"
    case .pay(let room): "pay in room \(room)"
    case .payAgain(let byRetry): byRetry ? "retry the payment" : "pay again"
    case .hang: "all that was sent hangs"
    case .load(let room, let replacing): "load \(room)\(replacing ? " anew" : "")"
    case .loadNext: "load the next page"
    case .cancelLoad(let room): "cancel the load of \(room)"
    case .invalidate(let room): "invalidate \(room)"
    case .answer(let place): "the server does request \(place)"
    case .end(let place, let end): "request \(place) ends: \(end)"
    case .others(let room): "others do something in \(room)"
    case .push: "that is pushed"
    case .receive(let room): "receive \(room)"
    case .set(let room): "set \(room) by hand"
    case .cancel(let place): "cancel the handle \(place)"
    case .cancelAll: "cancel taps"
    case .leak: "leak the outbox"
    case .retry: "retry"
    case .retryOutbox(let place): "retry \(place) of what pauses"
    case .retryAside(let place): "retry \(place) of what is set aside"
    case .discard(let place): "discard entry \(place)"
    case .resume: "resume"
    case .show(let room): "show \(room)"
    case .leave(let room): "leave \(room)"
    case .release(let object): "release \(object)"
    case .logOut: "log out"
    case .kill: "kill"
    case .fail(let store): "toggle failing \(store)"
    case .toggleNetwork: "toggle the network"
    case .rest(let loads): "rest\(loads ? " and load" : "")"
    }
  }
}
