// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  struct StepQueueTests {
    /// A queue with an owner that carries out what it returns. Requests are known by their waiters.
    struct Run {
      var queue = StepQueue()
      var superseded: [Int] = []
      private var waiters: [TransitionWaiter] = []

      mutating func request(_ number: Int, animated: Bool = false) {
        while waiters.count <= number { waiters.append(TransitionWaiter()) }
        let former = queue.submit(.init(waiter: waiters[number], animated: animated))
        if let former { superseded.append(self.number(of: former)) }
      }

      mutating func call(_ call: LifecycleCall) {
        queue.submit(call, animated: true)
      }

      private func number(of request: StepQueue.Request) -> Int { waiters.firstIndex { $0 === request.waiter }! }

      /// Begins the next step and carries it out, but does not finish it.
      mutating func begin() -> String? {
        switch queue.beginStep() {
        case nil: return nil
        case .transition(let request): return "\(number(of: request)) \(letter(request.animated))"
        case .lifecycle(let call, _):
          guard let next = call.appearance(after: queue.appearance) else { return "ignore \(call)" }
          queue.appearance = next
          return "\(call)"
        case .endAnimation(let child): return "end \((child.child as! TracedChild).name)"
        }
      }

      /// All steps that may be carried out now.
      mutating func carryOutAll() -> [String] {
        var steps: [String] = []
        while let step = begin() {
          steps.append(step)
          queue.finishStep()
        }
        return steps
      }

      mutating func reach(_ appearance: Appearance) {
        let calls: [LifecycleCall] =
          switch appearance {
          case .gone: []
          case .appearing: [.willAppear]
          case .visible: [.willAppear, .didAppear]
          case .disappearing: [.willAppear, .didAppear, .willDisappear]
          }
        for next in calls { call(next) }
        _ = carryOutAll()
      }
    }

    @Test(
      "5.8, 1.4 nothing begins during a step; then the ends of animations, the request and the calls take their turn")
    func oneStepAtATime() {
      var run = Run()
      run.request(0)
      expectEqual(run.begin(), "0 f")
      run.request(1)
      run.call(.willAppear)
      run.call(.didAppear)
      run.queue.submit(ended: MovingChild(TracedChild("a", Recorder()), isAppearing: true))
      expectNil(run.begin())
      #expect(!run.queue.mayBeginAtOnce)
      run.queue.finishStep()
      expectEqual(run.carryOutAll(), ["end a", "1 f", "willAppear", "didAppear"])
      expectEqual(run.carryOutAll(), [])
    }

    @Test("5.8 one request waits: a later one replaces it, also across a life-cycle call, which it does not overtake")
    func supersedes() {
      var run = Run()
      run.request(0)
      _ = run.begin()
      for number in 1...2 { run.request(number) }
      run.call(.willAppear)
      for number in 3...4 { run.request(number, animated: true) }
      run.call(.didAppear)
      expectEqual(run.superseded, [1, 2, 3])
      run.queue.finishStep()
      expectEqual(run.carryOutAll(), ["willAppear", "didAppear", "4 t"])
    }

    @Test("5.16 what waits has its turn in order, and leaves no room behind", arguments: 0..<20 as Range<UInt64>)
    func waitingLine(seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      var line = WaitingLine<Int>()
      var expected: [Int] = []
      for number in 0..<500 {
        if Bool.random(using: &random) {
          line.append(number)
          expected.append(number)
        } else {
          let first = line.takeFirst()
          expectEqual(first, (expected.isEmpty ? nil : expected.removeFirst()))
        }
        expectEqual(line.count, expected.count)
        expectEqual(line.isEmpty, expected.isEmpty)
      }
    }

    @Test(
      "5.8, 5.10, 5.14 a request begins at once where nothing is in its way", arguments: [true, false], [true, false])
    func atOnce(isOpen: Bool, isStepping: Bool) {
      for appearance in [Appearance.gone, .appearing, .visible, .disappearing] {
        var run = Run()
        run.reach(appearance)
        if isStepping {
          run.call(.didDisappear)
          run.call(.didAppear)
          _ = run.queue.beginStep()
        }
        if isOpen { run.queue.isTransitioning = true }
        let isAtRest = (appearance == .gone || appearance == .visible) && !isOpen
        expectEqual(run.queue.mayBeginAtOnce, (isAtRest && !isStepping))
        expectEqual(run.queue.isTransitioning, isOpen)
        expectEqual(run.queue.appearance, appearance)
      }
    }
  }
}
