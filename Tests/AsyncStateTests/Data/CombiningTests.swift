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

    // MARK: zip and all

    @Test("3.14 zip has a value when every part has one")
    func zipValue() {
      let whole = zip(value, AsyncSnapshot(value: "a"), other)
      #expect(whole.value?.0 == 1 && whole.value?.1 == "a" && whole.value?.2 == 2)
      #expect(whole.isSettled && !whole.isLoading && !whole.isProvisional)
      expectNil(zip(value, nothing).value)
      expectEqual(determineState(zip(value, nothing)).kind, .noData)
    }

    @Test("3.14 all of none is a settled empty array")
    func allOfNone() {
      let whole = Snapshot.all([])
      expectEqual(whole.value, [])
      #expect(whole.isSettled && !whole.isLoading)
    }

    @Test("3.14 all is loading when any part is")
    func allLoading() {
      let refreshFailed = Snapshot(value: 3, error: Failure(), failedMode: .refresh)
      for loading in [fresh, reloading, Snapshot(value: 1, activity: LoadActivity(mode: .refresh))] {
        #expect(Snapshot.all([value, loading]).isLoading)
        #expect(Snapshot.all([loading, refreshFailed]).isLoading)
        #expect(Snapshot.all([nothing, loading]).isLoading)
      }
      #expect(!Snapshot.all([value, other]).isLoading)
      #expect(!Snapshot.all([failedWithValue, value]).isLoading)
      #expect(!Snapshot.all([value, fresh]).isRunning)
    }

    @Test("3.14 all: a reload among the parts hides, refreshes do not, one load stands for itself")
    func allActivity() {
      let refreshing = Snapshot(value: 1, activity: LoadActivity(mode: .refresh, progress: 0.5))
      let one = Snapshot.all([value, refreshing])
      #expect(one.activity?.mode == .refresh && one.activity?.progress == 0.5)
      expectEqual(Snapshot.all([refreshing, refreshing]).activity?.mode, .refresh)
      expectEqual(Snapshot.all([refreshing, reloading]).activity?.mode, .reload)
    }

    @Test("3.14 all gives the first error in order")
    func allErrors() {
      expectEqual(Snapshot.all([value, failed, failedToo]).error as? Failure, Failure(name: "first"))
      expectEqual(Snapshot.all([failedToo, failed]).error as? Failure, Failure(name: "second"))
      expectEqual(Snapshot.all([reloading, failedWithValue]).error as? Failure, Failure(name: "beside"))
    }

    @Test("3.14 a part that has failed with nothing to show and nothing running beats parts still loading")
    func hopeless() {
      for loading in [fresh, reloading] {
        expectEqual(determineState(Snapshot.all([loading, failed])).kind, .error)
        #expect(!Snapshot.all([failed, loading]).isLoading)
        expectEqual(determineState(Snapshot.all([loading, failedWithValue])).kind, .loading)
      }
      let retrying = Snapshot(error: Failure(), activity: LoadActivity(mode: .reload))
      expectEqual(determineState(Snapshot.all([retrying, value])).kind, .loading)
    }

    @Test("3.14 over content, the error of a part's reload stays until that part is requested, whatever the others do")
    func failedReload() {
      let refreshing = Snapshot(value: 1, activity: LoadActivity(mode: .refresh))
      let reloadFailed = Snapshot(value: 3, error: Failure(name: "reload"), failedMode: .reload)
      let refreshFailed = Snapshot(value: 4, error: Failure(name: "refresh"), failedMode: .refresh)
      for others in [[value], [refreshing], [refreshFailed], [refreshFailed, refreshing]] {
        for parts in [others + [reloadFailed], [reloadFailed] + others] {
          let whole = Snapshot.all(parts)
          #expect(determineState(whole).kind == .error && whole.error as? Failure == Failure(name: "reload"))
          expectEqual(determineState(whole, policy: DisplayPolicy(errors: .never)).kind, .data)
        }
      }
      let again = Snapshot(value: 3, error: Failure(), activity: LoadActivity(mode: .refresh), failedMode: .reload)
      expectEqual(determineState(Snapshot.all([again, refreshing])).kind, .data)
      // What another part has never had is awaited.
      expectEqual(determineState(Snapshot.all([reloadFailed, reloading])).kind, .loading)
    }

    @Test("3.14 all is provisional, and invalidated, when any part is")
    func allMarks() {
      let seed = Snapshot(value: 1, isValueSet: false)
      var doubted = value
      doubted.isInvalidated = true
      #expect(Snapshot.all([value, seed]).isProvisional)
      #expect(!Snapshot.all([value, seed]).isValueSet)
      var yielded = Snapshot(value: 1, activity: LoadActivity(mode: .refresh))
      yielded.context.origin = .partial
      #expect(Snapshot.all([yielded, value]).isProvisional)
      #expect(Snapshot.all([yielded, value]).isValueSet)
      #expect(Snapshot.all([doubted, value]).isInvalidated)
      #expect(!Snapshot.all([value, other]).isInvalidated)
    }
  }
}
