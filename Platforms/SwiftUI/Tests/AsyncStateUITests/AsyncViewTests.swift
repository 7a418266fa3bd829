import AsyncState
import AsyncStateTesting
import AsyncStateUI
import SwiftUI
import Testing

@MainActor
struct AsyncViewTests {
  struct Failure: Error, CustomStringConvertible {
    var description: String { "No connection" }
  }

  private let gate = Gate<String?>()
  private let counter = Counter()

  final class Counter {
    var requests = 0
  }

  private func makeResource() -> AsyncResource<String> {
    AsyncResource { [gate, counter] in
      counter.requests += 1
      return try await gate.wait()
    }
  }

  private func ended(_ resource: AsyncResource<String>) async {
    for await isRunning in resource.observed.isRunning.values where !isRunning { return }
  }

  private func makeHost(_ resource: AsyncResource<String>) -> ViewHost {
    ViewHost { AsyncView(resource) { Text($0) } }
  }

  @Test("15.3 a thousand redraws during one load make one request, and do not cancel it")
  func redraws() async {
    let resource = makeResource()
    let host = makeHost(resource)
    #expect(host.texts == ["(progress)"])
    await gate.arrived(1)
    for _ in 0..<1000 { host.redraw() }
    gate.answer(call: 1, with: .success("Hello"))
    await ended(resource)
    host.draw()
    #expect(host.texts == ["Hello"])
    for _ in 0..<1000 { host.redraw() }
    #expect(counter.requests == 1)
    #expect(!resource.isRunning)
  }

  @Test("15.3 a refresh is not cancelled by a redraw, and keeps the content")
  func refreshAndRedraw() async throws {
    let resource = makeResource()
    resource.data.value = "old"
    let host = makeHost(resource)
    #expect(host.texts == ["old"])
    let pull = try #require(host.refresh())
    await gate.arrived(1)
    host.redraw()
    #expect(host.texts == ["old"])
    #expect(resource.isRunning)
    gate.answer(call: 1, with: .success("new"))
    await ended(resource)
    await pull.value
    host.draw()
    #expect(host.texts == ["new"])
    #expect(counter.requests == 1)
  }

  @Test("15.3 a refresh ends with its load, not before")
  func refreshWaits() async throws {
    let resource = makeResource()
    resource.data.value = "old"
    let host = makeHost(resource)
    let pull = try #require(host.refresh())
    await gate.arrived(1)
    gate.answer(call: 1, with: .success("new"))
    await pull.value
    #expect(!resource.isRunning)
    #expect(resource.value == "new")
    host.close()
  }

  @Test("3.4 a view that disappears ends its load if nobody else wants it")
  func disappearing() async {
    let resource = makeResource()
    let host = makeHost(resource)
    await gate.arrived(1)
    host.close()
    await gate.ended(1)
    await ended(resource)
    #expect(!resource.isRunning && resource.value == nil && resource.error == nil)
  }

  @Test("3.4 a view that disappears leaves a load alone that somebody else has started")
  func disappearingBesideOthers() async {
    let resource = makeResource()
    let load = resource.start()
    await gate.arrived(1)
    let host = makeHost(resource)
    await Task { @MainActor in }.value
    host.close()
    gate.answer(call: 1, with: .success("a"))
    _ = await load.outcome()
    #expect(resource.value == "a")
    #expect(counter.requests == 1)
  }

  @Test("3.5 two views of one resource make one request, and one of them may go")
  func twoViews() async {
    let resource = makeResource()
    let first = makeHost(resource)
    let second = ViewHost {
      VStack {
        AsyncView(resource) { Text($0) }
        AsyncView(status: resource) { status, _ in Text("\(status.kind)") }
      }
    }
    await gate.arrived(1)
    first.close()
    gate.answer(call: 1, with: .success("a"))
    await ended(resource)
    second.draw()
    #expect(second.texts == ["a", "data"])
    #expect(counter.requests == 1)
  }

  @Test("6.4 an error is displayed with a button that requests again")
  func retry() async {
    let resource = makeResource()
    let host = makeHost(resource)
    await gate.arrived(1)
    gate.answer(call: 1, with: .failure(Failure()))
    await ended(resource)
    host.draw()
    #expect(host.texts == ["No connection", "Try Again"])
    #expect(host.press("Try Again"))
    #expect(host.texts == ["(progress)"])
    await gate.arrived(2)
    gate.answer(call: 2, with: .success(nil))
    await ended(resource)
    host.draw()
    #expect(host.texts == ["There is nothing here yet.", "Try Again"])
    #expect(counter.requests == 2)
  }

