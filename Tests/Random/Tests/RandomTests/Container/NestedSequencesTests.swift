// SPDX-License-Identifier: MIT
import Testing

@testable import AsyncState

extension AllTests {
  /// Random and all short sequences of what can happen to containers in containers. Each level is watched by itself.
  struct NestedSequencesTests {
    /// What a level displays: the next level, a leaf, or both in one order or the other.
    enum Display: Int, CaseIterable {
      case next, leaf, both, reversed

      /// 0 is the next level, and 1 the leaf.
      var children: [Int] { [[0], [1], [0, 1], [1, 0]][rawValue] }
    }

    enum Command: Equatable {
      /// Where the outermost container is in its life cycle, one step on.
      case proceed(animated: Bool)
      /// As `proceed`, but it turns back where it is appearing or disappearing.
      case turnBack(animated: Bool)
      case request(level: Int, Display, animated: Bool)
      /// The oldest animation that runs ends.
      case endAnimation

      static func all(depth: Int) -> [Command] {
        [.proceed(animated: false), .turnBack(animated: false), .endAnimation]
          + (0..<depth).flatMap { level in
            Display.allCases.flatMap { display in
              [true, false].map { Command.request(level: level, display, animated: $0) }
            }
          }
      }
    }

    /// Two or three containers in each other, as they are kept together by a screen.
    final class Nest {
      let animator = HeldAnimator()
      private(set) var levels: [Level] = []
      private(set) var faults: [String] = []

      /// - Parameter kinds: For each level, from the outermost on, whether it keeps its state.
      init(kinds: [Bool]) {
        var next: StateContainer<Display>?
        for (level, keepsState) in kinds.enumerated().reversed() {
          levels.insert(Level(level, keepsState: keepsState, next: next, animator), at: 0)
          next = levels[0].container
        }
      }

      var outer: StateContainer<Display> { levels[0].container }

      func carryOut(_ command: Command) {
        switch command {
        case .proceed(let animated): outer.step(animated: animated)
        case .turnBack(let animated): outer.step(turningBack: true, animated: animated)
        case .request(let level, let display, let animated):
          levels[level].container.setNeedsTransition(to: display, animated: animated)
        case .endAnimation:
          if !animator.animations.isEmpty { animator.animations.removeFirst().finish() }
        }
      }

      /// Completes what is open, and checks what holds at rest.
      func rest() {
        if outer.appearance == .appearing || outer.appearance == .disappearing { carryOut(.proceed(animated: false)) }
        while !animator.animations.isEmpty { carryOut(.endAnimation) }
        var isSeen = outer.appearance == .visible
        for level in levels {
          if let fault = level.faultAtRest { faults.append("level \(level.number): \(fault)") }
          if (level.container.appearance == .visible) != isSeen {
            faults.append("level \(level.number) is \(level.container.appearance) at rest, seen: \(isSeen)")
          }
          isSeen = isSeen && level.container.currentState != .leaf
        }
      }
    }

    /// A container, and what it has called.
    final class Level {
      final class Log { var marks: [ContainerMark] = [] }

      let number: Int
      let container: StateContainer<Display>
      private let log = Log()
      private let delegate: ScriptedDelegate<Display>
      private var laws = ContainerLaws()

      init(_ number: Int, keepsState: Bool, next: StateContainer<Display>?, _ animator: HeldAnimator) {
        self.number = number
        let note = { [log] (mark: ContainerMark) in log.marks.append(mark) }
        let children = [NestedChild(0, next, note), NestedChild(1, nil, note)]
        let request = { (display: Display) in
          note(.children(display.rawValue))
          return display.children.map { children[$0] as any ChildController }
        }
        container =
          keepsState
          ? StateContainer(initialState: .next, animator: animator, children: request)
          : StateContainer(appearanceState: { .next }, animator: animator, children: request)
        delegate = ScriptedDelegate({ $0.rawValue }, note)
        container.delegate = delegate
      }

      var faultAtRest: String? {
        let marks = log.marks
        log.marks = []
        return laws.hear(marks) { Display.allCases[$0].children }
          ?? laws.rest(
            surface: container.children.map { ($0 as! ScriptedChild).number },
            isTransitioning: container.isTransitioning,
            appearance: container.appearance)
      }
    }

    /// A child that may be the next container.
    final class NestedChild: ScriptedChild {
      private let container: StateContainer<Display>?

      init(_ number: Int, _ container: StateContainer<Display>?, _ note: @escaping (ContainerMark) -> Void) {
        self.container = container
        super.init(number, note)
      }

      override func willAppear(animated: Bool) {
        super.willAppear(animated: animated)
        container?.willAppear(animated: animated)
      }
      override func didAppear(animated: Bool) {
        super.didAppear(animated: animated)
        container?.didAppear(animated: animated)
      }
      override func willDisappear(animated: Bool) {
        super.willDisappear(animated: animated)
        container?.willDisappear(animated: animated)
      }
      override func didDisappear(animated: Bool) {
        super.didDisappear(animated: animated)
        container?.didDisappear(animated: animated)
      }
    }

    private static let kinds = [
      [true, true], [true, false], [false, true], [true, true, true], [false, true, false],
    ]

    private func check(_ kinds: [Bool], _ commands: [Command]) -> Bool {
      let nest = Nest(kinds: kinds)
      for command in commands { nest.carryOut(command) }
      nest.rest()
      // Twice: what was carried out unseen must be in order when it is seen.
      nest.carryOut(.proceed(animated: false))
      nest.rest()
      #expect(nest.faults.isEmpty, "\(kinds) \(commands)")
      return nest.faults.isEmpty
    }

    @Test("5.16, 5.18 every child of every level walks in pairs, and rests at the last state", arguments: kinds)
    func random(kinds: [Bool]) {
      let commands = Command.all(depth: kinds.count)
      var generator = SeededGenerator(seed: 5_16)
      for _ in 0..<Soak.times(400) {
        let sequence = (0..<Int.random(in: 1...24, using: &generator)).map { _ in
          // Half of the steps are the screen's and the clock's.
          Bool.random(using: &generator)
            ? commands[Int.random(in: 0..<3, using: &generator)] : commands.randomElement(using: &generator)!
        }
        guard check(kinds, sequence) else { return }
      }
    }

    @Test(
      "5.16, 5.18 every sequence of up to three requests, life-cycle calls and animation ends",
      arguments: kinds.prefix(3)
    )
    func exhaustive(kinds: [Bool]) {
      // An animated request can do all that one without animation can, and more.
      let commands = Command.all(depth: kinds.count).filter {
        if case .request(_, _, animated: false) = $0 { false } else { true }
      }
      var sequences: [[Command]] = [[]]
      for _ in 1...3 {
        sequences = sequences.flatMap { sequence in commands.map { sequence + [$0] } }
        for sequence in sequences {
          guard check(kinds, [.proceed(animated: false)] + sequence) else { return }
        }
      }
    }
  }
}
