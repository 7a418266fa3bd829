// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// Two screens on one resource, one of which retries.
  @MainActor
  struct RetriedScreensTests {
    let gate = ManualServer<Int?>()
    let resource: AsyncResource<Int>
    let first: AsyncHost<Int>
    let second: AsyncHost<Int>

    init() {
      resource = AsyncResource { [gate] in try await gate.wait() }
      (first, second) = (AsyncHost(resource) { _ in [] }, AsyncHost(resource) { _ in [] })
    }

    private func answer(_ call: Int, _ result: Result<Int?, any Error>) async {
      await gate.answer(arriving: call, with: result)
      await resource.data.loadEnded()
    }

    private func open() async {
      first.start()
      second.start()
      await answer(1, .success(1))
      expectEqual(first.status, .data(1))
      expectEqual(second.status, .data(1))
    }

    @Test("2.1, 6.1 after a reset a screen that loads again requests, others join, and nothing is requested twice")
    func loadAfterReset() async {
      await open()
      resource.reset()
      expectEqual(first.status, .loading)
      expect(!resource.isRunning)
      let again = first.start()
      expect(resource.isRunning)
      second.start()
      await answer(2, .success(2))
      await expectEqual(again.outcome().word, "value 2")
      expectEqual(first.status, .data(2))
      expectEqual(second.status, .data(2))
      first.start()
      expect(!resource.isRunning)
      // Reset while a load runs: that is cancelled, and the next call requests.
      resource.refresh()
      resource.reset()
      second.start()
      await answer(3, .success(3))
      expectEqual(first.status, .data(3))
    }

    @Test("6.4 the retry button of a StatusBoard is a reload, and beside content a refresh")
    func boards() async {
      await open()
      let board = StatusBoard(content: PlainContent(), resource)
      board.reload()
      expectEqual(resource.snapshot.activity?.mode, .reload)
      expectEqual(resource.value, 1)
      resource.cancel()
      // The request of the board was cancelled before it began.
      second.refresh()
      await answer(2, .failure(Failure()))
      expectEqual(first.status, .data(1))
      expect(resource.error != nil)
      board.reload()
      expectEqual(resource.snapshot.activity?.mode, .refresh)
      expectEqual(first.status, .data(1))
      resource.cancel()
      await resource.settled()
    }

    @Test("6.3 the status is never older than the data, in another host's presenter and in observers of the data")
    func newestStatus() async {
      var seen: [AsyncStatus<Int>] = []
      let second = second
      let token = resource.observed.observe { _ in seen.append(second.status) }
      let presenter = TracedPresenter<Int>(Recorder()) { _ in
        seen.append(second.status)
        return ""
      }
      first.presenter = presenter
      await open()
      expectEqual(seen.suffix(2), [.data(1), .data(1)])
      token.cancel()
    }
  }
}
