// SPDX-License-Identifier: MIT
@testable import AsyncState
@testable import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct PreviousValueTests: FollowingSuite {
    let stage = FollowingStage()

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

    @Test("9.6 the former value is displayed, provisional, until there is a value or an error")
    func former() async {
      let resource = await resourceOfFormerKey()
      expect(resource.snapshot.isProvisional)
      expect(!resource.snapshot.isSettled)
      query.write("c")
      expectEqual(resource.status, .data("A"))
      resource.start()
      expectEqual(resource.status, .data("A"))
      await catalogue.gate.arrived(2)
      let third = resource.start()
      await catalogue.answer(2, "C")
      await expectEqual(third.outcome().text, "C")
      expectEqual(resource.value, "C")
      expect(!resource.snapshot.isProvisional)
      query.write("d")
      query.write(nil)
      expectNil(resource.value)
      expectEqual(resource.status(policy: DisplayPolicy(idle: .idle)), .idle)
    }

    // MARK: With a pacer

    @Test("6.6 a presenter displays nothing for the delay of another key, or by default the loading")
    func pacedPresenter() async {
      let resource = resource()
      let pacer = DisplayPacer(delay: .seconds(1), minimum: .zero, clock: clock)
      let (plain, boarded) = (AsyncHost(resource, pacer: pacer), AsyncHost(resource, pacer: pacer))
      let content = Content()
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

    private final class Content: AsyncContent {
      func apply(_ value: String, animated: Bool) {}
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
