// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct RefreshReplacingTests {
    private let gate = ManualServer<Int>(ignoresCancellation: true)

    private func resource() -> AsyncResource<Int> {
      let gate = gate
      return AsyncResource { try await gate.wait() }
    }

    @Test(
      "9.1 a pull on a request that hangs supersedes it and keeps the content; callers that wait get the new answer")
    func hanging() async {
      let resource = resource()
      gate.answer(call: 1, with: .success(1))
      await resource.load()
      let waiting = Task { await resource.load().word }
      await gate.arrived(2)
      let joined = resource.refresh()
      let pull = resource.refresh()
      #expect(resource.status == .data(1) && resource.isRunning)
      await expectEqual(joined.outcome().word, "superseded")
      await gate.arrived(3)
      gate.answer(call: 3, with: .success(3))
      await expectEqual(pull.outcome().word, "value 3")
      await expectEqual(waiting.value, "value 3")
      gate.answer(call: 2, with: .success(2))
      await resource.settled()
      expectEqual(resource.value, 3)
    }

    @Test("9.1 what a reload hides stays hidden, and a cancel brings it back")
    func duringReload() async {
      let resource = resource()
      gate.answer(call: 1, with: .success(1))
      await resource.load()
      resource.reload()
      await gate.arrived(2)
      let refresh = resource.refresh()
      expectEqual(resource.status, .loading)
      await gate.arrived(3)
      refresh.cancel()
      expectEqual(resource.status, .data(1))
      for call in 2...3 { gate.answer(call: call, with: .success(9)) }
      await resource.settled()
      expectEqual(resource.value, 1)
    }

    @Test("9.1 without a request that runs it is a refresh")
    func idle() async {
      let resource = resource()
      let refresh = resource.refresh()
      gate.answer(call: 1, with: .success(1))
      await expectEqual(refresh.outcome().word, "value 1")
      expectEqual(gate.callCount, 1)
    }
  }
}
