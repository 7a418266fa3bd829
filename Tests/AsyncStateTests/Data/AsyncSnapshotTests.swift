// SPDX-License-Identifier: MIT
@testable import AsyncState
import Testing

extension AllTests {
  struct AsyncSnapshotTests {
    @Test("2.1 settled is a value that was set, or an error")
    func settled() {
      #expect(!AsyncSnapshot<Int>().isSettled)
      #expect(AsyncSnapshot(value: 1).isSettled)
      #expect(AsyncSnapshot<Int>(isValueSet: true).isSettled)
      #expect(AsyncSnapshot<Int>(error: Failure()).isSettled)
      #expect(!AsyncSnapshot(value: 1, isValueSet: false).isSettled)
      #expect(!AsyncSnapshot<Int>(activity: LoadActivity(mode: .reload)).isSettled)
    }

    @Test("2.1 loading is a load that runs, or data that nothing has touched; so new data is loading")
    func loading() {
      #expect(AsyncSnapshot<Int>().isLoading)
      #expect(!AsyncSnapshot(value: 1).isLoading)
      #expect(!AsyncSnapshot<Int>(isValueSet: true).isLoading)
      #expect(!AsyncSnapshot<Int>(error: Failure()).isLoading)
      #expect(!AsyncSnapshot(value: 1, isValueSet: false).isLoading)
      #expect(AsyncSnapshot(value: 1, activity: LoadActivity(mode: .reload)).isLoading)
      #expect(AsyncSnapshot<Int>(error: Failure(), activity: LoadActivity(mode: .refresh)).isLoading)
    }

    @Test("2.1 running is a load that runs; the idle policy is never called")
    func runningAndIdle() {
      #expect(!AsyncSnapshot<Int>().isRunning)
      #expect(AsyncSnapshot<Int>(activity: LoadActivity(mode: .reload)).isRunning)
      #expect(AsyncSnapshot<Int>().isIdle)
      #expect(AsyncSnapshot(value: 1, isValueSet: false).isIdle)
      #expect(!AsyncSnapshot<Int>(activity: LoadActivity(mode: .reload)).isIdle)
      #expect(!AsyncSnapshot(value: 1).isIdle)
      #expect(!AsyncSnapshot<Int>(error: Failure()).isIdle)
    }

    @Test("2.3 a value that is no answer is provisional")
    func provisionalSeed() {
      #expect(AsyncSnapshot(value: 1, isValueSet: false).isProvisional)
      #expect(!AsyncSnapshot(value: 1).isProvisional)
      #expect(!AsyncSnapshot<Int>().isProvisional)
      #expect(!AsyncSnapshot<Int>(isValueSet: true).isProvisional)
    }

    @Test("2.6 the named snapshots are states that data can be in, and data in such a state is the same")
    func named() {
      let cases: [(snapshot: AsyncSnapshot<Int>, status: String, parts: String)] = [
        (.loading, "loading", "- reload"),
        (.value(1), "data 1", "1 set"),
        (.value(nil), "no data", "- set"),
        (.value(1, isStale: true), "data 1", "1 set invalidated"),
        (.failed(Failure()), "error", "- error refresh"),
        (.failed(Failure(), keeping: 1), "data 1", "1 set error refresh"),
        (.failed(Failure(), keeping: 1, mode: .reload), "error", "1 set error reload"),
      ]
      for (snapshot, status, parts) in cases {
        expectEqual(words(snapshot), parts)
        expectEqual(words(AsyncData(snapshot: snapshot).snapshot), parts)
        switch snapshot.status {
        case .loading: expectEqual(status, "loading")
        case .error: expectEqual(status, "error")
        case .data(let value): expectEqual(status, "data \(value)")
        case .noData: expectEqual(status, "no data")
        case .idle: expectEqual(status, "idle")
        case .waiting: expectEqual(status, "waiting")
        }
      }
    }

    private func words(_ snapshot: AsyncSnapshot<Int>) -> String {
      var words = [snapshot.value.map { "\($0)" } ?? "-"]
      if snapshot.isUntouched { words.append("untouched") }
      if snapshot.isValueSet { words.append("set") }
      if snapshot.isProvisional { words.append("provisional") }
      if snapshot.isInvalidated { words.append("invalidated") }
      if let mode = snapshot.failedMode { words.append("error \(mode)") }
      if let activity = snapshot.activity { words.append("\(activity.mode)") }
      return words.joined(separator: " ")
    }

    @Test("an activity keeps each of its parts, and each can be changed alone")
    func activity() {
      var activity = LoadActivity(mode: .refresh, progress: 0.5, failures: 2, lastFailure: Failure())
      #expect(activity.mode == .refresh && activity.progress == 0.5 && activity.failures == 2)
      expectEqual(activity.lastFailure as? Failure, Failure())
      activity.progress = nil
      #expect(activity.progress == nil && activity.failures == 2 && activity.lastFailure != nil)
      activity.failures = 0
      #expect(activity.failures == 0 && activity.lastFailure != nil)
      activity.lastFailure = nil
      #expect(activity.lastFailure == nil && activity.mode == .refresh)
    }

    @Test("an activity keeps the one thing that it is made with, and nothing has failed yet")
    func activityWithOnePart() {
      expectEqual(LoadActivity(progress: 0.5).progress, 0.5)
      expectEqual(LoadActivity(failures: 2).failures, 2)
      expectEqual(LoadActivity(lastFailure: Failure()).lastFailure as? Failure, Failure())
      let activity = LoadActivity(mode: .reload)
      #expect(activity.failures == 0 && activity.lastFailure == nil)
    }

  }
}
