// SPDX-License-Identifier: MIT
@testable import AsyncState
import Testing

extension AllTests {
  struct CombiningTests {
    typealias Snapshot = AsyncSnapshot<Int>
    let value = Snapshot(value: 1)
    let other = Snapshot(value: 2)
    let nothing = Snapshot(isValueSet: true)
    let fresh = Snapshot()
    let reloading = Snapshot(activity: LoadActivity(mode: .reload))
    let failed = Snapshot(error: Failure(name: "first"))
    let failedToo = Snapshot(error: Failure(name: "second"))
    let failedWithValue = Snapshot(value: 3, error: Failure(name: "beside"))

    @Test(
      "3.14 zip has a value when every part has one, the first error in order, and is provisional or invalidated when one is"
    )
    func zipValue() {
      let whole = zip(value, AsyncSnapshot(value: "a"), other)
      expectEqual(whole.value?.0, 1)
      expectEqual(whole.value?.1, "a")
      expectEqual(whole.value?.2, 2)
      expect(whole.isSettled)
      expect(!whole.isLoading)
      expect(!whole.isProvisional)
      expectNil(zip(value, nothing).value)
      expectEqual(determineState(zip(value, nothing)).kind, .noData)

      expectEqual(zip(value, failed, failedToo).error as? Failure, Failure(name: "first"))
      expectEqual(zip(failedToo, failed).error as? Failure, Failure(name: "second"))
      expectEqual(zip(reloading, failedWithValue).error as? Failure, Failure(name: "beside"))

      let seed = Snapshot(value: 1, isValueSet: false)
      var doubted = value
      doubted.isInvalidated = true
      expect(zip(value, seed).isProvisional)
      expect(!zip(value, seed).isValueSet)
      var yielded = Snapshot(value: 1, activity: LoadActivity(mode: .refresh))
      yielded.context.origin = .partial
      expect(zip(yielded, value).isProvisional)
      expect(zip(yielded, value).isValueSet)
      expect(zip(doubted, value).isInvalidated)
      expect(!zip(value, other).isInvalidated)
      expectEqual(zip(value, other).context.origin, .answer)
      // No request is expected of a part that was requested.
      expect(!zip(failed, fresh).context.isRequestExpected)
    }

    @Test(
      "3.14 several are loading when one is; a reload among them hides, refreshes do not, one load stands for itself")
    func allLoading() {
      let refreshFailed = Snapshot(value: 3, error: Failure(), failedMode: .refresh)
      for loading in [fresh, reloading, Snapshot(value: 1, activity: LoadActivity(mode: .refresh))] {
        expect(zip(value, loading).isLoading)
        expect(zip(loading, refreshFailed).isLoading)
        expect(zip(nothing, loading).isLoading)
      }
      expect(!zip(value, other).isLoading)
      expect(!zip(failedWithValue, value).isLoading)
      expect(!zip(value, fresh).isRunning)

      let refreshing = Snapshot(value: 1, activity: LoadActivity(mode: .refresh, progress: 0.5))
      let one = zip(value, refreshing)
      expectEqual(one.activity?.mode, .refresh)
      expectEqual(one.activity?.progress, 0.5)
      expectEqual(zip(refreshing, refreshing).activity?.mode, .refresh)
      expectEqual(zip(refreshing, reloading).activity?.mode, .reload)
      let waiting = Snapshot(activity: LoadActivity(mode: .refresh, isWaiting: true))
      expect(zip(waiting, value).isWaiting)
      expect(!zip(waiting, reloading).isWaiting)
    }

    @Test("3.14 a part that has failed with nothing to show and nothing running beats parts still loading")
    func hopeless() {
      for loading in [fresh, reloading] {
        expectEqual(determineState(zip(loading, failed)).kind, .error)
        expect(!zip(failed, loading).isLoading)
        expectEqual(determineState(zip(loading, failedWithValue)).kind, .loading)
      }
      let retrying = Snapshot(error: Failure(), activity: LoadActivity(mode: .reload))
      expectEqual(determineState(zip(retrying, value)).kind, .loading)
    }

    private func seen<Whole>(
      _ whole: AsyncSnapshot<Whole>
    ) -> (shown: AsyncStatusKind, withoutErrors: AsyncStatusKind, error: Failure?) {
      let withoutErrors = determineState(whole, policy: DisplayPolicy(errors: .never))
      return (determineState(whole).kind, withoutErrors.kind, whole.error as? Failure)
    }

    @Test("3.14 over content, the error of a part's reload stays until that part is requested, whatever the others do")
    func failedReload() {
      let refreshing = Snapshot(value: 1, activity: LoadActivity(mode: .refresh))
      let reloadFailed = Snapshot(value: 3, error: Failure(name: "reload"), failedMode: .reload)
      let refreshFailed = Snapshot(value: 4, error: Failure(name: "refresh"), failedMode: .refresh)
      for others in [[value], [refreshing], [refreshFailed], [refreshFailed, refreshing]] {
        for parts in [others + [reloadFailed], [reloadFailed] + others] {
          let whole = parts.count == 2 ? seen(zip(parts[0], parts[1])) : seen(zip(parts[0], parts[1], parts[2]))
          expectEqual(whole.shown, .error)
          expectEqual(whole.error, Failure(name: "reload"))
          expectEqual(whole.withoutErrors, .data)
        }
      }
      let again = Snapshot(value: 3, error: Failure(), activity: LoadActivity(mode: .refresh), failedMode: .reload)
      expectEqual(determineState(zip(again, refreshing)).kind, .data)
      // What another part has never had is awaited.
      expectEqual(determineState(zip(reloadFailed, reloading)).kind, .loading)
    }
  }
}
