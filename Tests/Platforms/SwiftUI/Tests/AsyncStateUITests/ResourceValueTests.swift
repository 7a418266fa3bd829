// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import AsyncStateUI
import SwiftUI
import Testing

/// A value in a toolbar: when it is requested, and what it shows.
@MainActor
@Suite(.bothOrders, .unpaced)
struct ResourceValueTests {
  let gate = ManualServer<Int?>()

  struct Badge: View {
    @ResourceValue var unread: Int?

    init(_ unread: AsyncResource<Int>) { _unread = ResourceValue(unread) }

    var body: some View { Button("Unread: \(unread ?? 0)") { $unread.refresh() } }
  }

  /// Draws a badge that can be removed.
  @Observable
  @MainActor
  final class Model {
    var resource: AsyncResource<Int>?
    init(_ resource: AsyncResource<Int>) { self.resource = resource }
  }

  struct Bar: View {
    let model: Model
    var body: some View {
      if let resource = model.resource { Badge(resource) }
    }
  }

  func makeResource() -> AsyncResource<Int> { AsyncResource { [gate] in try await gate.wait() } }

  @Test("15.3 a value in a toolbar is requested once, however often it is drawn, and shows each value")
  func value() async {
    let resource = makeResource()
    let host = ViewHost { Badge(resource) }
    #expect(host.texts == ["Unread: 0"])
    for _ in 0..<3 { host.redraw() }
    await gate.arrived(1)
    gate.answer(call: 1, with: .success(3))
    await resource.settled()
    host.draw()
    #expect(host.texts == ["Unread: 3"])
    #expect(host.press("Unread: 3"))
    await gate.arrived(2)
    gate.answer(call: 2, with: .success(4))
    await resource.settled()
    host.draw()
    #expect(host.texts == ["Unread: 4"])
    resource.data.value = 5
    host.draw()
    #expect(host.texts == ["Unread: 5"])
    #expect(gate.callCount == 2)
  }

  @Test(
    "15.3 the request of a value ends with its view, and with another resource in its place, but not for another caller"
  )
  func end() async {
    let (first, second) = (makeResource(), makeResource())
    let model = Model(first)
    let host = ViewHost { Bar(model: model) }
    await gate.arrived(1)
    model.resource = second
    host.draw()
    await gate.arrived(2)
    await gate.ended(1)
    let other = second.start()
    model.resource = nil
    host.draw()
    #expect(host.texts.isEmpty)
    gate.answer(call: 2, with: .success(9))
    _ = await other.outcome()
    #expect(second.value == 9 && gate.callCount == 2)
  }

  @Test("15.3 a value whose view is removed is not requested any more, and is requested again by another view")
  func removal() async {
    let resource = makeResource()
    let model = Model(resource)
    let host = ViewHost { Bar(model: model) }
    await gate.arrived(1)
    model.resource = nil
    host.draw()
    await gate.ended(1)
    await resource.settled()
    #expect(!resource.isRunning)
    model.resource = resource
    host.draw()
    await gate.arrived(2)
    gate.answer(call: 2, with: .success(8))
    await resource.settled()
    host.draw()
    #expect(host.texts == ["Unread: 8"])
  }

  @Test("15.3 a fresh value is not requested")
  func fresh() async {
    let resource = makeResource()
    resource.data.value = 7
    let host = ViewHost { Badge(resource) }
    #expect(host.texts == ["Unread: 7"])
    await Task { @MainActor in }.value
    #expect(!resource.isRunning && gate.callCount == 0)
  }

  @Test("15.3 a value is requested once: a covered screen keeps the request, and adds none when it is back")
  func covered() async {
    let resource = makeResource()
    let host = ViewHost { Badge(resource) }
    await gate.arrived(1)
    host.cover()
    #expect(resource.isRunning)
    gate.answer(call: 1, with: .success(1))
    await resource.settled()
    resource.invalidate()
    host.uncover()
    await Task { @MainActor in }.value
    #expect(host.texts == ["Unread: 1"] && !resource.isRunning && gate.callCount == 1)
  }
}
