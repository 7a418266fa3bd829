// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// Screens that await an entry which other screens use, too.
  @MainActor
  struct WaitingScreensTests {
    let gate = ManualServer<Int?>()
    let family: AsyncFamily<Int, Int>
    let entry: AsyncResource<Int>
    /// A screen whose operation awaits the entry, and what it displays.
    let screen: AsyncResource<String>
    let host: AsyncHost<String>

    init() {
      let family = AsyncFamily<Int, Int> { [gate] key in try await gate.wait(for: key) }
      self.family = family
      entry = family[1]
      screen = AsyncResource { [family] in "detail \(try await family[1].get())" }
      host = AsyncHost(screen) { _ in [] }
    }

    /// The screen has requested its content, and waits for the entry.
    private func open() async {
      host.start()
      await gate.arrived(1)
      expectEqual(host.status, .loading)
    }

    private func answer(_ call: Int, _ value: Int?) async {
      await gate.arrived(call)
      gate.answer(call: call, with: .success(value))
    }

    @Test("3.2 a chain of reloads: the last one answers everyone, in order")
    func reloads() async {
      let (family, entry) = (family, entry)
      let first = Waiting { await entry.load().word }
      await first.begun()
      let second = Waiting { try? await family[1].get() }
      await second.begun()
      await gate.arrived(1)
      for call in 2...5 {
        entry.reload()
        await gate.arrived(call)
      }
      await answer(5, 7)
      await expectEqual(first.end(), "value 7")
      await expectEqual(second.end(), 7)
    }

    @Test("3.2, 3.4 the interest of who waits counts in the load that takes the place of another one")
    func interest() async {
      let entry = entry
      let waiting = Waiting { await entry.load().word }
      await waiting.begun()
      await gate.arrived(1)
      // A structured call of another name supersedes, and its caller gives up at once.
      let gate = gate
      let other = Waiting { await entry.data.load { try await gate.wait() }.word }
      await other.begun()
      await gate.arrived(2)
      other.cancel()
      await expectEqual(other.end(), "cancelled")
      #expect(entry.isRunning)
      await answer(2, 3)
      await expectEqual(waiting.end(), "value 3")
    }

    @Test("3.2 a value or an error that is written meanwhile is the answer")
    func written() async {
      await open()
      entry.data.value = 9
      await screen.settled()
      expectEqual(host.status, .data("detail 9"))
      host.reload()
      entry.invalidate()
      await gate.arrived(1)
      let again = host.reload()
      await gate.arrived(2)
      entry.data.error = Failure(name: "written")
      guard case .failure(let error) = await again.outcome() else { return #expect(Bool(false)) }
      expectEqual(error as? Failure, Failure(name: "written"))
      expectEqual(host.status, .error(Failure(name: "written")))
    }

    @Test("3.3, 10.4 the entry is forgotten: the screen that awaited it has failed, and offers a retry that works")
    func forgotten() async throws {
      await open()
      try await family.forget(1)
      await screen.settled()
      #expect(host.status.error is RequestInterruptedError)
      #expect(!screen.data.isLoading && !entry.data.isLoading)
      expectEqual(entry.status, .idle)
      host.reload()
      await answer(2, 4)
      await screen.settled()
      expectEqual(host.status, .data("detail 4"))
    }

    @Test("2.1, 10.4 a screen that displays a forgotten entry is not loading for ever")
    func forgottenOnScreen() async throws {
      let host = AsyncHost(entry) { _ in [] }
      host.start()
      await answer(1, 1)
      await entry.settled()
      try await family.forgetAll()
      expectEqual(host.status, .idle)
      host.reload()
      expectEqual(host.status, .loading)
      await answer(2, 2)
      await entry.settled()
      expectEqual(host.status, .data(2))
    }

    @Test("2.1, 6.6 with a pacer, too: the cancelled first load is displayed as idle")
    func paced() async {
      let clock = ManualClock()
      let gate = gate
      let resource = AsyncResource { try await gate.wait() }
      let host = AsyncHost(resource, pacer: DisplayPacer(clock: clock)) { _ in [] }
      host.start()
      await clock.advance(by: .seconds(1))
      expectEqual(host.container.currentState, .loading)
      resource.cancel()
      expectEqual(host.container.currentState, .idle)
      await resource.settled()
    }

    @Test("2.1, 9.4 a key that becomes nil, or is nil at the first load, is not loading")
    func nilKey() async {
      let key = Input<Int?>(nil)
      let resource = AsyncResource(following: key) { [gate] (key: Int) in try await gate.wait(for: key) }
      let host = AsyncHost(resource) { _ in [] }
      expectEqual(resource.status, .loading)
      host.start()
      expectEqual(host.status, .idle)
      key.write(1)
      expectEqual(host.status, .loading)
      key.write(nil)
      expectEqual(host.status, .idle)
      key.write(2)
      gate.answer(for: 2, with: .success(2))
      await resource.settled()
      expectEqual(host.status, .data(2))
    }

    @Test("3.2, 9.3 leaving the key ends who waits as superseded; the end of a reset is a cancel")
    func left() async {
      let key = Input<Int?>(1)
      let resource = AsyncResource(following: key) { [gate] (key: Int) in try await gate.wait(for: key) }
      let waiting = Waiting { await resource.load().word }
      await waiting.begun()
      key.write(2)
      await expectEqual(waiting.end(), "superseded")
      let again = Waiting { await resource.load().word }
      await again.begun()
      resource.reset()
      await expectEqual(again.end(), "cancelled")
      await resource.settled()
    }
  }
}