  @Test("4 a retry keeps the content where the policy keeps it beside an error, and a banner shows the error")
  func retryThatKeepsContent() async {
    let resource = makeResource()
    resource.data.value = "old"
    resource.data.error = Failure()
    let host = ViewHost {
      AsyncView(resource, policy: DisplayPolicy(errorReplacesData: false)) { Text($0) }
    }
    // What is beside an error is stale: the view requests it.
    await gate.arrived(1)
    gate.answer(call: 1, with: .failure(Failure()))
    await ended(resource)
    host.draw()
    #expect(host.texts == ["Not updated: No connection", "old"])
    #expect(host.press("Not updated: No connection"))
    #expect(resource.isRunning)
    #expect(host.texts.last == "old")
    await gate.arrived(2)
    gate.answer(call: 2, with: .success("new"))
    await ended(resource)
    host.draw()
    #expect(host.texts == ["new"])
  }

  @Test("1.7 a view that reads isRunning is not drawn again by progress")
  func progress() async {
    let reporters = Reporters()
    let resource = AsyncResource<String> { (reporter: LoadReporter<String>) in
      reporters.reporter = reporter
      return try await gate.wait()
    }
    let host = ViewHost { RunningReader(resource: resource) }
    resource.start()
    host.draw()
    await gate.arrived(1)
    let before = host.redraws(of: "RunningReader")
    for step in 0..<100 { reporters.reporter?.report(progress: Double(step) / 100) }
    host.draw()
    #expect(host.redraws(of: "RunningReader") == before)
    #expect(host.texts == ["true"])
    resource.cancel()
    host.draw()
    #expect(host.texts == ["false"])
  }

  final class Reporters {
    var reporter: LoadReporter<String>?
  }

  struct RunningReader: View {
    let resource: AsyncResource<String>
    var body: some View { Text("\(resource.isRunning)") }
  }

  @Test("15.3 another resource in the place of the former: its request is made, the former one's ends")
  func anotherResource() async {
    let (first, second) = (makeResource(), makeResource())
    var shown = first
    let host = ViewHost { AsyncView(shown) { Text($0) } }
    await gate.arrived(1)
    shown = second
    host.redraw()
    await gate.ended(1)
    await gate.arrived(2)
    #expect(!first.isRunning && second.isRunning)
    gate.answer(call: 2, with: .success("b"))
    await ended(second)
    host.draw()
    #expect(host.texts == ["b"])
  }

  @Test("3.6 fresh data are displayed without a request")
  func freshData() async {
    let resource = makeResource()
    resource.data.value = "a"
    let host = makeHost(resource)
    await Task { @MainActor in }.value
    #expect(host.texts == ["a"])
    #expect(counter.requests == 0)
  }

  @Test("6.6 with a pacer a loading that ends in time is never displayed, and redraws do not begin it anew")
  func pacing() async {
    let clock = ManualClock()
    let resource = makeResource()
    let pacer = DisplayPacer(delay: .seconds(1), minimum: .seconds(1), clock: clock)
    let host = ViewHost { AsyncView(resource, pacer: pacer) { Text($0) } }
    #expect(host.texts == [])
    await gate.arrived(1)
    host.redraw()
    gate.answer(call: 1, with: .success("a"))
    await ended(resource)
    host.draw()
    #expect(host.texts == ["a"])
  }

  @Test("15.3 one's own views for each status")
  func ownViews() {
    let resource = makeResource()
    let host = ViewHost {
      AsyncView(resource) {
        Text($0)
      } loading: {
        Text("wait")
      } failure: { error, _ in
        Text("oh: \(error)")
      } empty: { _ in
        Text("none")
      }
    }
    #expect(host.texts == ["wait"])
    resource.data.error = Failure()
    host.draw()
    #expect(host.texts == ["oh: No connection"])
    resource.data.value = nil
    host.draw()
    #expect(host.texts == ["none"])
  }

  @Test("3.3 a refresh whose load is cancelled ends, and keeps the content")
  func cancelledRefresh() async throws {
    let resource = makeResource()
    resource.data.value = "old"
    let host = makeHost(resource)
    let pull = try #require(host.refresh())
    await gate.arrived(1)
    resource.cancel()
    await pull.value
    host.draw()
    #expect(host.texts == ["old"])
  }

  @Test("5.1 a container's delegate is notified of the transitions that its view displays")
  func stateView() {
    let container = StateContainer<Int>(initialState: 1) { _ in [Child()] }
    let delegate = Delegate()
    container.delegate = delegate
    let host = ViewHost { StateView(container) { Text("state \($0)") } }
    #expect(container.appearance == .visible)
    container.setNeedsTransition(to: 2, animated: false)
    host.draw()
    #expect(host.texts == ["state 2"])
    host.redraw()
    host.close()
    #expect(container.appearance == .gone)
    #expect(delegate.calls == ["W 1", "D nil", "W 2", "D Optional(1)", "disappears"])
  }

