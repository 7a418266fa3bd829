import AsyncState
import AsyncStateTesting
import Observation
import Testing

@Suite("6.1 to 6.4 AsyncHost", .timeLimit(.minutes(5)))
@MainActor
struct AsyncHostTests {
  // MARK: 6.1

  @Test("6.1 making a host makes no request and no child")
  func making() {
    let stage = HostStage()
    stage.data.value = 1
    stage.data.reset()
    #expect(stage.trace.take() == "")
    #expect(!stage.host.hasStarted)
    #expect(stage.host.status.kind == .loading)
    #expect(stage.host.container.children.isEmpty)
  }

  @Test("6.1 load presents the first status, not animated, and then makes the request, once")
  func load() {
    let stage = HostStage()
    stage.host.load()
    #expect(stage.trace.take() == "W(loading,f) K loading+ loading+! D(nil,f) request")
    #expect(stage.host.hasStarted)
    stage.host.load()
    #expect(stage.trace.take() == "")
  }

  @Test("6.1 data that are there before load show at once, without loading, and the request is still made")
  func dataBeforeLoad() {
    let stage = HostStage()
    stage.data.value = 7
    stage.host.load()
    #expect(stage.trace.take() == "W(data:7,f) K data+ data+! D(nil,f) request")
    let seeded = HostStage(seed: 3)
    seeded.host.load()
    #expect(seeded.transitions() == ["W(data:3,f)", "D(nil,f)"])
  }

  @Test("6.1 an error, or an answer of nothing, that is there before load shows at once, too")
  func errorBeforeLoad() {
    let stage = HostStage()
    stage.data.error = Failure()
    stage.host.load()
    #expect(stage.transitions() == ["W(error:failure,f)", "D(nil,f)"])
    let empty = HostStage()
    empty.data.value = nil
    empty.host.load()
    #expect(empty.transitions() == ["W(noData,f)", "D(nil,f)"])
  }

  // MARK: 6.2

