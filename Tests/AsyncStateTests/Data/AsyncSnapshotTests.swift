// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct AsyncSnapshotTests {
    @Test("2.1, 2.3 what is said of a snapshot follows from what was answered, and from the load that runs")
    func said() {
      let load = LoadActivity(mode: .reload)
      let rows: [(snapshot: AsyncSnapshot<Int>, words: String)] = [
        (AsyncSnapshot(), "loading idle"),
        (AsyncSnapshot(value: 1), "settled"),
        (AsyncSnapshot(isValueSet: true), "settled"),
        (AsyncSnapshot(error: Failure()), "settled"),
        (AsyncSnapshot(value: 1, isValueSet: false), "idle provisional"),
        (AsyncSnapshot(activity: load), "loading running"),
        (AsyncSnapshot(value: 1, activity: load), "settled loading running"),
        (AsyncSnapshot(error: Failure(), activity: LoadActivity(mode: .refresh)), "settled loading running"),
      ]
      for (snapshot, words) in rows {
        let said = [
          ("settled", snapshot.isSettled), ("loading", snapshot.isLoading), ("running", snapshot.isRunning),
          ("idle", snapshot.isIdle), ("provisional", snapshot.isProvisional),
        ]
        expectEqual(said.filter { $0.1 }.map { $0.0 }.joined(separator: " "), words, "\(SnapshotParts(snapshot))")
      }
    }

    @Test("2.6 the named snapshots are states that data can be in, and data in such a state is the same")
    func named() {
      let cases: [(snapshot: AsyncSnapshot<Int>, status: AsyncStatus<Int>, parts: String)] = [
        (.loading, .loading, "- reload"),
        (.value(1), .data(1), "1 set"),
        (.value(nil), .noData, "- set"),
        (.value(1, isStale: true), .data(1), "1 set invalidated"),
        (.failed(Failure()), .error(Failure()), "- error refresh"),
        (.failed(Failure(), keeping: 1), .data(1), "1 set error refresh"),
        (.failed(Failure(), keeping: 1, mode: .reload), .error(Failure()), "1 set error reload"),
      ]
      for (snapshot, status, parts) in cases {
        expectEqual(words(snapshot), parts)
        expectEqual(words(AsyncData(snapshot: snapshot).snapshot), parts)
        expectEqual(snapshot.status, status)
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
      func words() -> String {
        let failure = activity.lastFailure.map { "\($0)" } ?? "none"
        return "\(activity.mode) \(activity.progress ?? -1) \(activity.failures) \(failure)"
      }
      expectEqual(words(), "refresh 0.5 2 failure")
      activity.progress = nil
      expectEqual(words(), "refresh -1.0 2 failure")
      activity.failures = 0
      expectEqual(words(), "refresh -1.0 0 failure")
      activity.lastFailure = nil
      expectEqual(words(), "refresh -1.0 0 none")
    }

    /// Every combination of value, error, activity and marks that a snapshot can have.
    static let snapshots: [AsyncSnapshot<Int>] = {
      var all: [AsyncSnapshot<Int>] = []
      let activities = [
        nil, LoadActivity(mode: .reload),
        LoadActivity(mode: .refresh, progress: 0.5, failures: 2, lastFailure: Failure()),
      ]
      for (value, isValueSet) in [(nil, false), (nil, true), (1, false), (1, true)] as [(Int?, Bool)] {
        for error in [nil, Failure()] {
          for activity in activities {
            for marks in 0..<4 {
              var snapshot = AsyncSnapshot(value: value, error: error, activity: activity, isValueSet: isValueSet)
              if marks & 1 != 0 { snapshot.isInvalidated = true }
              if marks & 2 != 0, value != nil, isValueSet { snapshot.context.origin = .partial }
              all.append(snapshot)
            }
          }
        }
      }
      return all
    }()

    @Test(
      "2, 2.6 the data is as the snapshot says, without a load, and stale; a cancel removes the activity alone, once")
    func asGiven() async {
      for snapshot in Self.snapshots {
        let data = AsyncData(snapshot: snapshot, options: LoadOptions(clock: ManualClock()))
        expectEqual(SnapshotParts(data.snapshot), SnapshotParts(snapshot))
        expectEqual(data.snapshot.activity?.progress, snapshot.activity?.progress)
        expectEqual(data.snapshot.activity?.failures, snapshot.activity?.failures)
        expectEqual(data.isRunning, (snapshot.activity != nil))
        expectEqual(data.isLoading, (data.isRunning || (!snapshot.isSettled && snapshot.value == nil)))
        expectNil(data.age)
        expect(data.isStale)
        expect(!data.hasPendingChanges)
        expect(!data.nextPage.isRunning)
        expect(!data.previousPage.isRunning)
        // Without a load there is nothing to wait for.
        await data.settled()

        let recorder = DataRecorder(data)
        for _ in 1...2 { data.cancel() }
        var expected = SnapshotParts(snapshot)
        expected.mode = nil
        expectEqual(SnapshotParts(data.snapshot), expected)
        expectEqual(recorder.takeFlags(), (snapshot.isRunning ? "f" : ""))
      }
    }

    @Test("2.6, 3 a load takes the place of the displayed activity, and answers or leaves the rest as it was")
    func load() async {
      for snapshot in Self.snapshots {
        let data = AsyncData(snapshot: snapshot)
        let cancelled = data.start(.refresh) { 2 }
        expectEqual(data.snapshot.activity?.failures, 0)
        cancelled.cancel()
        var expected = SnapshotParts(snapshot)
        expected.mode = nil
        expectEqual(SnapshotParts(data.snapshot), expected)
        // A displayed activity has no operation to join.
        await expectEqual(data.load(id: "a") { 2 }.word, "value 2")
        expectEqual(SnapshotParts(data.snapshot), SnapshotParts(2, isValueSet: true))
        expect(!data.isStale)
      }
    }
  }
}
