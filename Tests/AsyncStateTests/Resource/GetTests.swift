// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct ValuesTests {
    let numbers = ManualServer<Int?>()
    let clock = ManualClock()
    let number: AsyncResource<Int>

    init() {
      number = AsyncResource(options: LoadOptions(staleAfter: .seconds(60), clock: clock)) { [numbers] in
        try await numbers.wait()
      }
    }

    private func answer(_ call: Int, _ result: Result<Int?, any Error>) async {
      numbers.answer(call: call, with: result)
    }

    @Test("9.8 get requests what is stale, joins what runs, and keeps what is displayed")
    func get() async throws {
      let number = number
      let calls = (1...2).map { _ in Waiting { try? await number.get() } }
      for call in calls { await call.begun() }
      await answer(1, .success(1))
      for call in calls { await expectEqual(call.end(), 1) }
      // Fresh: nothing is requested.
      try await expectEqual(number.get(), 1)
      await clock.advance(by: .seconds(60))
      let again = Waiting { try? await number.get() }
      await again.begun()
      expectEqual(number.status, .data(1))
      await answer(2, .success(2))
      await expectEqual(again.end(), 2)
    }

    @Test("9.8 get throws the error, NoDataError for nothing, and a CancellationError for a cancel")
    func errors() async {
      let number = number
      func get() -> Waiting<String> {
        Waiting { do { return "\(try await number.get(when: .always))" } catch { return "\(error)" } }
      }
      let failing = get()
      await answer(1, .failure(Failure(name: "no")))
      await expectEqual(failing.end(), "no")
      let none = get()
      await answer(2, .success(nil))
      await expectEqual(none.end(), "NoDataError()")
      let cancelled = get()
      await numbers.arrived(3)
      number.cancel()
      await expectEqual(cancelled.end(), "CancellationError()")
      number.data.value = 7
      let failingLater = get()
      await answer(4, .failure(Failure(name: "no")))
      expectEqual(await failingLater.end(), "no")
      expectEqual(number.value, 7)
    }

    @Test("9.8 a resource whose operation gets one of which there is nothing has nothing itself: no failure, no retry")
    func chained() async {
      let family = AsyncFamily<Int, String> { _ in nil }
      let selection = Input<Int?>(1)
      let detail = AsyncResource(following: selection, options: LoadOptions(retry: .exponential())) { id in
        try await family[id].get()
      }
      guard case .success(nil) = await detail.load() else { return expect(false) }
      expectEqual(detail.status, .noData)
      expectNil(detail.error)
      expect(!detail.isStale)
    }

    @Test("2.1, 11.2 an entry that is forgotten by itself is not requested again by its board")
    func forgottenEntry() async {
      let board = AsyncTagBoard()
      var count = 0
      let family = AsyncFamily<Int, Int>(board: board, tags: { _, _ in ["t"] }) { _ in
        count += 1
        return count
      }
      let entry = family[1]
      await entry.load()
      entry.forget()
      board.invalidate("t")
      board.refreshStale()
      await board.settled()
      expectEqual(count, 1)
      expectNil(entry.value)
    }
  }
}
