// SPDX-License-Identifier: MIT
import AsyncStateJournal
import AsyncState
import AsyncStateTesting
import Testing

/// Screens whose lives are random, are recorded, and happen again on another screen.
@Suite("14.3 Replay: random lives of containers and hosts", .timeLimit(Soak.limit))
@MainActor
struct RandomReplayTests: JournalSuite {
  let stage = JournalStage()
  let animator = HeldAnimator()

  private static let states = ["ab", "b", "bc", "", "abc", "a"]

  /// A container that displays a child for each letter of its state.
  private static func container(_ animator: any TransitionAnimator, keepsState: Bool) -> StateContainer<String> {
    var pages: [Character: ScreenReplayTests.Page] = [:]
    let children: (String) -> [any ChildController] = { state in
      state.map { letter in
        let page = pages[letter] ?? ScreenReplayTests.Page(String(letter))
        pages[letter] = page
        return page
      }
    }
    return keepsState
      ? StateContainer(initialState: "a", animator: animator, children: children)
      : StateContainer(appearanceState: { "a" }, animator: animator, children: children)
  }

  /// A life-cycle call that is due.
  private static func advance<State>(_ container: StateContainer<State>, using random: inout SeededGenerator) {
    let animated = Bool.random(using: &random)
    let turnsBack = Int.random(in: 0..<3, using: &random) == 0
    switch container.appearance {
    case .gone: container.willAppear(animated: animated)
    case .appearing where turnsBack: container.willDisappear(animated: animated)
    case .appearing: container.didAppear(animated: animated)
    case .visible: container.willDisappear(animated: animated)
    case .disappearing where turnsBack: container.willAppear(animated: animated)
    case .disappearing: container.didDisappear(animated: animated)
    }
  }

  private func finishOne(using random: inout SeededGenerator) {
    guard let index = animator.animations.indices.randomElement(using: &random) else { return }
    animator.animations.remove(at: index).finish()
  }

  @Test("14.3 whatever happens to a container happens again", arguments: [true, false])
  func containers(keepsState: Bool) throws {
    for seed in 0..<UInt64(Soak.times(200)) {
      let run = RandomReplayTests()
      var random = SeededGenerator(seed: seed)
      let container = Self.container(run.animator, keepsState: keepsState)
      run.stage.journal.attach(container, name: "pages", child: ScreenReplayTests.name)
      for _ in 0..<40 {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4:
          let state = Self.states.randomElement(using: &random) ?? ""
          container.setNeedsTransition(to: state, animated: Bool.random(using: &random))
        case 4..<7: run.finishOne(using: &random)
        default: Self.advance(container, using: &random)
        }
      }
      let replay = Replay(run.entries)
      let again = Self.container(replay.animator, keepsState: keepsState)
      replay.attach(again, name: "pages", states: Self.states + ["a"], child: ScreenReplayTests.name)
      let difference = replay.run()
      #expect(difference == nil, "seed \(seed)")
      #expect(again.currentState == container.currentState && again.appearance == container.appearance)
      run.animator.finishAll()
      guard difference == nil else { return }
    }
  }

  /// - Parameter requested: Is given the load of each request.
  private static func host(
    _ animator: any TransitionAnimator, _ requested: @escaping (PendingLoad<Int>) -> Void
  ) -> AsyncHost<Int> {
    var children: [String: ScreenReplayTests.Page] = [:]
    return AsyncHost(animator: animator, request: { data, mode in requested(data.begin(mode)) }) { status in
      let name = "\(status.kind)"
      let child = children[name] ?? ScreenReplayTests.Page(name)
      children[name] = child
      return [child]
    }
  }

  @Test("14.3 whatever happens to a host and its data happens again")
  func hosts() throws {
    for seed in 0..<UInt64(Soak.times(200)) {
      let run = RandomReplayTests()
      var random = SeededGenerator(seed: seed)
      var loads: [PendingLoad<Int>] = []
      let host = Self.host(run.animator) { loads.append($0) }
      run.stage.journal.attach(host.data, name: "data")
      run.stage.journal.attach(host, name: "screen", child: ScreenReplayTests.name)
      // What was written with each entry.
      var values: [Int: Int] = [:]
      for _ in 0..<40 {
        let value = Int.random(in: 0..<4, using: &random)
        let former = run.entries.last?.number ?? 0
        switch Int.random(in: 0..<14, using: &random) {
        case 0: host.start()
        case 1: host.refresh()
        case 2: host.reload()
        case 3: loads.last?.yield(value == 0 ? nil : value)
        case 4: loads.last?.succeed(with: value == 0 ? nil : value)
        case 5: loads.randomElement(using: &random)?.fail(with: Failure())
        case 6: host.data.cancel()
        case 7: host.data.value = value == 0 ? nil : value
        case 8: host.data.error = value < 2 ? Failure() : nil
        case 9: host.data.invalidate()
        case 10: run.finishOne(using: &random)
        default: Self.advance(host.container, using: &random)
        }
        for entry in run.entries where entry.number > former && value != 0 { values[entry.number] = value }
      }
      let replay = Replay(run.entries, replacesObservers: true)
      var repeated: [PendingLoad<Int>] = []
      let again = Self.host(replay.animator) { repeated.append($0) }
      replay.attach(again, name: "screen", child: ScreenReplayTests.name)
      replay.attach(again.data, name: "data") { values[$0.number] }
      let difference = replay.run()
      #expect(difference == nil, "seed \(seed)")
      #expect(again.container.currentState.kind == host.container.currentState.kind)
      run.animator.finishAll()
      host.data.cancel()
      again.data.cancel()
      guard difference == nil else { return }
    }
  }
}
