import AsyncState
import AsyncStateTesting
import Testing

@Suite("6.1 to 6.4 AsyncHost", .timeLimit(.minutes(1)))
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
    let stage = HostStage().shown()
    _ = stage.trace.take()
    stage.host.load()
    #expect(stage.trace.take() == "W(loading,f) K D(loading,f) request")
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
  @MainActor func optimisticChange() async {
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
  @MainActor func nothingNew() async {
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
    let trace = Trace()
    let presenter = TracedPresenter(trace)
    let stage = HostStage(presenter: presenter)
    let delegate = StatusDelegate(trace)
    stage.host.container.delegate = delegate
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

  @Test("6.3 a container that appears again shows what the data mean by then")
  func reappears() {
    let stage = HostStage().shown().loaded()
    stage.host.container.willDisappear(animated: false)
    stage.host.container.didDisappear(animated: false)
    stage.data.value = 1
    _ = stage.trace.take()
    _ = stage.shown()
    #expect(stage.transitions() == ["W(data:1,f)", "D(data:1,f)"])
  }

  @Test("6.3 the host is held by nobody: it goes, and its presenter and its data were never held by it alone")
  func lifetime() {
    let trace = Trace()
    var presenter: TracedPresenter? = TracedPresenter(trace)
    let data = AsyncData<Int>()
    var host: AsyncHost? = AsyncHost(data: data, presenter: presenter!, request: { _ in })
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
    let presented = AsyncHost(data: AsyncData<Int>(), presenter: TracedPresenter(Trace()), request: { _ in })
      .container
    presented.willAppear(animated: false)
    #expect(presented.currentState.kind == .loading)
    stage = nil
    _ = stage
    #expect(container.currentState.kind == .loading)
  }

  // MARK: 6.4

  @Test("6.4 reload resets and makes the request again, also while one is under way")
  func reload() {
    let stage = HostStage().shown().loaded()
    stage.host.reloadAsyncData()
    #expect(stage.trace.take() == "request")
    stage.data.value = 1
    _ = stage.trace.take()
    stage.data.delegate?.reloadAsyncData()
    #expect(stage.trace.take().hasSuffix("D(data:1,t) request"))
    #expect(stage.data.value == nil)
  }

  @Test("6.4 an answer given synchronously by the request comes after the loading status")
  func synchronousAnswer() {
    let stage = HostStage().shown()
    stage.answer = { $0.value = 1 }
    _ = stage.trace.take()
    stage.host.load()
    #expect(stage.transitions() == ["W(loading,f)", "D(loading,f)", "W(data:1,t)", "D(loading,t)"])
    stage.host.reloadAsyncData()
    #expect(stage.transitions() == ["W(loading,t)", "D(data:1,t)", "W(data:1,t)", "D(loading,t)"])
  }

  @Test("6.4 a reload before load is the load")
  func reloadBeforeLoad() {
    let stage = HostStage()
    stage.host.reloadAsyncData()
    #expect(stage.trace.take().hasSuffix("request"))
    stage.host.load()
    #expect(stage.trace.take() == "")
  }

  // MARK: The common case

  @Test("6.1 with an operation the request is that operation, started on the actor that made the host")
  @MainActor func operation() async {
    let trace = Trace()
    let gate = Gate<Int?>()
    let host = AsyncHost(operation: { try await gate.wait() }) { status in
      trace("K(\(word(status)))")
      return []
    }
    host.load()
    await gate.arrived(1)
    gate.answer(call: 1, with: .success(1))
    await gate.ended(1)
    host.reloadAsyncData()
    await gate.arrived(2)
    gate.answer(call: 2, with: .failure(Failure()))
    await gate.ended(2)
    #expect(trace.take() == "K(loading) K(data:1) K(loading) K(error:failure)")

    let presenter = TracedPresenter(trace)
    let board = AsyncHost(presenter: presenter, operation: { try await gate.wait() })
    board.load()
    await gate.arrived(3)
    gate.answer(call: 3, with: .success(nil))
    await gate.ended(3)
    #expect(trace.take() == "loading,f noData,t")
  }
}
