// SPDX-License-Identifier: MIT
@testable import AsyncState
import Testing

extension AllTests {
  struct PacingMachineTests {
    static let delay = Duration.seconds(2)
    static let minimum = Duration.seconds(5)

    private func machine(_ steps: (inout PacingMachine) -> Void) -> PacingMachine {
      var machine = PacingMachine(delay: Self.delay, minimum: Self.minimum)
      steps(&machine)
      return machine
    }

    @Test("6.6 open: a result shows, a loading is held for the delay")
    func open() {
      var machine = machine { _ in }
      let result = machine.wantResult(isCancel: false, at: .seconds(1))
      #expect(result == .display && machine.phase == .open && machine.deadline == nil)
      let tick = machine.tick(at: .seconds(1))
      #expect(tick == .hold && machine.phase == .open)
      let loading = machine.wantLoading(at: .seconds(1))
      #expect(
        loading == .hold && machine.phase == .holdingLoading(until: .seconds(3)) && machine.deadline == .seconds(3))
    }

    @Test("6.6 no clock is read where no time is measured")
    func unmeasured() {
      var readings = 0
      func now() -> Duration {
        readings += 1
        return .zero
      }
      var machine = machine { _ in }
      for _ in 0..<3 { _ = machine.wantResult(isCancel: false, at: now()) }
      expectEqual(readings, 0)
      // The delay begins; a further loading, and a result, measure nothing.
      for _ in 0..<3 { _ = machine.wantLoading(at: now()) }
      _ = machine.wantResult(isCancel: false, at: now())
      expectEqual(readings, 1)
    }

    @Test("6.6 holding a loading: another changes nothing, a result shows, the deadline shows the indicator")
    func holdingLoading() {
      let start = machine { _ = $0.wantLoading(at: .zero) }
      var again = start
      let hold = again.wantLoading(at: .seconds(1))
      #expect(hold == .hold && again.phase == start.phase)
      for isCancel in [true, false] {
        var over = start
        let show = over.wantResult(isCancel: isCancel, at: .seconds(2))
        #expect(show == .display && over.phase == .open)
      }
      var early = start
      let tooEarly = early.tick(at: .milliseconds(1999))
      #expect(tooEarly == .hold && early.phase == start.phase)
      var due = start
      let show = due.tick(at: .seconds(2))
      #expect(show == .display && due.phase == .displayingLoading(until: .seconds(7)) && due.deadline == nil)
    }

    @Test("6.6 showing the indicator: a result waits for the minimum, a cancel does not")
    func displayingLoading() {
      let start = machine {
        _ = $0.wantLoading(at: .zero)
        _ = $0.tick(at: .seconds(3))
      }
      expectEqual(start.phase, .displayingLoading(until: .seconds(8)))
      var again = start
      let same = again.wantLoading(at: .seconds(4))
      #expect(same == .display && again.phase == start.phase)
      var ticked = start
      let tick = ticked.tick(at: .seconds(100))
      #expect(tick == .hold && ticked.phase == start.phase)
      var early = start
      let waits = early.wantResult(isCancel: false, at: .milliseconds(7999))
      #expect(waits == .hold && early.phase == .holdingResult(until: .seconds(8)) && early.deadline == .seconds(8))
      var due = start
      let shows = due.wantResult(isCancel: false, at: .seconds(8))
      #expect(shows == .display && due.phase == .open)
      var cancelled = start
      let cancel = cancelled.wantResult(isCancel: true, at: .seconds(4))
      #expect(cancel == .display && cancelled.phase == .open)
    }

    @Test("6.6 holding a result: a newer one waits as long, a loading takes the indicator back, the deadline shows it")
    func holdingResult() {
      let start = machine {
        _ = $0.wantLoading(at: .zero)
        _ = $0.tick(at: .seconds(2))
        _ = $0.wantResult(isCancel: false, at: .seconds(3))
      }
      var newer = start
      let waits = newer.wantResult(isCancel: false, at: .seconds(4))
      #expect(waits == .hold && newer.phase == .holdingResult(until: .seconds(7)))
      var late = start
      let lateShow = late.wantResult(isCancel: false, at: .seconds(7))
      #expect(lateShow == .display && late.phase == .open)
      var loading = start
      let same = loading.wantLoading(at: .seconds(4))
      #expect(same == .display && loading.phase == .displayingLoading(until: .seconds(7)))
      var early = start
      let tooEarly = early.tick(at: .milliseconds(6999))
      #expect(tooEarly == .hold && early.phase == start.phase)
      var due = start
      let show = due.tick(at: .seconds(7))
      #expect(show == .display && due.phase == .open)
    }
  }
}
