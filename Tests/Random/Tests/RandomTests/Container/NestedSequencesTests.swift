// SPDX-License-Identifier: MIT
import AsyncState
import Testing

extension AllTests {
  /// Random and all short sequences of what can happen to containers in containers. Each level is watched by itself.
  struct NestedSequencesTests {
    /// What a level displays: the next level, a leaf, or both in one order or the other.
    enum Display: Int, CaseIterable {
      case next, leaf, both, reversed
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
        var next: any ChildController = Walker("leaf of the last level", self)
        for (level, keepsState) in kinds.enumerated().reversed() {
          let it = Level(level, keepsState: keepsState, next: next, in: self)
          levels.insert(it, at: 0)
          next = Walker("container \(level)", self, wrapping: it.container)
        }
      }

      func note(_ fault: String) { faults.append(fault) }

      var outer: StateContainer<Display> { levels[0].container }

      func carryOut(_ command: Command) {
        switch command {
        case .proceed(let animated):
          switch outer.appearance {
          case .gone: outer.willAppear(animated: animated)
          case .appearing: outer.didAppear(animated: animated)
          case .visible: outer.willDisappear(animated: animated)
          case .disappearing: outer.didDisappear(animated: animated)
          }
        case .turnBack(let animated):
          switch outer.appearance {
          case .appearing: outer.willDisappear(animated: animated)
          case .disappearing: outer.willAppear(animated: animated)
          case .gone, .visible: carryOut(.proceed(animated: animated))
          }
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
          level.checkAtRest()
          if (level.container.appearance == .visible) != isSeen {
            note(
              "level \(level.number) is \(level.container.appearance) at rest, and must \(isSeen ? "" : "not ")be seen")
          }
          isSeen = isSeen && level.container.currentState != .leaf
        }
      }
    }

    /// A container, and what its delegate is notified of. Not a `Recorder`: it checks each call when it is made.
    final class Level: StateContainerDelegate {
      let number: Int
      private(set) var container: StateContainer<Display>!
      private weak var nest: Nest?
      private var openTransitions = 0
      private let requested = Requested()

      final class Requested {
        var children: [any ChildController] = []
      }

      init(_ number: Int, keepsState: Bool, next: any ChildController, in nest: Nest) {
        self.number = number
        self.nest = nest
        let leaf = Walker("leaf \(number)", nest)
        let requested = requested
        let children = { (display: Display) -> [any ChildController] in
          switch display {
          case .next: requested.children = [next]
          case .leaf: requested.children = [leaf]
          case .both: requested.children = [next, leaf]
          case .reversed: requested.children = [leaf, next]
          }
          return requested.children
        }
        container =
          keepsState
          ? StateContainer(initialState: .next, animator: nest.animator, children: children)
          : StateContainer(appearanceState: { .next }, animator: nest.animator, children: children)
        container.delegate = self
      }

      func container(_ container: StateContainer<Display>, willTransitionTo nextState: Display, animated: Bool) {
        if openTransitions != 0 { nest?.note("level \(number): a W in an open transition") }
        openTransitions += 1
      }
      func container(_ container: StateContainer<Display>, didTransitionFrom previous: Display?, animated: Bool) {
        openTransitions -= 1
        if openTransitions != 0 { nest?.note("level \(number): a D without a W") }
      }

      func checkAtRest() {
        if openTransitions != 0 || container.isTransitioning { nest?.note("level \(number): a W without a D") }
        let children = container.children
        if children.count != requested.children.count || !zip(children, requested.children).allSatisfy({ $0 === $1 }) {
          nest?.note("level \(number): at rest its children are not the last K")
        }
      }
    }

    /// A child that checks its own way, and may be the next container.
    final class Walker: ChildController {
      private let name: String
      private weak var nest: Nest?
      private let wrapped: (any ChildController)?
      private var appearance = Appearance.gone
      private var attachment = 0

      init(_ name: String, _ nest: Nest, wrapping wrapped: (any ChildController)? = nil) {
        self.name = name
        self.nest = nest
        self.wrapped = wrapped
      }

      private func walk(from expected: [Appearance], to next: Appearance) {
        if !expected.contains(appearance) { nest?.note("\(name): \(appearance) to \(next)") }
        if attachment == 0 { nest?.note("\(name): \(next) while it is detached") }
        appearance = next
      }

      private func attach(from expected: Int, to next: Int) {
        if attachment != expected { nest?.note("\(name): attachment \(attachment) to \(next)") }
        if next == 0, appearance != .gone { nest?.note("\(name): detached while \(appearance)") }
        attachment = next
      }

      func willAttach() { attach(from: 0, to: 1) }
      func didAttach() { attach(from: 1, to: 2) }
      func willDetach() { attach(from: 2, to: 3) }
      func didDetach() { attach(from: 3, to: 0) }
      func willAppear(animated: Bool) {
        walk(from: [.gone, .disappearing], to: .appearing)
        wrapped?.willAppear(animated: animated)
      }
      func didAppear(animated: Bool) {
        walk(from: [.appearing], to: .visible)
        wrapped?.didAppear(animated: animated)
      }
      func willDisappear(animated: Bool) {
        walk(from: [.visible], to: .disappearing)
        wrapped?.willDisappear(animated: animated)
      }
      func didDisappear(animated: Bool) {
        walk(from: [.disappearing], to: .gone)
        wrapped?.didDisappear(animated: animated)
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
