// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

/// What happens to a host and to its data, and what is displayed then.
@MainActor
struct HostTimeline {
  enum Event {
    /// The host starts: its request does nothing.
    case start
    case value(Int?), error(String), clearError, reset, invalidate
    /// A request begins, reports its progress, or ends; or what runs is cancelled.
    case load(LoadMode), progress, answer(Int?), fail, cancel
    /// Milliseconds.
    case wait(Int)
  }

  var seed: Int?
  var policy = DisplayPolicy<Int>()
  var pacer: ((ManualClock) -> DisplayPacer)?

  /// Expects what is displayed after each event, with the flag of its transition, and that nothing waits in the clock at the end.
  func expect(
    _ law: Comment, _ events: KeyValuePairs<Event, String>, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let clock = ManualClock()
    var load: PendingLoad<Int>?
    let stage = HostStage(seed: seed, policy: policy, pacer: pacer.map { $0(clock) }).shown()
    _ = stage.trace.take()
    for (event, expected) in events {
      switch event {
      case .start: stage.host.start()
      case .value(let value): stage.data.value = value
      case .error(let name): stage.data.error = Failure(name: name)
      case .clearError: stage.data.error = nil
      case .reset: stage.data.reset()
      case .invalidate: stage.data.invalidate()
      case .load(let mode): load = stage.data.begin(mode)
      case .progress: load?.report(progress: 0.5)
      case .answer(let value): load?.succeed(with: value)
      case .fail: load?.fail(with: Failure())
      case .cancel: stage.data.cancel()
      case .wait(let milliseconds): await clock.advance(by: .milliseconds(milliseconds))
      }
      let displayed = stage.transitions().filter { $0.hasPrefix("W") }.map { String($0.dropFirst(2).dropLast()) }
      expectEqual(displayed.joined(separator: " "), expected, "\(law): \(event)", sourceLocation: sourceLocation)
    }
    expectEqual(clock.sleeperCount, 0, law, sourceLocation: sourceLocation)
    stage.data.cancel()
  }
}
