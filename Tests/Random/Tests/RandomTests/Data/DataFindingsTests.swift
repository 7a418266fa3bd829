// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// What the model has found, each in its shortest form.
  @ModelActor
  struct DataFindingsTests {
    let clock = ManualClock()

    @Test("3.10 a load that is over before its operation begins leaves no timer in the clock")
    func timerOfALoadThatNeverBegan() async {
      let data = AsyncData<Int>(options: LoadOptions(clock: clock))
      let load = data.start(options: LoadOptions(timeout: .seconds(1))) { 1 }
      data.cancel()
      await ModelActor.idle()
      #expect(clock.sleeperCount == 0)
      guard case .cancelled = await load.outcome() else { return #expect(Bool(false), "not cancelled") }
    }

    @Test("3.8, 3.12 what a load reads as known has every confirmed change, whatever is undecided below it")
    func notModified() async {
      let data = AsyncData<[Int]>()
      data.value = [0]
      let undecided = ManualServer<Void>()
      let first = ModelActor.task { await data.mutate({ $0.append(1) }, commit: { try await undecided.wait() }) }
      await undecided.arrived(1)
      await data.mutate({ $0.append(2) }, commit: {})
      #expect(data.value == [0, 1, 2])
      await data.load(.refresh) { (reporter: LoadReporter<[Int]>) in
        #expect(reporter.current == [0, 2])
        return reporter.current
      }
      #expect(data.value == [0, 2, 1])
      undecided.answer(call: 1, with: .failure(Trouble(number: 1)))
      _ = await first.value
      #expect(data.value == [0, 2])
    }
  }
}
