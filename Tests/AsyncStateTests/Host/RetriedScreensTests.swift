// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// Two screens on one resource, one of which retries; and what a failure takes away.
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
      await gate.arrived(call)
      gate.answer(call: call, with: result)
      await resource.data.loadEnded()
    }

    private func open() async {
      first.start()
      second.start()
      await answer(1, .success(1))
      #expect(first.status == .data(1) && second.status == .data(1))
    }

    @Test("6.4 a reload that fails says so, and the value stays in the data")
    func failedRetry() async {
      await open()
      first.reload()
      #expect(first.status == .loading && second.status == .loading)
      await answer(2, .failure(Failure()))
      expectEqual(second.status, .error(Failure()))
      expectEqual(resource.value, 1)
      let refresh = second.refresh()
      expectEqual(first.status, .data(1))
      refresh.cancel()
      await resource.settled()
    }

    @Test("2.1, 6.1 after a reset a screen that loads again requests, others join, and nothing is requested twice")
    func loadAfterReset() async {
      await open()
      resource.reset()
      #expect(first.status == .loading && !resource.isRunning)
      let again = first.start()
      #expect(resource.isRunning)
      second.start()
      await answer(2, .success(2))
      await expectEqual(again.outcome().word, "value 2")
      #expect(first.status == .data(2) && second.status == .data(2))
      first.start()
      #expect(!resource.isRunning)
      // Reset while a load runs: that is cancelled, and the next call requests.
      resource.refresh()
      resource.reset()
      second.start()
      await answer(3, .success(3))
      expectEqual(first.status, .data(3))
    }

    @Test("2.1, 6.1 a screen that was left, which has cancelled its request, requests again when it is back")
    func loadAfterCancel() async {
      first.start().cancel()
      expectEqual(first.status, .idle)
      let again = first.start()
      #expect(resource.isRunning && second.status == .loading)
      await answer(1, .success(1))
      await expectEqual(again.outcome().word, "value 1")
      first.start().cancel()
      #expect(!resource.isRunning && first.status == .data(1))
    }

    @Test("3.12, 6.4 a like in flight survives a retry")
    func likeInFlight() async {
      await open()
      let commit = ManualServer<Void>()
      let (data, commits) = (resource.data, commit)
      let like = Waiting { await data.mutate({ $0 += 10 }, commit: { try await commits.wait() }).word }
      await like.begun()
      await commit.arrived(1)
      first.reload()
      await answer(2, .success(2))
      expectEqual(first.status, .data(12))
      commit.answer(call: 1, with: .success(()))
      await expectEqual(like.end(), "value 12")
      #expect(first.status == .data(12) && !data.hasPendingChanges)
    }

    @Test("6.4 the retry button of a StatusBoard is a reload, and beside content a refresh")
    func boards() async {
      await open()
      let board = StatusBoard(content: Content(), resource)
      board.reload()
      #expect(resource.snapshot.activity?.mode == .reload && resource.value == 1)
      resource.cancel()
      // The request of the board was cancelled before it began.
      second.refresh()
      await answer(2, .failure(Failure()))
      #expect(first.status == .data(1) && resource.error != nil)
      board.reload()
      #expect(resource.snapshot.activity?.mode == .refresh && first.status == .data(1))
      resource.cancel()
      await resource.settled()
    }

    private final class Content: AsyncContent {
      func apply(_ value: Int, animated: Bool) {}
    }

    @Test("4 a pull that fails leaves the list, an explicit retry that fails does not, as the policy says")
    func failedPull() async {
      await open()
      let (always, never) = (DisplayPolicy<Int>(errors: .always), DisplayPolicy<Int>(errors: .never))
      second.refresh()
      await answer(2, .failure(Failure()))
      #expect(first.status == .data(1) && resource.error as? Failure == Failure())
      expectEqual(resource.snapshot.failedMode, .refresh)
      #expect(resource.status(policy: always) == .error(Failure()) && resource.status(policy: never) == .data(1))
      first.reload()
      await answer(3, .failure(Failure()))
      #expect(first.status == .error(Failure()) && resource.snapshot.failedMode == .reload)
      expectEqual(resource.status(policy: never), .data(1))
      resource.data.value = 5
      resource.data.error = Failure(name: "by hand")
      #expect(resource.snapshot.failedMode == .reload && first.status == .error(Failure(name: "by hand")))
    }

    @Test("3.7, 4 a reload that has yielded fails as a refresh does")
    func failedAfterYield() async {
      let resource = AsyncResource<Int>(
        .value { [gate] reporter in
          try reporter.yield(7)
          return try await gate.wait()
        })
      let host = AsyncHost(resource) { _ in [] }
      host.start()
      await answer(1, .failure(Failure()))
      await resource.settled()
      #expect(host.status == .data(7) && resource.error as? Failure == Failure())
    }

    @Test("4, 6.8 of several resources the error on display keeps its mode")
    func combined() async {
      await open()
      let words = AsyncResource<String> { "a" }
      let both = AsyncHost(zip(resource, words)) { _ in [] }
      both.start()
      await answer(2, .success(1))
      await both.settled()
      both.refresh()
      await answer(3, .failure(Failure()))
      await both.settled()
      #expect(both.status.value?.0 == 1 && both.data.error as? Failure == Failure())
    }

    @Test("6.3 the status is never older than the data, in another host's presenter and in observers of the data")
    func newestStatus() async {
      var seen: [AsyncStatus<Int>] = []
      let second = second
      let token = resource.observed.observe { _ in seen.append(second.status) }
      let presenter = Presenter { seen.append(second.status) }
      first.presenter = presenter
      await open()
      // The token at once, presented loading, then the load's start, the answer, and that presented.
      expectEqual(seen.suffix(2), [.data(1), .data(1)])
      token.cancel()
    }

    private final class Presenter: AsyncStatusPresenter {
      let body: () -> Void
      init(_ body: @escaping () -> Void) { self.body = body }
      func transitionToLoading(animated: Bool) { body() }
      func transitionToError(_ error: any Error, animated: Bool) { body() }
      func transitionToNoData(animated: Bool) { body() }
      func transitionToIdle(animated: Bool) { body() }
      func transitionToWaiting(animated: Bool) { body() }
      func transitionToData(_ value: Int, animated: Bool) { body() }
    }

    @Test("6.1 what load presents of a host that has appeared is not animated")
    func appearedBefore() {
      let host = AsyncHost(AsyncResource(seed: 1) { 2 }) { _ in [] }
      let trace = Recorder()
      host.appear(animated: true)
      trace.record(statusesOf: host)
      host.start()
      expectEqual(trace.takeTrace(), "W(data:1,f) D(loading,f)")
    }
  }
}
