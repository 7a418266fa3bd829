// SPDX-License-Identifier: MIT
/// What happens to an app with accounts.
enum AccountCommand: CustomStringConvertible {
  case logIn, logOut
  // By a person, on a screen.
  case start(Int), refresh(Int), reload(Int), cancel(Int), leave(Int), loadNext, poll
  case mutate(Int), tap, send, retry, pay
  // By the server and the network.
  case end(Int, isFailure: Bool)
  case push(Int)
  case element
  case toggleGate, toggleBoard
  // By the disk, and by a screen that keeps its outbox.
  case toggleReads, leak
  case advance

  static func random(using random: inout SeededGenerator) -> AccountCommand {
    let screen = Int.random(in: 0..<20, using: &random)
    switch Int.random(in: 0..<60, using: &random) {
    case 0..<4: return .logIn
    case 4..<7: return .logOut
    case 7..<16: return .start(screen)
    case 16, 17: return .refresh(screen)
    case 18: return .reload(screen)
    case 19: return .cancel(screen)
    case 20: return .leave(screen)
    case 21, 22: return .loadNext
    case 23: return .poll
    case 24..<28: return .mutate(screen)
    case 28, 29: return .tap
    case 30, 31: return .send
    case 32: return Bool.random(using: &random) ? .retry : .pay
    case 33..<50: return .end(screen, isFailure: Int.random(in: 0..<5, using: &random) == 0)
    case 50, 51: return .push(screen)
    case 52, 53: return .element
    case 54, 55: return .toggleGate
    case 56: return .toggleBoard
    case 57: return Bool.random(using: &random) ? .toggleReads : .leak
    default: return .advance
    }
  }

  var description: String {
    switch self {
    case .logIn: "log in"
    case .logOut: "log out"
    case .start(let screen): "start \(screen)"
    case .refresh(let screen): "refresh \(screen)"
    case .reload(let screen): "reload \(screen)"
    case .cancel(let screen): "cancel \(screen)"
    case .leave(let screen): "leave \(screen)"
    case .loadNext: "load next"
    case .poll: "poll"
    case .mutate(let screen): "mutate \(screen)"
    case .tap: "tap"
    case .send: "send"
    case .retry: "retry"
    case .pay: "pay"
    case .end(let place, let isFailure): "\(isFailure ? "fail" : "answer") \(place)"
    case .push(let screen): "push \(screen)"
    case .element: "element"
    case .toggleGate: "toggle the gate"
    case .toggleBoard: "toggle the board"
    case .toggleReads: "toggle the reads of the store of inputs"
    case .leak: "leak the outbox"
    case .advance: "a second later"
    }
  }
}
