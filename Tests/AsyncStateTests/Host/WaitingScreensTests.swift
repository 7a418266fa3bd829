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
      await gate.answer(arriving: call, with: .success(value))
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
      expect(entry.isRunning)
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
      guard case .failure(let error) = await again.outcome() else { return expect(false) }
      expectEqual(error as? Failure, Failure(name: "written"))
      expectEqual(host.status, .error(Failure(name: "written")))
    }

    @Test("3.3, 10.4 the entry is forgotten: the screen that awaited it has failed, and offers a retry that works")
    func forgotten() async throws {
      await open()
      try await family.forget(1)
      await screen.settled()
      expect(host.status.error is RequestInterruptedError)
      expect(!screen.data.isLoading)
      expect(!entry.data.isLoading)
      expectEqual(entry.status, .idle)
      host.reload()
      await answer(2, 4)
      await screen.settled()
      expectEqual(host.status, .data("detail 4"))
    }
  }
}