  final class Child: ChildController {}

  final class Delegate: @MainActor StateContainerDelegate {
    var calls: [String] = []
    func container(_ container: StateContainer<Int>, willTransitionTo next: Int, animated: Bool) {
      calls.append("W \(next)\(animated ? " animated" : "")")
    }
    func container(_ container: StateContainer<Int>, didTransitionFrom former: Int?, animated: Bool) {
      calls.append("D \(former as Any)\(animated ? " animated" : "")")
    }
    func container(
      _ container: StateContainer<Int>, childDidDisappear child: any ChildController, animated: Bool
    ) {
      if container.appearance == .gone { calls.append("disappears\(animated ? " animated" : "")") }
    }
  }

  @Test("15.3 a gallery shows every status of a screen")
  func gallery() {
    let host = ViewHost {
      AsyncGallery(data: "Hello") { status, actions in
        AsyncStatusView(status, actions: actions) { Text($0) }
      }
    }
    #expect(
      host.texts == [
        "Loading", "(progress)", "Error", "The request has failed.", "Try Again", "No data",
        "There is nothing here yet.", "Try Again", "Data", "Hello",
      ])
    #expect(host.press("Try Again"))
  }

  @Test("6.4 a reload hides the content; a retry keeps it")
  func actions() async {
    let resource = makeResource()
    resource.data.value = "old"
    let host = ViewHost {
      AsyncView(status: resource) { status, actions in
        AsyncStatusView(status, actions: actions) { Text($0) }
        Button("reload", action: actions.reload)
        Button("retry", action: actions.retry)
      }
    }
    #expect(host.press("retry"))
    #expect(resource.isRunning)
    #expect(host.texts == ["old", "reload", "retry"])
    #expect(host.press("reload"))
    #expect(host.texts == ["(progress)", "reload", "retry"])
    resource.cancel()
    host.draw()
    #expect(host.texts == ["old", "reload", "retry"])
  }

  @Test("6.6 a pacer follows another resource, and keeps its pace for the same one")
  func pacingOfAnotherResource() async {
    let clock = ManualClock()
    let (first, second) = (makeResource(), makeResource())
    let pacer = DisplayPacer(delay: .seconds(1), minimum: .zero, clock: clock)
    var displayed = first
    let host = ViewHost { AsyncView(displayed, pacer: pacer) { Text($0) } }
    await gate.arrived(1)
    await clock.advance(by: .milliseconds(999))
    host.redraw()
    #expect(host.texts == [])
    await clock.advance(by: .milliseconds(1))
    host.redraw()
    #expect(host.texts == ["(progress)"])
    second.data.value = "b"
    displayed = second
    host.redraw()
    #expect(host.texts == ["b"])
  }

  @Test("5.17 a container appears with its view once, however often that is drawn")
  func appearsOnce() {
    let container = StateContainer<Int>(initialState: 1) { _ in [] }
    let host = ViewHost { StateView(container) { Text("state \($0)") } }
    host.redraw()
    #expect(host.texts == ["state 1"])
    #expect(container.appearance == .visible)
    host.close()
    #expect(container.appearance == .gone)
    let again = ViewHost { StateView(container) { Text("state \($0)") } }
    #expect(container.appearance == .visible)
    withExtendedLifetime(again) {}
  }

  @Test("5.17 another container in the place of the former appears, and the former one disappears")
  func anotherContainer() {
    let containers = [1, 2].map { state in StateContainer<Int>(initialState: state) { _ in [] } }
    var number = 0
    let host = ViewHost { StateView(containers[number]) { Text("state \($0)") } }
    number = 1
    host.redraw()
    #expect(host.texts == ["state 2"])
    #expect(containers.map(\.appearance) == [.gone, .visible])
    host.close()
    #expect(containers.map(\.appearance) == [.gone, .gone])
  }

  @Test("6.5 actions of one's own are for previews and tests")
  func ownActions() {
    var calls: [String] = []
    let actions = AsyncActions(error: Failure(), retry: { calls.append("retry") }, reload: { calls.append("reload") })
    let host = ViewHost { AsyncStatusView(AsyncStatus.data("a"), actions: actions) { Text($0) } }
    #expect(host.texts == ["Not updated: No connection", "a"])
    #expect(host.press("Not updated: No connection"))
    actions.reload()
    #expect(calls == ["retry", "reload"])
    AsyncActions().retry()
    AsyncActions().reload()
    #expect(AsyncActions().error == nil)
  }
}
