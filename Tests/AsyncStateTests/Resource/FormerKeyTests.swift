// SPDX-License-Identifier: MIT
@testable import AsyncState
@testable import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct FormerKeyTests: FollowingSuite {
    let stage = FollowingStage()

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
        await catalogue.arrived(2)
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
      let resource = await loaded(previous: .untilAnswered)
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

    enum End: CaseIterable { case cancel, cancelData, reset, forget, value, error, load }
    enum Moment: CaseIterable { case delay, notification, notificationWithoutDelay }

    @Test(
      "1.4, 9.3, 9.5 what ends the request that a key's change leads to, in its delay or its notification: no sleeper is left",
      arguments: End.allCases, Moment.allCases)
    func ended(end: End, moment: Moment) async {
      let resource = await loaded(delay: moment == .notificationWithoutDelay ? .zero : .seconds(1))
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
      var resource: AsyncResource<String>? = await loaded(delay: .seconds(1))
      let data = resource?.data
      query.write("b")
      await clock.sleepers(atLeast: 1)
      resource = nil
      expectEqual(clock.sleeperCount, 0)
      expectNil(data?.value)
    }

    // MARK: What is displayed

    @Test("1.7, 9.6 a reader of the status is notified when a nil key removes the former value, and nothing is loading")
    func formerRemoved() async {
      let resource = await resourceOfFormerKey()
      resource.cancel()
      let reader = AllTests.ObservationTests.Tracker()
      reader.track { _ = resource.status }
      expectEqual(resource.status, .data("A"))
      query.write(nil)
      expectEqual(reader.changes, 1)
      expect(!resource.data.isLoading)
      expectEqual(resource.status, .idle)
    }

    @Test("6.2, 9.6 a kept value that becomes provisional is no news for a host")
    func noNews() async {
      let resource = resource(previous: .untilAnswered)
      let trace = Recorder()
      let host = AsyncHost(resource) { _ in [] }
      trace.record(host.container, .transitions) { "\($0)" }
      host.start()
      await catalogue.answer(1, "A")
      await resource.data.loadEnded()
      _ = trace.take()
      query.write("b")
      expectEqual(host.status, .data("A"))
      expect(resource.snapshot.isProvisional)
      expectEqual(trace.takeTrace(), "")
      await catalogue.answer(2, "B")
      await resource.settled()
      expectEqual(host.status, .data("B"))
      expect(trace.take() != "")
    }

    // MARK: With a pacer

    @Test("6.6 a presenter displays nothing for the delay of another key, or by default the loading")
    func pacedPresenter() async {
      let resource = resource()
      let pacer = DisplayPacer(delay: .seconds(1), minimum: .zero, clock: clock)
      let (plain, boarded) = (AsyncHost(resource, pacer: pacer), AsyncHost(resource, pacer: pacer))
      let content = PlainContent<String>()
      let board = StatusBoard(content: content, resource)
      let presenter = TracedPresenter<String>(Recorder()) { $0 }
      plain.presenter = presenter
      boarded.presenter = board
      for host in [plain, boarded] { host.start() }
      await catalogue.answer(1, "A")
      await resource.settled()
      expectEqual(board.visiblePart, .content)
      query.write("b")
      expectEqual(board.visiblePart, .nothing)
      expectEqual(presenter.trace.take(), "A,f loading,t")
      await clock.advance(by: .seconds(1))
      expectEqual(board.visiblePart, .indicator)
      resource.reset()
    }

    @Test("6.6, 6.8 another key of one of several hides all at once, and a cancel within the delay is idle")
    func pacedKeyOfSeveral() async {
      let resource = resource()
      let other = AsyncResource { 1 }
      let host = AsyncHost(zip(resource, other), pacer: DisplayPacer(delay: .seconds(1))) { _ in
        [RecordedChild("child", recorder: Recorder())]
      }
      host.start()
      await catalogue.answer(1, "A")
      await host.settled()
      expectEqual(host.container.currentState.kind, .data)
      expectEqual(host.container.children.count, 1)
      query.write("b")
      expect(host.container.children.isEmpty)
      await clock.advance(by: .milliseconds(999))
      expect(host.container.children.isEmpty)
      resource.cancel()
      expectEqual(host.container.currentState.kind, .idle)
      expectEqual(host.container.children.count, 1)
      expectEqual(clock.sleeperCount, 0)
    }
  }
}
