// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct RestoredDataTests {
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
