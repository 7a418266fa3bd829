// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct SettlingTests {
    let data = AsyncData<Paged<String, Int>>(options: LoadOptions(clock: ManualClock()))
    let deaf = ManualServer<Int>(ignoresCancellation: true)
    let log = Log()

    @MainActor final class Log { var isSettled = false }

    typealias Page = Paged<String, Int>.Page

    private var pages: Paged<String, Int> { Paged(first: Page(items: ["a"], next: 2, previous: 0)) }

    private func waits() -> () async throws -> Paged<String, Int>? {
      { [deaf, pages] in
        _ = try await deaf.wait()
        return pages
      }
    }

    private func settling() async -> Waiting<Void> {
      let waiting = Waiting { [data, log] in
        await data.settled()
        log.isSettled = true
      }
      await waiting.begun()
      return waiting
    }

    /// `settled()` waits until the deaf operation that was called last has its answer.
    private func returnsAfter(_ calls: Int, sourceLocation: SourceLocation = #_sourceLocation) async {
      let waiting = await settling()
      for call in 1...calls {
        #expect(!log.isSettled, sourceLocation: sourceLocation)
        deaf.answer(call: call, with: .success(0))
        await deaf.ended(call)
      }
      await waiting.end()
      #expect(log.isSettled, sourceLocation: sourceLocation)
    }

    @Test("14.2 with nothing to wait for it returns at once")
    func atOnce() async {
      _ = await settling()
      #expect(log.isSettled)
    }

    @Test("14.2 it waits for a load and for operations of superseded and cancelled loads that still run")
    func superseded() async {
      data.start(operation: waits())
      await deaf.arrived(1)
      data.start(operation: waits())
      await deaf.arrived(2)
      data.cancel()
      data.start(operation: waits())
      await deaf.arrived(3)
      data.value = nil
      #expect(!data.isRunning)
      await returnsAfter(3)
    }

    @Test("14.2 it waits for a load that waits for another to end")
    func waitingLoad() async {
      data.start(id: "a", operation: waits())
      await deaf.arrived(1)
      data.invalidate()
      data.start(id: "a", operation: waits())
      await returnsAfter(2)
    }

    @Test(
      "14.2 it waits for a page request, one that was cancelled and still runs included", arguments: [true, false],
      [true, false])
    func pages(cancelled: Bool, isNext: Bool) async {
      data.value = pages
      let request = Waiting { [data, deaf] in
        let page = { (row: String) in
          _ = try await deaf.wait()
          return Paged<String, Int>.Page(items: [row])
        }
        _ =
          isNext
          ? await data.loadNext { _ in try await page("b") } : await data.loadPrevious { _ in try await page("z") }
      }
      await deaf.arrived(1)
      if cancelled { data.cancel() }
      await returnsAfter(1)
      await request.end()
      expectEqual(data.value?.items, (cancelled ? ["a"] : isNext ? ["a", "b"] : ["z", "a"]))
    }

    @Test("14.2 it waits for commits, those of dropped changes included")
    func commits() async {
      data.value = pages
      let changes = (1...2).map { _ in
        Waiting { [data, deaf] in
          _ = await data.mutate({ _ in }) { _ = try await deaf.wait() }
        }
      }
      await deaf.arrived(2)
      await returnsAfter(2)
      let dropped = Waiting { [data, deaf] in
        _ = await data.mutate({ _ in }) { _ = try await deaf.wait() }
      }
      await deaf.arrived(3)
      data.value = nil
      log.isSettled = false
      let waiting = await settling()
      #expect(!log.isSettled && !data.hasPendingChanges)
      deaf.answer(call: 3, with: .success(0))
      await waiting.end()
      for change in changes + [dropped] { await change.end() }
    }

    @Test("14.2 it waits for a load that is answered by hand, or whose handle is released", arguments: [true, false])
    func byHand(isAnswered: Bool) async {
      var load: PendingLoad<Paged<String, Int>>? = data.begin()
      let waiting = await settling()
      #expect(!log.isSettled)
      if isAnswered { load?.succeed(with: nil) }
      load = nil
      await waiting.end()
      #expect(log.isSettled && !data.isRunning)
    }

    @Test("14.2 it waits for an operation whose time was up")
    func timedOut() async {
      let clock = ManualClock()
      let data = AsyncData<Int>(options: LoadOptions(clock: clock))
      let load = data.start(options: LoadOptions(timeout: .seconds(1))) { [deaf] in try await deaf.wait() }
      await deaf.arrived(1)
      await clock.advance(by: .seconds(1))
      guard case .failure(is LoadTimeoutError) = await load.outcome() else {
        return #expect(Bool(false), "It timed out.")
      }
      let waiting = Waiting { [log] in
        await data.settled()
        log.isSettled = true
      }
      await waiting.begun()
      #expect(!log.isSettled)
      deaf.answer(call: 1, with: .success(1))
      await waiting.end()
      expectNil(data.value)
    }

    @Test("14.2 a caller that is cancelled returns, and others go on waiting")
    func cancelledCaller() async {
      data.start(operation: waits())
      await deaf.arrived(1)
      let first = await settling()
      first.cancel()
      await first.end()
      log.isSettled = false
      await returnsAfter(1)
    }

    @Test("14.2 a load that an observer starts when the last one ends is waited for, too")
    func startedByObserver() async {
      let recorder = DataRecorder(data)
      data.start(operation: waits())
      recorder.hooks = [{ data.start(operation: waits()) }]
      await deaf.arrived(1)
      await returnsAfter(2)
      #expect(!data.isRunning)
    }
  }
}

extension AllTests {
  @MainActor
  struct PartialResetTests {
    let data = AsyncData(seed: 7)

    @Test(
      "9.3 it displays the former value, provisional, ends what runs as requested, and is one notification with its write"
    )
    func reset() async {
      data.value = 1
      data.error = Failure()
      let gate = ManualServer<Int>(ignoresCancellation: true)
      let load = data.start(id: "a") { try await gate.wait() }
      await gate.arrived(1)
      data.invalidate()
      let waiting = data.start(id: "a") { 9 }
      let change = Waiting { [data] in
        await data.mutate({ $0 += 1 }) { _ = try await gate.wait() }.word
      }
      await gate.arrived(2)
      var key = "old"
      var seen: [String] = []
      let recorder = DataRecorder(data)
      recorder.hooks = [{ seen.append("\(key) \(data.value ?? 0) \(data.isRunning) \(data.hasPendingChanges)") }]
      data.changeKey(hasKey: true, previous: .untilAnswered) { key = "new" }
      expectEqual(seen, ["new 2 false false"])
      expectEqual(recorder.takeSnapshots(), ["2 provisional"])
      #expect(data.age == nil && data.isStale && !data.snapshot.isSettled)
      await expectEqual(load.outcome().word, "superseded")
      await expectEqual(waiting.outcome().word, "superseded")
      for call in 1...2 { gate.answer(call: call, with: .success(5)) }
      await expectEqual(change.end(), "superseded")
      await data.settled()
      expectEqual(SnapshotParts(data.snapshot), SnapshotParts(2, isProvisional: true))
      expectEqual(recorder.takeFlags(), "")
      data.reset()
      expectEqual(SnapshotParts(data.snapshot), SnapshotParts(7, isProvisional: true))
    }
  }
}
