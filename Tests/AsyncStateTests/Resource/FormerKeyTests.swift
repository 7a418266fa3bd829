// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct FormerKeyTests: FollowingSuite {
    let stage = FollowingStage()

    // MARK: 9.6 Failures

    @Test("9.6, 1.3 when the new key fails, the former value is removed in the same change")
    func failure() async {
      let resource = await resourceOfFormerKey()
      let recorder = DataRecorder(resource.data)
      await catalogue.gate.answer(arriving: 2, with: .failure(Failure()))
      await resource.settled()
      expectEqual(recorder.takeSnapshots(), ["- error(failure)"])
      expectEqual(resource.status.kind, .error)
      // A retry has no former value, either.
      resource.start()
      expectNil(resource.value)
      await catalogue.answer(3, "B")
      await resource.settled()
      expectEqual(resource.status, .data("B"))
    }

    @Test("9.6 a load that is cancelled leaves the former value, and what the next key answers replaces it")
    func cancelled() async {
      let resource = await resourceOfFormerKey()
      resource.cancel()
      expectEqual(resource.status, .data("A"))
      query.write("c")
      await catalogue.gate.answer(arriving: 2, with: .failure(Failure()))
      await resource.settled()
      expectNil(resource.value)
      expect(resource.error is Failure)
    }

    @Test("3.8, 9.6 what a load reads as known is never the value of a former key")
    func notModified() async {
      let resource = await resourceOfFormerKey()
      await resource.data.load(.refresh) { (reporter: LoadReporter<String>) in
        expectNil(reporter.current)
        return reporter.current
      }
      expectNil(resource.value)
      expect(resource.snapshot.isValueSet)
    }

    @Test("9.6 a yielded value takes the place of the former one, and a failure after it leaves that")
    func yielded() async {
      let resource = await resourceOfFormerKey()
      let load = resource.data.begin(.refresh)
      load.yield("B")
      load.fail(with: Failure())
      expectEqual(resource.value, "B")
      expect(resource.error is Failure)
      await resource.mutate({ $0 += "!" }, commit: {})
      expectEqual(resource.value, "B!")
    }

    // MARK: 3.12 Changes

    @Test("3.12 a change of a former key's value is refused, in the delay and while the key loads", arguments: [0, 1])
    func mutation(delay: Int) async {
      let resource = await resourceOfFormerKey(delay: .seconds(delay))
      let recorder = DataRecorder(resource.data)
      for _ in 0..<2 {
        let outcome = await resource.mutate {
          $0 += "!"
        } commit: {
          Issue.record("The commit of a refused change does not run.")
        }
        guard case .superseded = outcome else { return expect(false, "\(outcome)") }
        await clock.advance(by: .seconds(delay))
        await catalogue.gate.arrived(2)
      }
      expectEqual(resource.value, "A")
      expect(!resource.data.hasPendingChanges)
      expectEqual(recorder.takeSnapshots(), (delay == 0 ? [] : ["A refresh provisional"]))
      await catalogue.answer(2, "B")
      await resource.settled()
      await resource.mutate({ $0 += "!" }, commit: {})
      expectEqual(resource.value, "B!")
    }

    @Test("3.12, 9.3 a change that was made for the former key is superseded, and is not made to the next one")
    func undecided() async {
      let resource = resource(previous: .untilAnswered)
      resource.start()
      await catalogue.answer(1, "A")
      await resource.settled()
      let gate = ManualServer<String>()
      let change = Waiting { try? await resource.mutate({ $0 += "!" }, commit: { try await gate.wait() }).get() }
      await gate.arrived(1)
      query.write("b")
      gate.answer(call: 1, with: .success("A!"))
      await expectNil(change.end())
      await catalogue.answer(2, "B")
      await resource.settled()
      // It is not known which key the server has changed.
      expectEqual(resource.value, "B")
      expect(resource.isStale)
    }

    // MARK: 9.5 The end of a delay

    enum End: CaseIterable { case cancel, cancelData, reset, forget, value, error, load }
    enum Moment: CaseIterable { case delay, notification, notificationWithoutDelay }

    @Test(
      "1.4, 9.3, 9.5 what ends the request that a key's change leads to, in its delay or its notification: no sleeper is left",
      arguments: End.allCases, Moment.allCases)
    func ended(end: End, moment: Moment) async {
      let resource = resource(delay: moment == .notificationWithoutDelay ? .zero : .seconds(1))
      resource.start()
      await catalogue.answer(1, "A")
      await resource.settled()
      let recorder = DataRecorder(resource.data)
      if moment != .delay { recorder.hooks = [{ carryOut(end, resource) }] }
      query.write("b")
      if moment == .delay {
        await clock.sleepers(atLeast: 1)
        carryOut(end, resource)
      }
      expectEqual(clock.sleeperCount, 0)
      expect(!resource.isRunning)
      expectEqual(resource.value, end == .value || end == .load ? "by hand" : nil)
      await clock.advance(by: .seconds(5))
      expectEqual(catalogue.keys, ["a"])
      // The next key is followed as ever.
      query.write("c")
      await clock.advance(by: .seconds(1))
      await catalogue.answer(2, "C")
      await resource.settled()
      expectEqual(resource.value, "C")
      expectEqual(catalogue.keys, ["a", "c"])
    }

    private func carryOut(_ end: End, _ resource: AsyncResource<String>) {
      switch end {
      case .cancel: resource.cancel()
      case .cancelData: resource.data.cancel()
      case .reset: resource.reset()
      case .forget: resource.forget()
      case .value: resource.data.value = "by hand"
      case .error: resource.data.error = Failure()
      case .load: resource.data.begin().succeed(with: "by hand")
      }
    }

    @Test("9.5, 1.6 a resource that is released in a delay leaves no sleeper, though its data is held")
    func released() async {
      var resource: AsyncResource<String>? = resource(delay: .seconds(1))
      let data = resource?.data
      resource?.start()
      await catalogue.answer(1, "A")
      await resource?.settled()
      query.write("b")
      await clock.sleepers(atLeast: 1)
      resource = nil
      expectEqual(clock.sleeperCount, 0)
      expectNil(data?.value)
    }
  }
}
