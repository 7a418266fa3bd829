// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import AsyncStateUI
import Foundation
import SwiftUI
import Testing

/// `@State` makes its initial value each time that a view is made, or once for an identity, as the macro of Xcode 27 does:
/// screens behave the same.
@MainActor
@Suite(.serialized, .bothOrders, .unpaced)
struct LazyStateTests {
  /// How many resources there were.
  @MainActor
  final class Service {
    let gate = ManualServer<String?>()
    var resources = 0

    func makeResource() -> AsyncResource<String> {
      resources += 1
      return AsyncResource { [gate] in try await gate.wait() }
    }
  }

  struct Screen: View {
    @State private var resource: AsyncResource<String>
    @State private var isOpen = false

    init(_ service: Service) { _resource = State(wrappedValue: service.makeResource()) }

    var body: some View {
      AsyncView(resource) { Text($0) }
      Button("Open") { isOpen = true }
      if isOpen { Text("open") }
    }
  }

  @Test(
    "15.3 a screen with a resource in @State makes one request, whether the state is made once or at each drawing",
    arguments: [false, true])
  func resource(isLazy: Bool) async {
    StateStandIn.isLazy = isLazy
    defer { StateStandIn.isLazy = false }
    let service = Service()
    let host = ViewHost { Screen(service) }
    await service.gate.arrived(1)
    for _ in 0..<3 { host.redraw() }
    #expect(service.resources == (isLazy ? 1 : 4))
    service.gate.answer(call: 1, with: .success("a"))
    await service.gate.ended(1)
    await host.waitForTasks()
    #expect(host.press("Open"))
    #expect(host.texts == ["a", "Open", "open"])
    host.redraw()
    #expect(host.texts == ["a", "Open", "open"])
    #expect(service.gate.callCount == 1)
  }

  @Test(
    "15.6 what the views of this module keep in @State is theirs in both cases: a banner that was closed stays closed",
    arguments: [false, true])
  func ownState(isLazy: Bool) async throws {
    StateStandIn.isLazy = isLazy
    defer { StateStandIn.isLazy = false }
    let service = Service()
    let resource = service.makeResource()
    resource.data.value = "a"
    let host = ViewHost { AsyncView(resource, policy: DisplayPolicy(errors: .never)) { Text($0) } }
    let pull = try #require(host.refresh())
    await service.gate.arrived(1)
    service.gate.answer(call: 1, with: .failure(Offline()))
    await pull.value
    host.redraw()
    #expect(host.texts == ["Not updated", "You are offline.", "Try Again", "a"])
    #expect(host.press("Dismiss"))
    host.redraw()
    #expect(host.texts == ["a"])
  }
}
