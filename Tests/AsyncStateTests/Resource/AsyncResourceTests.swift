// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct AsyncResourceTests {
    @Test("3.3, 9.8 a cancelled get throws CancellationError, whatever becomes of the load in the same turn")
    func cancelledGet() async {
      for isReplaced in [false, true] {
        let gate = ManualServer<Int>(ignoresCancellation: true)
        let number = AsyncResource { try await gate.wait() }
        number.data.value = 1
        number.invalidate()
        number.start()
        await gate.arrived(1)
        let call = Task { try await number.get() }
        await number.awaited(by: 1)
        call.cancel()
        await Task { @MainActor in if isReplaced { number.refresh() } else { number.data.value = 3 } }
          .value
        await #expect(throws: CancellationError.self) { try await call.value }
        gate.answer(call: 1, with: .success(2))
        if isReplaced { gate.answer(call: 2, with: .success(2)) }
        await number.settled()
      }
    }

    @Test("2.6 a preview displays its snapshot, whatever requests it, and nothing waits for it")
    func preview() async throws {
      let snapshots: [AsyncSnapshot<Int>] = [
        .loading, .value(1), .value(nil), .failed(Failure()), .failed(Failure(), keeping: 1),
      ]
      for snapshot in snapshots {
        let resource = AsyncResource.preview(snapshot)
        let recorder = DataRecorder(resource.data)
        let before = "\(resource.status)"
        let host = AsyncHost(resource)
        host.appear(animated: false)
        await expectEqual(host.start().outcome().word, "cancelled")
        await expectEqual(resource.load().word, "cancelled")
        await expectEqual(host.refresh().outcome().word, "cancelled")
        await expectEqual(host.reload().outcome().word, "cancelled")
        await #expect(throws: CancellationError.self) { try await resource.get(when: .always) }
        expectEqual(recorder.takeSnapshots(), [])
        expectEqual("\(resource.status)", before)
        expectEqual("\(host.status)", before)
      }
    }

    @Test("9.1 load, start and poll join a load that is running, and change neither its mode nor its policies")
    func joins() async {
      let gate = ManualServer<Int?>()
      let resource = AsyncResource { try await gate.wait() }
      let first = resource.reload()
      let second = resource.start()
      expectEqual(resource.snapshot.activity?.mode, .reload)
      let third = Waiting { await resource.load().word }
      await third.begun()
      let polling = Waiting { await resource.poll(every: { _ in nil }) }
      await polling.begun()
      await gate.answer(arriving: 1, with: .success(1))
      await expectEqual(first.outcome().word, "value 1")
      await expectEqual(second.outcome().word, "value 1")
      await expectEqual(third.end(), "value 1")
      await polling.end()
      expectEqual(resource.value, 1)
      // A second call would not have been answered.
      gate.answer(call: 2, with: .success(2))
      await expectEqual(resource.load().word, "value 2")
    }

    @Test("9.1 a pull keeps the content, a reload hides it: both supersede what hangs, and callers get the new answer")
    func supersedes() async {
      for hides in [false, true] {
        let gate = ManualServer<Int>(ignoresCancellation: true)
        let resource = AsyncResource { try await gate.wait() }
        resource.data.value = 1
        let waiting = Task { await resource.load().word }
        await gate.arrived(1)
        let joined = resource.start()
        let pull = hides ? resource.reload() : resource.refresh()
        expectEqual(resource.status, hides ? .loading : .data(1))
        await expectEqual(joined.outcome().word, "superseded")
        let later = resource.start()
        await gate.answer(arriving: 2, with: .success(3))
        for load in [pull, later] { await expectEqual(load.outcome().word, "value 3") }
        await expectEqual(waiting.value, "value 3")
        gate.answer(call: 1, with: .success(2))
        await resource.settled()
        expectEqual(resource.value, 3)
      }
    }

    @Test("1.1 a resource that is used on another actor stops with a message")
    func anotherActor() async {
      await #expect(processExitsWith: .failure) {
        actor Server {
          lazy var rates = AsyncResource<Int> { 1 }
          func use() { rates.start() }
        }
        await Server().use()
      }
    }
  }
}
