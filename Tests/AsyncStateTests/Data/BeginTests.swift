// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct BeginTests {
    let data = AsyncData<Int>()

    @Test(
      "3.15 a load that is begun runs until it is answered, fails or is cancelled, and yields and reports meanwhile")
    func answers() async {
      let recorder = DataRecorder(data)
      let load = data.begin()
      load.report(progress: 0.5)
      expectEqual(data.snapshot.activity?.progress, 0.5)
      load.yield(1)
      load.succeed(with: 2)
      expectEqual(recorder.takeSnapshots(), ["- refresh", "- refresh", "1 set refresh provisional", "2 set"])
      await expectEqual(load.task.outcome().word, "value 2")
      load.fail(with: Failure())
      load.succeed(with: 3)
      load.yield(3)
      load.report(progress: 1)
      expectEqual(recorder.takeSnapshots(), [])
      expectEqual(data.value, 2)
      expectNil(data.error)

      let failing = data.begin(.refresh)
      failing.fail(with: Failure())
      await expectEqual(failing.task.outcome().word, "failure failure")
      expect(data.error != nil)
      let cancelling = data.begin()
      cancelling.fail(with: CancellationError())
      await expectEqual(cancelling.task.outcome().word, "cancelled")
      expect(!data.isRunning)
      expect(data.error != nil)
    }

    @Test("3.15, 1.8 a handle released on another thread ends its load on the owner's actor")
    func releasedElsewhere() async {
      let load = Dropped(data.begin())
      var onActor = false
      let token = data.observed.observe { _ in
        MainActor.preconditionIsolated()
        onActor = true
      }
      onActor = false
      // The actor is busy with this function until it suspends.
      await Task.detached { load.release() }.value
      await data.settled()
      expect(onActor)
      expect(!data.isRunning)
      token.cancel()
    }

    @Test("3.15 a handle that was answered or superseded is released quietly")
    func releasedLater() {
      let recorder = DataRecorder(data)
      var load: PendingLoad<Int>? = data.begin()
      load?.succeed(with: 1)
      load = nil
      var superseded: PendingLoad<Int>? = data.begin()
      let newer = data.begin()
      superseded = nil
      expect(data.isRunning)
      newer.succeed(with: 2)
      expectEqual(recorder.takeFlags(), "fffff")
      _ = superseded
    }
  }
}
