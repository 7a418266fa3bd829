@testable import AsyncState
import Testing

@Suite("5.8, 5.17 the transition machine")
struct TransitionMachineTests {
  typealias Machine = TransitionMachine<Int>

  /// A machine that has carried out what it was told, and what came of it.
  struct Run {
    var machine = Machine()
    var steps: [String] = []
    var superseded: [Int] = []
    /// The requests that still waited when the container disappeared.
    var dropped: [Int] = []

    mutating func request(_ state: Int, animated: Bool = false) {
      if let former = machine.submit(.init(state, animated: animated)) { superseded.append(former.state) }
    }

    /// - Returns: The state of the request that the call drops.
    @discardableResult
    mutating func call(_ call: LifecycleCall) -> Int? {
      machine.submit(call, animated: true)?.state
    }

    /// Takes the next step, without being done with it.
    mutating func take() -> String? {
      var superseded: [Int] = []
      var dropped: [Int] = []
      defer {
        self.superseded += superseded
        self.dropped += dropped
      }
      switch machine.next(superseded: { superseded.append($0.state) }, dropped: { dropped.append($0.state) }) {
      case nil: return nil
      case .transition(let request): return "\(request.state) \(letter(request.animated))"
      case .lifecycle(let call, let appearance, _):
        machine.appearance = appearance
        return "\(call)"
      case .endAnimation(let number): return "end \(number)"
      case .ignore(let misuse): return "ignore \(misuse.call) while \(misuse.appearance)"
      }
    }

    /// Takes all steps there are now.
    mutating func takeAll() -> [String] {
      var steps: [String] = []
      while let step = take() {
        steps.append(step)
        machine.isStepping = false
      }
      return steps
    }
  }

  @Test("5.8 nothing begins during a step, whatever comes in; then all takes its turn")
  func oneStepAtATime() {
    var run = Run()
    run.request(1)
    let first = run.take()
    #expect(first == "1 f")
    run.request(2)
    run.call(.willAppear)
    run.call(.didAppear)
    run.request(3, animated: true)
    run.machine.submit(endedAnimation: 7)
    let during = run.take()
    #expect(during == nil)
    #expect(!run.machine.mayBeginAtOnce)
    #expect(!run.machine.hasWork)
    run.machine.isStepping = false
    #expect(run.machine.hasWork)
    let rest = run.takeAll()
    #expect(rest == ["end 7", "2 f", "willAppear", "didAppear", "3 t"])
    #expect(!run.machine.hasWork)
  }

  @Test("5.8 a request takes the place of the one that waits, on its own side of a life-cycle call")
  func supersedes() {
    var run = Run()
    run.machine.isStepping = true
    run.request(1)
    run.request(2)
    run.call(.willAppear)
    run.request(3)
    run.request(4)
    #expect(run.superseded == [1, 3])
    run.machine.isStepping = false
    run.machine.phase = .transitioning
    let steps = run.takeAll()
    #expect(steps == ["willAppear"])
    #expect(run.superseded == [1, 3, 2])
    #expect(run.machine.waiting.map(\.state) == [4])
  }

  @Test("5.12 a willDisappear that belongs drops the last request before it; one that does not drops none")
  func drops() {
    var run = Run()
    run.machine.appearance = .visible
    run.machine.isStepping = true
    run.request(1)
    let first = run.call(.willDisappear)
    #expect(first == 1)
    run.request(2)
    let second = run.call(.willDisappear)
    #expect(second == nil)
    run.call(.didDisappear)
    run.request(3)
    let whileGone = run.call(.willDisappear)
    #expect(whileGone == nil)
    run.call(.willAppear)
    run.request(4)
    let turningBack = run.call(.willDisappear)
    #expect(turningBack == 4)
  }

  @Test("5.8, 5.10, 5.14 a request begins at once where nothing is in its way")
  func atOnce() {
    for appearance in [Appearance.gone, .appearing, .visible, .disappearing] {
      for phase in [Machine.Phase.settled, .transitioning] {
        for isStepping in [false, true] {
          var machine = Machine()
          machine.appearance = appearance
          machine.phase = phase
          machine.isStepping = isStepping
          let isAtRest = (appearance == .gone || appearance == .visible) && phase == .settled
          #expect(machine.mayTransition == isAtRest)
          #expect(machine.mayBeginAtOnce == (isAtRest && !isStepping))
        }
      }
    }
  }

  @Test("5.12 a request that came between two calls, and waits when the container disappears again, is dropped")
  func droppedLater() {
    var run = Run()
    run.machine.appearance = .visible
    run.machine.isStepping = true
    run.call(.willDisappear)
    run.request(1)
    run.call(.willAppear)
    let droppedAtOnce = run.call(.willDisappear)
    #expect(droppedAtOnce == nil)
    run.call(.didDisappear)
    run.machine.isStepping = false
    let steps = run.takeAll()
    #expect(steps == ["willDisappear", "willAppear", "willDisappear", "didDisappear"])
    #expect(run.dropped == [1])
  }

  @Test("5.17 the life-cycle calls and where they belong")
  func lifecycle() {
    let table: [Appearance: [LifecycleCall: Appearance]] = [
      .gone: [.willAppear: .appearing],
      .appearing: [.didAppear: .visible, .willDisappear: .disappearing],
      .visible: [.willDisappear: .disappearing],
      .disappearing: [.didDisappear: .gone, .willAppear: .appearing],
    ]
    for (appearance, moves) in table {
      for call in LifecycleCall.allCases {
        #expect(call.appearance(after: appearance) == moves[call])
        var run = Run()
        run.machine.appearance = appearance
        run.call(call)
        let steps = run.takeAll()
        #expect(steps == [moves[call] == nil ? "ignore \(call) while \(appearance)" : "\(call)"])
        #expect(run.machine.appearance == moves[call] ?? appearance)
      }
    }
  }

  @Test("5.17 the message says what was called, what was expected, why it matters and what to do")
  func message() {
    let text = LifecycleMisuse(call: .didAppear, appearance: .disappearing).description
    for part in ["didAppear was called", "disappearing", "expected willAppear or didDisappear", "because", "in turn"] {
      #expect(text.contains(part))
    }
  }
}
