// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import AsyncStateUI
import Foundation
import SwiftUI
import Testing

/// A view of a resource: when it requests, and what it draws again. What it displays for each status stands in a file of its
/// own.
@MainActor
@Suite(.bothOrders, .unpaced)
struct AsyncViewTests {
  let gate = ManualServer<String?>()
  let counter = Counter()

  final class Counter {
    var requests = 0
  }

  func makeResource() -> AsyncResource<String> {
    AsyncResource { [gate, counter] in
      counter.requests += 1
      return try await gate.wait()
    }
  }

  func ended(_ resource: AsyncResource<String>) async {
    for await isRunning in resource.observed.isRunning.values where !isRunning { return }
  }

  func makeHost(_ resource: AsyncResource<String>) -> ViewHost {
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

  @Test("3.4 a view that disappears ends its load if no other caller wants it")
  func disappearing() async {
    let resource = makeResource()
    let host = makeHost(resource)
    await gate.arrived(1)
    host.close()
    await gate.ended(1)
    await ended(resource)
    #expect(!resource.isRunning && resource.value == nil && resource.error == nil)
  }

  @Test("3.4 a view that disappears leaves a load alone that another caller has started")
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

  @Test("1.7 a view that reads isRunning is not drawn again by progress")
  func progress() async {
    let reporters = Reporters()
    let resource = AsyncResource<String>(
      .value { (reporter: LoadReporter<String>) in
        reporters.reporter = reporter
        return try await gate.wait()
      })
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

  @Test("3.6 fresh data is displayed without a request")
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

  @Test("15.11 a view that is given no pacer has that of the app, measured by the clock of its data")
  func pacerOfTheApp() async {
    let clock = ManualClock()
    let resource = AsyncResource(options: LoadOptions(clock: clock)) { [gate] in try await gate.wait() }
    DisplayPacer.app = DisplayPacer()
    let host = makeHost(resource)
    DisplayPacer.app = nil
    await gate.arrived(1)
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .milliseconds(199))
    host.redraw()
    #expect(host.texts == [])
    await clock.advance(by: .milliseconds(1))
    host.draw()
    #expect(host.texts == ["(progress)"])
    gate.answer(call: 1, with: .success("a"))
    await resource.settled()
    await clock.advance(by: .milliseconds(499))
    host.draw()
    #expect(host.texts == ["(progress)"])
    await clock.advance(by: .milliseconds(1))
    host.draw()
    #expect(host.texts == ["a"])
  }

  @Test("15.11 where the app has no pacer, each status is displayed at once, and in a preview in any case")
  func noPacer() {
    DisplayPacer.app = DisplayPacer()
    let preview = AsyncResource<String>.preview(.loading)
    #expect(makeHost(preview).texts == ["(progress)"])
    #expect(ViewHost { AsyncGroup(preview, preview) { Text("\($0) \($1)") } }.texts == ["(progress)"])
    #expect(makeHost(makeResource()).texts == [])
    #expect(ViewHost { AsyncView(makeResource(), pacer: nil) { Text($0) } }.texts == ["(progress)"])
    DisplayPacer.app = nil
    #expect(makeHost(makeResource()).texts == ["(progress)"])
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

  @Test("15.3 the control of a pull does not turn where its request waits at a gate, also if it begins to wait later")
  func pullThatWaits() async throws {
    let clock = ManualClock()
    let network = LoadGate()
    let retry = RetryPolicy { failed in failed.count == 1 ? .seconds(1) : nil }
    let resource = AsyncResource(options: LoadOptions(retry: retry, clock: clock, gate: network)) { [gate] in
      try await gate.wait()
    }
    resource.data.value = "old"
    let host = makeHost(resource)
    let pull = try #require(host.refresh())
    var hasEnded = false
    let end = Task {
      await pull.value
      hasEnded = true
    }
    await gate.arrived(1)
    network.close()
    gate.answer(call: 1, with: .failure(Offline()))
    await clock.sleepers(atLeast: 1)
    #expect(!hasEnded)
    await clock.advance(by: .seconds(1))
    for await isWaiting in resource.observed.isWaiting.values where isWaiting { break }
    // What was resumed before this has run by then.
    await Task { @MainActor in }.value
    await Task { @MainActor in }.value
    #expect(resource.isRunning && hasEnded)
    network.open()
    await gate.arrived(2)
    gate.answer(call: 2, with: .success("new"))
    await end.value
    await resource.settled()
    #expect(resource.value == "new")
  }
}
