// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting

/// What a person sees of an indicator, for each latency from 0 to 2 seconds in steps of 10 ms.
struct Flashes {
  /// Latencies with an indicator.
  var indicators = 0
  /// Those whose indicator is displayed for less than 300 ms.
  var flashes = 0
  /// How much later than without an indicator an answer is displayed at most.
  var latestAnswer = Duration.zero
  /// How long a person looks at a screen without an indicator at most.
  var longestNothing = Duration.zero
}

@MainActor
private final class Display: @MainActor AsyncStatusPresenter {
  let clock: ManualClock
  var indicatorAt: Duration?
  var answerAt: Duration?

  init(clock: ManualClock) { self.clock = clock }

  func transitionToLoading(animated: Bool) { indicatorAt = clock.now.offset }
  func transitionToError(_ error: any Error, animated: Bool) {}
  func transitionToNoData(animated: Bool) {}
  func transitionToIdle(animated: Bool) {}
  func transitionToWaiting(animated: Bool) {}
  func transitionToData(_ value: Int, animated: Bool) { answerAt = clock.now.offset }
}

@MainActor
func flashes(delay: Duration, minimum: Duration) async -> Flashes {
  var flashes = Flashes()
  for latency in stride(from: 0, through: 2000, by: 10).map(Duration.milliseconds) {
    let clock = ManualClock()
    let display = Display(clock: clock)
    let resource = AsyncResource(options: LoadOptions(clock: clock)) {
      try await clock.sleepOnCaller(until: clock.now.advanced(by: latency))
      return 1
    }
    let host = AsyncHost(resource, pacer: DisplayPacer(delay: delay, minimum: minimum, clock: clock))
    host.presenter = display
    host.start()
    while display.answerAt == nil { await clock.advance(by: .milliseconds(10)) }
    await host.settled()
    guard let answerAt = display.answerAt else { continue }
    flashes.latestAnswer = max(flashes.latestAnswer, answerAt - latency)
    flashes.longestNothing = max(flashes.longestNothing, display.indicatorAt ?? answerAt)
    guard let indicatorAt = display.indicatorAt, indicatorAt < answerAt else { continue }
    flashes.indicators += 1
    if answerAt - indicatorAt < .milliseconds(300) { flashes.flashes += 1 }
  }
  return flashes
}
