// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting

private struct NoConnection: Error {}

/// A test of a retry: the first request fails, the second one, which follows after a back-off, is answered.
///
/// - Returns: Whether it has passed.
@MainActor
func passesWithManualClock() async -> Bool {
  let clock = ManualClock()
  let gate = ManualServer<Int>()
  let options = LoadOptions(retry: .exponential(first: .seconds(1)), clock: clock)
  let number = AsyncResource(options: options) { try await gate.wait() }
  number.start()
  gate.answer(call: 1, with: .failure(NoConnection()))
  await clock.sleepers(atLeast: 1)
  guard number.data.snapshot.activity?.failures == 1, number.value == nil else { return false }
  await clock.advance(by: .seconds(1))
  gate.answer(call: 2, with: .success(7))
  await number.settled()
  return number.value == 7 && gate.callCount == 2
}

/// The same test by real time, as it is written without a clock: it sleeps for a little longer than what it waits for.
///
/// - Parameter margin: How much longer.
@MainActor
func passesByRealTime(margin: Duration) async -> Bool {
  var calls = 0
  let backOff = Duration.milliseconds(10)
  let number = AsyncResource(options: LoadOptions(retry: .exponential(first: backOff))) {
    calls += 1
    if calls == 1 { throw NoConnection() }
    return 7
  }
  number.start()
  try? await Task.sleep(for: .milliseconds(5))
  guard number.data.snapshot.activity?.failures == 1, number.value == nil else { return false }
  // The back-off has a random part.
  try? await Task.sleep(for: backOff + margin)
  return number.value == 7 && calls == 2
}

/// How many of `count` runs fail.
@MainActor
func failures(of count: Int, _ passes: @MainActor () async -> Bool) async -> Int {
  var failures = 0
  for _ in 0..<count where await !passes() { failures += 1 }
  return failures
}

/// Runs `body` while something else wants every processor, as on a machine that builds.
@MainActor
func whileBusy<Result>(_ body: @MainActor () async -> Result) async -> Result {
  let tasks = (0..<8).map { _ in
    Task.detached(priority: .high) {
      var sum = 0
      while !Task.isCancelled {
        for number in 0..<200_000 { sum &+= number &* sum }
        await Task.yield()
      }
      return sum
    }
  }
  let result = await body()
  for task in tasks { task.cancel() }
  for task in tasks { _ = await task.value }
  return result
}
