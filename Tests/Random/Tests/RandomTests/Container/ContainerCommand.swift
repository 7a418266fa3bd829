// SPDX-License-Identifier: MIT
@testable import AsyncState

/// What can be done to a container in one breath: from outside, or inside one of its callbacks.
enum ContainerAction: Equatable {
  case request(Int, animated: Bool)
  case call(LifecycleCall, animated: Bool)
  /// The life-cycle call that belongs to the appearance that can be read: towards being visible, or turning back.
  case step(turningBack: Bool, animated: Bool)
  /// The animation that was begun so many before the last one starts.
  case run(Int)
  /// It ends.
  case finish(Int)
  /// The animator releases the animation that was begun so many before the last one.
  case letGo(Int)
  /// The state to appear in is another from here on.
  case initialState(Int)
  /// The container is released by its owner.
  case release
}

/// What a sequence for a container is made of.
struct ContainerCommand {
  enum Action: Equatable {
    case now(ContainerAction)
    /// A request whose end a caller waits for.
    case transition(Int, animated: Bool)
    /// The task is cancelled that waits for the transition so many before the last one.
    case cancel(Int)
    /// Time passes, in twentieths of a second.
    case ticks(Int)
  }

  var action: Action
  /// What is done inside callbacks meanwhile: in the first, or in one so many later.
  var inside: [Inside<ContainerAction>] = []
}

extension LifecycleCall {
  /// The call that may come next.
  static func next(from appearance: Appearance, turningBack: Bool) -> LifecycleCall {
    switch appearance {
    case .gone: .willAppear
    case .appearing: turningBack ? .willDisappear : .didAppear
    case .visible: .willDisappear
    case .disappearing: turningBack ? .willAppear : .didDisappear
    }
  }
}

extension StateContainer {
  func call(_ call: LifecycleCall, animated: Bool) {
    switch call {
    case .willAppear: willAppear(animated: animated)
    case .didAppear: didAppear(animated: animated)
    case .willDisappear: willDisappear(animated: animated)
    case .didDisappear: didDisappear(animated: animated)
    }
  }

  /// Makes the call that is due, or turns back.
  func step(turningBack: Bool = false, animated: Bool = false) {
    call(.next(from: appearance, turningBack: turningBack), animated: animated)
  }

  /// Makes the call that leads to being visible, or away from it.
  func step(towards goal: Appearance) {
    if goal == .gone, appearance == .gone { return }
    step(turningBack: appearance == (goal == .visible ? .disappearing : .appearing))
  }
}

extension ContainerAction {
  /// - Parameter stateCount: How many states there are.
  static func random(stateCount: Int, using random: inout SeededGenerator) -> ContainerAction {
    let state = Int.random(in: 0..<stateCount, using: &random)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<38: return .request(state, animated: .random(using: &random))
    case 38..<72:
      // Calls that repeat or skip are rare: each prints a message in debug builds.
      if Int.random(in: 0..<60, using: &random) == 0 {
        return .call(LifecycleCall.allCases.randomElement(using: &random)!, animated: .random(using: &random))
      }
      return .step(turningBack: Int.random(in: 0..<3, using: &random) == 0, animated: .random(using: &random))
    case 72..<77: return .run(Int.random(in: 0..<6, using: &random))
    case 77..<80: return .letGo(Int.random(in: 0..<4, using: &random))
    case 80..<94: return .finish(Int.random(in: 0..<6, using: &random))
    case 94..<99: return .initialState(state)
    default: return Int.random(in: 0..<4, using: &random) == 0 ? .release : .finish(0)
    }
  }
}
