// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct SettledTests {
    let data = AsyncData<Int>()
    let gate = ManualServer<Int>(ignoresCancellation: true)

    /// Waits for `settled` in a task of its own, which must not return before the call is answered.
    private func returnsOnly(after call: Int, _ settled: @escaping @MainActor () async -> Void) async {
      let waiting = Waiting(settled)
      await waiting.begun()
      await gate.arrived(call)
      expectNil(waiting.result)
      await gate.answer(arriving: call, with: .success(call))
      await gate.ended(call)
      await waiting.end()
    }

    @Test("14.2 what a host and a resource display is waited for, also a load that waits at a closed gate")
    func hostAndResource() async {
      let resource = AsyncResource { [gate] in try await gate.wait() }
      let host = AsyncHost(resource)
      host.start()
      await returnsOnly(after: 1) { await resource.settled() }
      host.refresh()
      await returnsOnly(after: 2) { await host.settled() }
      expectEqual(resource.value, 2)
      let online = LoadGate(isOpen: false)
      let gated = AsyncResource(options: LoadOptions(gate: online)) { 1 }
      gated.start()
      let waiting = Waiting { await gated.settled() }
      await waiting.begun()
      expectNil(waiting.result)
      online.open()
      await waiting.end()
      expectEqual(gated.value, 1)
    }

    @Test("14.2 an open stream, the delay of a key and the pause of a poll are not waited for")
    func whatIsToCome() async {
      let stage = LiveStage()
      let live = AsyncResource(.live { stage.connect() })
      live.start()
      stage.send(1)
      await live.settled()
      expectEqual(live.value, 1)
      expect(!stage.isCancelled())

      let key = Input<Int?>(1)
      let options = LoadOptions(clock: stage.clock)
      let following = AsyncResource(following: key, delay: .seconds(1), options: options) { $0 }
      await following.load()
      key.write(2)
      await following.settled()
      expect(following.snapshot.isLoading)
      expectNil(following.value)

      let polled = AsyncResource(options: options) { 1 }
      let poll = Waiting { await polled.poll(every: .seconds(1)) }
      await stage.clock.sleepers(atLeast: 2)
      await polled.settled()
      expectEqual(polled.value, 1)
      poll.cancel()
      await poll.end()
    }

    @Test("14.2 loadEnded waits for the current load alone")
    func loadEnded() async {
      data.start { [gate] in try await gate.wait() }
      await gate.arrived(1)
      data.start { [gate] in try await gate.wait() }
      await gate.answer(arriving: 2, with: .success(2))
      await data.loadEnded()
      expectEqual(data.value, 2)
      await returnsOnly(after: 1) { [data] in await data.settled() }
      expectEqual(data.value, 2)
    }

    @Test("14.2, 14.5 a wait for something that does not happen ends when its task is cancelled")
    func taskIsCancelled() async {
      let server = ManualServer<Int>()
      let clock = ManualClock()
      let resource = AsyncResource { 1 }
      data.start { [gate] in try await gate.wait() }
      await gate.arrived(1)
      let waits: [@MainActor () async -> Void] = [
        { await server.arrived(1) }, { await server.ended(1) }, { await server.arrived(for: "a") },
        { await clock.sleepers(atLeast: 1) }, { await resource.awaited(by: 2) }, { [data] in await data.settled() },
      ]
      for wait in waits {
        let waiting = Waiting(wait)
        await waiting.begun()
        waiting.cancel()
        await waiting.end()
      }
      expect(data.isRunning)
      gate.answer(call: 1, with: .success(1))
      await data.settled()
    }
  }
}
