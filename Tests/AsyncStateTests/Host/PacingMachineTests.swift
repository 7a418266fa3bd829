// SPDX-License-Identifier: MIT
@testable import AsyncState
import Testing

extension AllTests {
  struct PacingMachineTests {
    private enum Event { case loading, result, cancel, tick }

    /// A machine with a delay of 2 s and a minimum of 5 s.
    private func machine(_ events: [(Event, Double)] = []) -> PacingMachine {
      var machine = PacingMachine(delay: .seconds(2), minimum: .seconds(5))
      for (event, time) in events { _ = send(event, .seconds(time), to: &machine) }
      return machine
    }

    private func send(_ event: Event, _ time: Duration, to machine: inout PacingMachine) -> PacingMachine.Decision {
      switch event {
      case .loading: machine.wantLoading(at: time)
      case .result: machine.wantResult(isCancel: false, at: time)
      case .cancel: machine.wantResult(isCancel: true, at: time)
      case .tick: machine.tick(at: time)
      }
    }

    @Test("6.6 the table of pacing: in each phase, what a loading, a result, a cancel and the clock do")
    func table() {
      let holdingLoading: [(Event, Double)] = [(.loading, 0)]
      let displaying = holdingLoading + [(.tick, 3)]
      let holdingResult = displaying + [(.result, 4)]
      let rows: [(before: [(Event, Double)], Event, at: Double, PacingMachine.Decision, PacingMachine.Phase)] = [
        ([], .result, 1, .display, .open),
        ([], .tick, 1, .hold, .open),
        ([], .loading, 1, .hold, .holdingLoading(until: .seconds(3))),
        (holdingLoading, .loading, 1, .hold, .holdingLoading(until: .seconds(2))),
        (holdingLoading, .result, 2, .display, .open),
        (holdingLoading, .cancel, 2, .display, .open),
        (holdingLoading, .tick, 1.999, .hold, .holdingLoading(until: .seconds(2))),
        (holdingLoading, .tick, 2, .display, .displayingLoading(until: .seconds(7))),
        (displaying, .loading, 4, .display, .displayingLoading(until: .seconds(8))),
        (displaying, .tick, 100, .hold, .displayingLoading(until: .seconds(8))),
        (displaying, .result, 7.999, .hold, .holdingResult(until: .seconds(8))),
        (displaying, .result, 8, .display, .open),
        (displaying, .cancel, 4, .display, .open),
        (holdingResult, .result, 5, .hold, .holdingResult(until: .seconds(8))),
        (holdingResult, .result, 8, .display, .open),
        (holdingResult, .loading, 5, .display, .displayingLoading(until: .seconds(8))),
        (holdingResult, .tick, 7.999, .hold, .holdingResult(until: .seconds(8))),
        (holdingResult, .tick, 8, .display, .open),
      ]
      for (before, event, time, decision, phase) in rows {
        var machine = machine(before)
        let row: Comment = "\(machine.phase): \(event) at \(time)"
        expectEqual(send(event, .seconds(time), to: &machine), decision, row)
        expectEqual(machine.phase, phase, row)
      }
    }

    @Test("6.6 no clock is read where no time is measured")
    func unmeasured() {
      var readings = 0
      func now() -> Duration {
        readings += 1
        return .zero
      }
      var machine = machine()
      for _ in 0..<3 { _ = machine.wantResult(isCancel: false, at: now()) }
      expectEqual(readings, 0)
      // The delay begins; a further loading, and a result, measure nothing.
      for _ in 0..<3 { _ = machine.wantLoading(at: now()) }
      _ = machine.wantResult(isCancel: false, at: now())
      expectEqual(readings, 1)
    }
  }
}
