// SPDX-License-Identifier: MIT
/// Calls back once on an actor when a clock reaches a time. Setting or cancelling it replaces the previous call.
///
/// An alarm belongs to the actor that it calls back on, and does not keep it alive but while it is set. Its last
/// reference may be released on any thread: that cancels the sleep, and nothing is called any more.
final class Alarm {
  private let timeline: Timeline
  /// The sleep until the call, and the time of the call; nil while none is set.
  private var pending: (time: Duration, sleep: Task<Void, Never>)?

  init(_ timeline: Timeline) {
    self.timeline = timeline
  }

  deinit {
    pending?.sleep.cancel()
  }

  /// True until the call is made or cancelled.
  var isSet: Bool { pending != nil }

  /// The time by the alarm's clock, since its line began.
  var now: Duration { timeline.now }

  /// Calls `body` at `time`. A call that is set for the same time already stays. Only called on `actor`.
  func set(at time: Duration, on actor: any Actor, _ body: @escaping () -> Void) {
    guard pending?.time != time else { return }
    cancel()
    let call = ActorBound((alarm: self, body: body), to: actor)
    call.callHere { actor, bound in bound.alarm.begin(until: time, isolation: actor, bound.body) }
  }

  /// Cancels the call, and leaves no sleeper in the clock.
  func cancel() {
    pending.take()?.sleep.cancel()
  }

  private func begin(until time: Duration, isolation: isolated any Actor, _ body: @escaping () -> Void) {
    let sleep = Task { [weak self, timeline] in
      _ = isolation
      // Cancelled after its end: another sleep has replaced it, or none is wanted.
      guard (try? await timeline.sleep(until: time)) != nil, !Task.isCancelled, let self else { return }
      // Cleared before the call: setting the alarm anew in there must not cancel the task that is calling.
      self.pending = nil
      body()
    }
    pending = (time, sleep)
  }
}