  @Test("6.2 each kind is presented when it comes, animated")
  func kinds() {
    let stage = HostStage().shown().loaded()
    stage.data.value = 1
    stage.data.error = Failure()
    stage.data.value = nil
    stage.data.reset()
    #expect(
      stage.transitions() == [
        "W(data:1,t)", "D(loading,t)", "W(error:failure,t)", "D(data:1,t)", "W(noData,t)", "D(error:failure,t)",
        "W(loading,t)", "D(noData,t)",
      ])
  }

  @Test("6.2 a new value over data is presented, and a new error over an error")
  func writtenAgain() {
    let stage = HostStage().shown().loaded()
    stage.data.value = 1
    stage.data.value = 2
    #expect(stage.transitions().suffix(2) == ["W(data:2,t)", "D(data:1,t)"])
    stage.data.error = Failure(name: "a")
    stage.data.error = Failure(name: "b")
    #expect(stage.transitions().suffix(2) == ["W(error:b,t)", "D(error:a,t)"])
  }

  @Test("6.2 data that are reset over another value show their seed again")
  func resetToSeed() {
    let stage = HostStage(seed: 3).shown().loaded()
    stage.data.value = 1
    _ = stage.trace.take()
    stage.data.reset()
    #expect(stage.transitions() == ["W(data:3,t)", "D(data:1,t)"])
  }

  @Test("6.2 an optimistic change over data is presented at once, and so is its end")
  func optimisticChange() async {
    let stage = HostStage().shown().loaded()
    stage.data.value = 1
    _ = stage.trace.take()
    var whileUnderWay: [String] = []
    await stage.data.mutate({ $0 += 1 }) {
      whileUnderWay = stage.transitions()
      throw Failure()
    }
    #expect(whileUnderWay == ["W(data:2,t)", "D(data:1,t)"])
    #expect(stage.transitions() == ["W(data:1,t)", "D(data:2,t)"])
  }

  @Test("6.2 a forced notification is presented, and not animated")
  func forced() {
    let stage = HostStage().shown().loaded()
    stage.data.value = 1
    _ = stage.trace.take()
    stage.data.value = 1
    #expect(stage.transitions() == ["W(data:1,f)", "D(data:1,f)"])
    stage.data.invalidate()
    #expect(stage.transitions() == ["W(data:1,f)", "D(data:1,f)"])
  }

  @Test("6.2 what changes nothing on show is not presented")
  func nothingNew() async {
    let stage = HostStage(policy: DisplayPolicy(errorReplacesData: false)).shown().loaded()
    stage.data.reset()
    #expect(stage.transitions() == [])
    stage.data.value = 1
    _ = stage.trace.take()
    stage.data.start(.refresh) { throw Failure() }
    stage.data.cancel()
    await stage.data.load(.refresh) { (reporter: LoadReporter<Int>) in
      reporter.report(progress: 0.5)
      throw Failure()
    }
    stage.data.error = nil
    #expect(stage.transitions() == [])
    stage.data.value = nil
    _ = stage.trace.take()
    stage.data.error = nil
    #expect(stage.transitions() == [])
  }

  @Test("6.2 the status follows what is not presented, too")
  func statusFollows() {
    let stage = HostStage().loaded()
    #expect(stage.host.status.kind == .loading)
    stage.data.value = 1
    #expect(word(stage.host.status) == "data:1")
    stage.data.error = Failure()
    #expect(stage.host.status.kind == .error)
  }

  // MARK: 6.3

  @Test("6.3 the container's delegate hears will, then the children, then did; the status is new before")
  func order() {
    let stage = HostStage().shown().loaded()
    var status: String?
    stage.trace.once("W(data:1,t)") { status = word(stage.host.status) }
    stage.data.value = 1
    #expect(
      stage.trace.take().marks == [
        "W(data:1,t)", "K", "loading-", "loading.wd", "data+", "data.wa", "data.da", "data+!", "loading.dd",
        "loading-!", "D(loading,t)",
      ])
    #expect(status == "data:1")
  }

  @Test("6.3 with a presenter it hears will, then the presenter, then did")
  func orderWithPresenter() {
    let trace = Recorder()
    let presenter = TracedPresenter(trace)
    let stage = HostStage(presenter: presenter)
    trace.record(statusesOf: stage.host)
    stage.host.load()
    stage.data.value = 1
    stage.data.value = 1
    stage.data.error = Failure()
    stage.data.value = nil
    #expect(
      trace.marks == [
        "W(loading,f)", "loading,f", "D(nil,f)", "W(data:1,t)", "data:1,t", "D(loading,t)", "W(data:1,f)", "data:1,f",
        "D(data:1,f)", "W(error:failure,t)", "error:failure,t", "D(data:1,t)", "W(noData,t)", "noData,t",
        "D(error:failure,t)",
      ])
  }

  @Test("6.3 with a presenter and children, the presenter displays the status before the children are requested")
  func presenterBeforeChildren() {
    let stage = HostStage()
    let presenter = TracedPresenter(stage.trace)
    stage.host.presenter = presenter
    stage.host.load()
    _ = stage.trace.take()
    stage.data.value = 1
    let marks = stage.trace.take().marks
    let (shown, requested) = (marks.firstIndex(of: "data:1,t"), marks.firstIndex(of: "K"))
    #expect(shown.map { $0 + 1 } == requested && shown != nil)
    withExtendedLifetime(presenter) {}
  }

  @Test("6.3 a write inside a callback is presented after the transition that runs, and the last one stays")
  func writeInsideCallback() {
    let stage = HostStage().shown().loaded()
    stage.trace.once("K") {
      stage.data.value = 2
      stage.data.value = 3
    }
    stage.data.value = 1
    #expect(stage.transitions() == ["W(data:1,t)", "D(loading,t)", "W(data:3,t)", "D(data:1,t)"])
    #expect(word(stage.host.container.currentState) == "data:3")
  }

  @Test("6.1 what changes while the host is gone is carried out unseen, and reappearing presents nothing")
  func reappears() {
    let stage = HostStage().shown().loaded()
    stage.host.disappear(animated: false)
    _ = stage.trace.take()
    stage.data.value = 1
    #expect(stage.transitions() == ["W(data:1,t)", "D(loading,t)"])
    _ = stage.shown()
    #expect(stage.transitions() == [])
    #expect(word(stage.host.container.currentState) == "data:1")
  }

  @Test("6.3 the host is held by nobody: it goes, and its presenter and its data were never held by it alone")
  func lifetime() {
    let trace = Recorder()
    var presenter: TracedPresenter<Int>? = TracedPresenter(trace)
    let data = AsyncData<Int>()
    var host: AsyncHost? = AsyncHost(data: data, request: { _, _ in })
    host?.presenter = presenter
    let releasedPresenter = Weak(presenter)
    let releasedHost = Weak(host)
    host?.load()
    presenter = nil
    #expect(releasedPresenter.object == nil)
    data.value = 1
    host = nil
    #expect(releasedHost.object == nil)
    data.value = 2
    #expect(trace.take() == "loading,f")
  }

  @Test("6.3 a container that outlives its host stays as it is")
  func containerOutlives() {
    var stage: HostStage? = HostStage().shown().loaded()
    let container = stage!.host.container
    container.willDisappear(animated: false)
    container.didDisappear(animated: false)
    stage = nil
    _ = stage
    #expect(container.currentState.kind == .loading)
  }

  // MARK: 6.4

  @Test("6.4 reload resets and makes the request again, also while one is under way")
  func reload() {
    let stage = HostStage().shown().loaded()
    stage.host.reload()
    #expect(stage.trace.take() == "request")
    stage.data.value = 1
    _ = stage.trace.take()
    stage.host.reload()
    #expect(stage.trace.take().hasPrefix("request W(loading,t) K"))
    #expect(stage.data.value == nil)
  }

  @Test("6.4 an answer given synchronously by the request comes after the loading status")
  func synchronousAnswer() {
    let stage = HostStage().shown()
    stage.answer = { $0.value = 1 }
    _ = stage.trace.take()
    stage.host.load()
    #expect(stage.transitions() == ["W(data:1,t)", "D(loading,t)"])
    stage.host.reload()
    #expect(stage.transitions() == ["W(loading,t)", "D(data:1,t)", "W(data:1,t)", "D(loading,t)"])
  }

  @Test("6.4 a reload before load is the load")
  func reloadBeforeLoad() {
    let stage = HostStage()
    stage.host.reload()
    #expect(stage.trace.take().hasSuffix("request"))
    stage.host.load()
    #expect(stage.trace.take() == "")
  }

  // MARK: The common case

  @Test("6.1 with a resource the request is its operation")
  func operation() async {
    let trace = Recorder()
    let gate = Gate<Int?>()
    let host = AsyncHost(AsyncResource { try await gate.wait() }) { status in
      trace.note("K(\(word(status)))")
      return []
    }
    let first = host.load()
    await gate.arrived(1)
    gate.answer(call: 1, with: .success(1))
    #expect(await first.outcome().word == "value 1")
    let second = host.reload()
    await gate.arrived(2)
    gate.answer(call: 2, with: .failure(Failure()))
    #expect(await second.outcome().word == "failure failure")
    #expect(trace.take() == "K(loading) K(data:1) K(loading) K(error:failure)")

    let presenter = TracedPresenter(trace)
    let board = AsyncHost(AsyncResource { try await gate.wait() })
    board.presenter = presenter
    let third = board.load()
    await gate.arrived(3)
    gate.answer(call: 3, with: .success(nil))
    #expect(await third.outcome().word == "nothing")
    #expect(trace.take() == "loading,f noData,t")
  }

  @Test("6.1 load returns the handle of its request, and a second call makes none")
  func handle() async {
    let gate = Gate<Int?>()
    let host = AsyncHost(AsyncResource { try await gate.wait() })
    let presenter = TracedPresenter(Recorder())
    host.presenter = presenter
    let first = host.load()
    let second = host.load()
    await gate.arrived(1)
    gate.answer(call: 1, with: .success(1))
    #expect(await first.outcome().word == "value 1")
    #expect(await second.outcome().word == "value 1")
    #expect(await host.load().outcome().word == "value 1")
  }

  @Test("6.1 a host that appears before load shows loading, and load presents only news")
  func appearsBeforeLoad() {
    let stage = HostStage()
    stage.host.appear(animated: false)
    #expect(stage.transitions() == ["W(loading,f)", "D(nil,f)"])
    stage.host.load()
    #expect(stage.trace.take() == "request")
    let known = HostStage(seed: 1)
    known.host.appear(animated: false)
    _ = known.trace.take()
    known.host.load()
    #expect(known.transitions() == ["W(data:1,t)", "D(loading,t)"])
  }

  @Test("6.1 data that are there before load stay displayed while the request runs")
  func keepsWhatIsThere() {
    let resource = AsyncResource<Int>(seed: 3) { 4 }
    let host = AsyncHost(resource) { _ in [] }
    host.load()
    #expect(host.status == .data(3))
    #expect(resource.isRunning)
    #expect(resource.snapshot.activity?.mode == .refresh)
  }

  @Test("1.11 any number of hosts display the same data, and the delegate stays the user's")
  func shared() {
    let data = AsyncData<Int>()
    let recorder = DataRecorder(data)
    let hosts = (0..<3).map { _ in AsyncHost(data: data, request: { _, _ in }, children: { _ in [] }) }
    for host in hosts { host.load() }
    data.value = 1
    for host in hosts { #expect(host.status == .data(1)) }
    #expect(data.delegate === recorder)
    #expect(recorder.takeFlags() == "f")
  }

  @Test("4, 6.2 idle data and the answer that there is nothing are presented one after the other")
  func idle() {
    let stage = HostStage(policy: DisplayPolicy(idle: .noData)).shown().loaded()
    #expect(word(stage.host.container.currentState) == "idle")
    stage.data.value = nil
    #expect(stage.transitions() == ["W(noData,t)", "D(idle,t)"])
  }

  @Test("6.4 refresh keeps the content, and nothing is presented between the reset and the start of a reload")
  func refreshAndReload() {
    let gate = Gate<Int?>()
    let trace = Recorder()
    let presenter = TracedPresenter(trace)
    let host = AsyncHost(AsyncResource { try await gate.wait() }, policy: DisplayPolicy(idle: .noData))
    host.presenter = presenter
    host.load()
    host.data.value = 1
    _ = trace.take()
    host.refresh()
    #expect(trace.take() == "")
    host.reload()
    #expect(trace.take() == "loading,t")
    #expect(host.data.value == nil)
    host.reload()
    #expect(trace.take() == "")
  }

  @Test("6.2 a presenter that is set late shows what is displayed at once")
  func latePresenter() {
    let trace = Recorder()
    let presenter = TracedPresenter(trace)
    let host = AsyncHost(data: AsyncData<Int>(), request: { _, _ in }, children: { _ in [] })
    host.presenter = presenter
    #expect(trace.take() == "")
    host.presenter = nil
    host.load()
    host.data.value = 1
    host.presenter = presenter
    #expect(trace.take() == "data:1,f")
  }

  @Test("1.7 a view that reads the status or whether it has started is invalidated by that alone")
  func observable() {
    let host = AsyncHost(data: AsyncData<Int>(), request: { _, _ in }, children: { _ in [] })
    final class Count: @unchecked Sendable { var number = 0 }
    let (starts, statuses) = (Count(), Count())
    withObservationTracking {
      _ = host.hasStarted
    } onChange: {
      starts.number += 1
    }
    withObservationTracking {
      _ = host.status
    } onChange: {
      statuses.number += 1
    }
    host.load()
    #expect(starts.number == 1 && statuses.number == 0)
    host.data.value = 1
    #expect(starts.number == 1 && statuses.number == 1)
    withObservationTracking {
      _ = host.status
    } onChange: {
      statuses.number += 1
    }
    host.data.start(.refresh) { 2 }
    host.data.cancel()
    #expect(statuses.number == 1)
  }

  @Test("1.4, 6.2 a reader that is notified before the status changes, and writes: the newest status is displayed")
  func writeBeforeTheChange() {
    let data = AsyncData<Int>()
    data.value = 1
    let host = AsyncHost(data: data, request: { _, _ in }, children: { _ in [] })
    nonisolated(unsafe) let unsafeData = data  // The closure is called on this very thread.
    withObservationTracking {
      _ = host.status
    } onChange: {
      unsafeData.value = 2
    }
    host.load()
    #expect(host.status == .data(2))
    #expect(host.container.currentState == .data(2))
  }

  @Test("1.4, 6.1 a reader that is notified before the start, and loads: the request is made once")
  func loadBeforeTheChange() {
    var requests = 0
    let host = AsyncHost(data: AsyncData<Int>(), request: { _, _ in requests += 1 }, children: { _ in [] })
    nonisolated(unsafe) let unsafeHost = host  // The closure is called on this very thread.
    withObservationTracking {
      _ = host.hasStarted
    } onChange: {
      MainActor.assumeIsolated { _ = unsafeHost.load() }
    }
    host.load()
    #expect(requests == 1 && host.hasStarted)
    host.data.value = 1
    #expect(host.container.currentState == .data(1))
  }

  @Test("5.18 a nested host appears with the outer container, and loads only by load")
  func nested() {
    let stage = HostStage()
    let outer = StateContainer(initialState: true) { [host = stage.host!] isShown in isShown ? [host] : [] }
    outer.appear(animated: false)
    #expect(stage.transitions() == ["W(loading,f)", "D(nil,f)"])
    #expect(!stage.host.hasStarted)
    stage.host.load()
    outer.setNeedsTransition(to: false, animated: false)
    _ = stage.trace.take()
    stage.data.value = 1
    #expect(stage.transitions() == ["W(data:1,t)", "D(loading,t)"])
    outer.setNeedsTransition(to: true, animated: false)
    #expect(stage.transitions() == [])
    #expect(stage.host.container.appearance == .visible)
  }

  @Test("1.8 hosts that are released on any thread in the middle of a load and of pacing leave nothing behind")
  func releasedElsewhere() async {
    let clock = ManualClock()
    let census = Census()
    let gate = Gate<Int?>()
    @MainActor final class Screen {
      let host: AsyncHost<Int>
      init(_ life: Census.Life, _ gate: Gate<Int?>, _ pacer: DisplayPacer) {
        let resource = AsyncResource {
          defer { withExtendedLifetime(life) {} }
          return try await gate.wait()
        }
        host = AsyncHost(resource, pacer: pacer, children: { _ in [] })
        host.appear(animated: false)
        host.load()
      }
    }
    for turn in 1...20 {
      let screen = Screen(census.newLife(), gate, DisplayPacer(clock: clock))
      await gate.arrived(turn)
      Task.detached { _ = screen }
    }
    await census.isEmpty()
  }
}
