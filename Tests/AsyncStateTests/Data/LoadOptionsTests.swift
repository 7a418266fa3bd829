// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct LoadOptionsTests {
    let clock = ManualClock()
    let log = Tally()

    /// Notes on the actor of what is loaded when attempts begin and end.
    private struct Noting: LoadInterceptor {
      let name: String
      let log: Tally

      func intercept<Value>(_ attempt: LoadAttempt<Value>, isolation: isolated (any Actor)?) async throws -> Value {
        expect(isolation === MainActor.shared)
        log.note("\(name) begins")
        do {
          let value = try await attempt()
          log.note("\(name) ends")
          return value
        } catch {
          log.note("\(name) fails")
          throw error
        }
      }
    }

    private func options(retry: RetryPolicy) -> LoadOptions {
      LoadOptions(
        staleAfter: .seconds(60), retry: retry, clock: clock,
        interceptors: [Noting(name: "outer", log: log), Noting(name: "inner", log: log)])
    }

    private let once = RetryPolicy { failed in failed.count == 1 ? .seconds(1) : nil }

    @Test("3.16, 3.17 interceptors are called around each attempt, the first outermost, and after the gate")
    func order() async {
      let gate = LoadGate(isOpen: false)
      var options = options(retry: once)
      options.gate = gate
      var calls = 0
      let resource = AsyncResource<Int>(options: options) {
        calls += 1
        guard calls > 1 else { throw Failure() }
        return 7
      }
      let load = resource.start()
      await turns()
      expectEqual(log.entries, [])
      gate.open()
      await clock.sleepers(atLeast: 1)
      expectEqual(log.entries, ["outer begins", "inner begins", "inner fails", "outer fails"])
      await clock.advance(by: .seconds(1))
      _ = await load.outcome()
      expectEqual(resource.value, 7)
      expectEqual(log.entries.suffix(4), ["outer begins", "inner begins", "inner ends", "outer ends"])
      // The age limit is of the options, too.
      expect(!resource.isStale)
      await clock.advance(by: .seconds(60))
      expect(resource.isStale)
    }

    @Test("3.16 the time of an interceptor is part of the timeout")
    func timeout() async {
      let gate = ManualServer<Int?>(ignoresCancellation: true)
      let authorizing = Authorizing { try await gate.wait() }
      let resource = AsyncResource<Int>(
        options: LoadOptions(timeout: .seconds(5), clock: clock, interceptors: [authorizing])
      ) { 1 }
      let load = resource.start()
      await gate.arrived(1)
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .seconds(5))
      _ = await load.outcome()
      expect(resource.error is LoadTimeoutError)
      gate.answer(call: 1, with: .success(1))
    }

    @Test("3.16 page requests use the options, too")
    func ofPages() async {
      let pages = AsyncData<Paged<Int, Int>>(options: options(retry: once))
      await pages.loadFirst { _ in Paged.Page(items: [1], next: 2) }
      var calls = 0
      let next = Waiting {
        await pages.loadNext { cursor in
          calls += 1
          if calls == 1 { throw Failure() }
          return Paged.Page(items: [cursor])
        }
      }
      await next.begun()
      await clock.sleepers(atLeast: 1)
      expect(pages.nextPage.isRunning)
      expect(!pages.isRunning)
      await clock.advance(by: .seconds(1))
      _ = await next.end()
      expectEqual(pages.value?.items, [1, 2])
      expectEqual(log.entries.count, 12)
    }

    @Test("9.10 invalidate(ifValue:) marks the value only while it is that one, and nothing is requested")
    func invalidateIfValue() async {
      let gate = ManualServer<Int?>()
      let resource = AsyncResource<Int> { try await gate.wait() }
      resource.invalidate(ifValue: 1)
      expectNil(resource.data.snapshot.value)
      resource.value = 1
      resource.invalidate(ifValue: 2)
      expect(!resource.isStale)
      resource.refresh()
      await gate.arrived(1)
      // What is being requested is newer than the value that failed.
      resource.invalidate(ifValue: 1)
      gate.answer(call: 1, with: .success(1))
      await resource.data.settled()
      expect(!resource.isStale)
      resource.invalidate(ifValue: 1)
      expect(resource.isStale)
    }
  }
}
