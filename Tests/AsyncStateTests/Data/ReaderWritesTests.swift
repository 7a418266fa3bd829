// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// Observation calls its readers when a change is complete, and before all others. What they write is newer.
  @MainActor
  struct ReaderWritesTests {
    let data = AsyncData<Int>()

    @Test(
      "1.4, 3.12 a value that a reader sets when a change is removed, or confirmed, stays", arguments: [false, true])
    func setWhileDecided(succeeds: Bool) {
      data.value = 1
      let change = data.display { $0 += 10 }
      whenReported({ _ = data.hasPendingChanges }) { [data] in data.value = 5 }
      change.begin()
      change.end(succeeded: succeeds)
      expectEqual(data.value, 5)
      expect(!data.snapshot.isInvalidated)
      expect(!data.hasPendingChanges)
    }

    @Test("1.4, 3.12 a change that a reader makes while another one is removed stays, and is pending")
    func changeWhileRemoved() {
      data.value = 1
      let first = data.display { $0 += 10 }
      var second: UndecidedChange<Int>?
      whenReported({ _ = data.value }) { [data] in second = data.display { $0 += 100 } }
      first.end(succeeded: false)
      expectEqual(data.value, 101)
      expect(data.hasPendingChanges)
      second?.end(succeeded: false)
      expectEqual(data.value, 1)
      expect(!data.hasPendingChanges)
    }

    @Test(
      "1.4, 3.12 a change that a reader makes while a load answers lies on the answer, also if it is the first",
      arguments: [false, true])
    func changeWhileAnswered(isFirst: Bool) {
      data.value = 1
      let first = isFirst ? nil : data.display { $0 += 10 }
      let load = data.begin(.refresh)
      var second: UndecidedChange<Int>?
      whenReported({ _ = data.value }) { [data] in second = data.display { $0 += 100 } }
      load.succeed(with: 2)
      expectEqual(data.value, (isFirst ? 102 : 112))
      expect(data.hasPendingChanges)
      for change in [first, second] { change?.end(succeeded: false) }
      expectEqual(data.value, 2)
      expect(!data.hasPendingChanges)
    }

    @Test(
      "1.4, 9.6, 12.2 what a reader sets is newer than an error or a stored value, and its reset than a former value")
    func beforeOthers() {
      data.value = 1
      data.changeKey(hasKey: true, previous: .untilAnswered)
      whenReported({ _ = data.error }) { [data] in data.value = 5 }
      data.error = Failure()
      expectEqual(data.value, 5)
      expectNil(data.error)

      whenReported({ _ = data.isStale }) { [data] in data.reset() }
      data.changeKey(hasKey: true, previous: .untilAnswered)
      expectNil(data.value)
      expect(!data.snapshot.isProvisional)
      expect(!data.state.core.record.isOfFormerKey)

      let stored = AsyncData<Int>()
      whenReported({ _ = stored.value }) { stored.value = 5 }
      stored.restore(1, age: .seconds(1), isInvalidated: false)
      expectEqual(SnapshotParts(stored.snapshot), SnapshotParts(5, isValueSet: true))
    }

    @Test("1.4, 3.13 a page request that a reader supersedes by a load, or by another list, is not made")
    func superseded() async {
      typealias Pages = Paged<Int, Int>
      for write in [
        { (data: AsyncData<Pages>) -> Void in data.start(.refresh) { Pages(first: .init(items: [9])) } },
        { (data: AsyncData<Pages>) in data.value = Pages(first: .init(items: [9])) },
      ] {
        let list = AsyncData<Pages>()
        list.value = Pages(first: .init(items: [1], next: 2))
        whenReported({ _ = list.nextPage }) { write(list) }
        let outcome = await list.loadNext { _ in
          Issue.record("A page of a list that was replaced is not requested.")
          return .init(items: [2])
        }
        guard case .superseded = outcome else {
          Issue.record("\(outcome)")
          return
        }
        await list.settled()
        expectEqual(list.value?.items, [9])
        expect(!list.nextPage.isRunning)
      }
    }

    @Test("1.4, 16.5 a reader that cancels when an input begins: it is never sent", arguments: [false, true])
    func cancelsWhileBegun(hasLanes: Bool) async {
      let gate = ManualServer<Int>()
      let send = AsyncMutation(overlap: .queue, lane: hasLanes ? { AnyHashable($0) } : nil) {
        (input: String) in try await gate.wait(for: input)
      }
      whenReported({ _ = send.isRunning }) { send.cancel() }
      gate.answer(for: "a", with: .success(1))
      let task = send.perform("a")
      guard case .cancelled = await task.outcome() else { return expect(false) }
      await send.settled()
      expectEqual(gate.arguments(as: String.self), [])
      expect(!send.isRunning)
      expectEqual("\(send.status)", "idle")
    }

    @Test(
      "1.4, 16.2 a reader that performs another input when one begins: with latest what has its turn is sent, and then the newest"
    )
    func performsWhileBegun() async {
      let gate = ManualServer<Int>()
      let send = AsyncMutation(overlap: .latest) { (input: String) in try await gate.wait(for: input) }
      var inner: MutationTask<Int>?
      whenReported({ _ = send.isRunning }) { inner = send.perform("bb") }
      gate.answer(for: "a", with: .success(1))
      gate.answer(for: "bb", with: .success(2))
      let outer = send.perform("a")
      await outer.outcome()
      guard case .success(2)? = await inner?.outcome() else { return expect(false) }
      expectEqual(gate.arguments(as: String.self), ["a", "bb"])
    }

    @Test("1.4, 6.2 what a reader receives when an equal answer has arrived is displayed")
    func receivedBeforeEqualAnswer() async {
      let gate = ManualServer<Int>()
      let resource = AsyncResource<Int> { try await gate.wait() }
      let host = AsyncHost(resource) { _ in [] }
      gate.answer(call: 1, with: .success(1))
      host.start()
      await resource.settled()
      host.refresh()
      await gate.arrived(2)
      whenReported({ _ = resource.isRunning }) { resource.receive(2) }
      gate.answer(call: 2, with: .success(1))
      await resource.settled()
      expectEqual(resource.value, 2)
      expectEqual(host.container.currentState.value, 2)
    }

    @Test("1.4, 9.3 a reader that reads the resource when its key changes: the next key is requested, once")
    func readsWhileKeyChanges() async {
      let key = Input<Int?>(1)
      let gate = ManualServer<Int>()
      let resource = AsyncResource<Int>(following: key) { try await gate.wait(for: $0) }
      gate.answer(for: 1, with: .success(10))
      await resource.load()
      whenReported({ _ = resource.value }) { _ = resource.value }
      key.write(2)
      expect(resource.isRunning)
      gate.answer(for: 2, with: .success(20))
      await resource.settled()
      expectEqual(resource.value, 20)
      expectEqual(gate.arguments(as: Int.self), [1, 2])
    }

    @Test("1.4, 6.8 what a reader of a host of several writes to a part is not replaced by what was before")
    func combined() async {
      let news = AsyncResource<Int> { 1 }
      let weather = AsyncResource<Int> { 1 }
      let host = AsyncHost(zip(news, weather)) { _ in [] }
      await host.start().outcome()
      whenReported({ _ = host.status }) { weather.receive(2) }
      news.receive(5)
      expectEqual(host.data.value?.0, 5)
      expectEqual(host.data.value?.1, 2)
      expectEqual(host.container.currentState.value?.1, 2)
    }

    // MARK: Readers that change whose the data is

    /// What is written by hand when a reader forgets everything, or changes the key.
    enum Write: CaseIterable {
      case set, error, received, updated, changed
    }

    @Test(
      "1.4, 3.20, 9.3 what is written when a reader forgets all, or changes the key, is not written to the next one's data",
      arguments: Write.allCases, [false, true])
    func otherOwner(write: Write, changesKey: Bool) async {
      let key = Input<Int?>(1)
      let resource = AsyncResource(following: key, previous: .untilAnswered) { 100 * $0 }
      await resource.load()
      let data = resource.data
      whenReported({ _ = (data.value, data.error, data.hasPendingChanges) }) {
        if changesKey { key.write(2) } else { resource.forget() }
      }
      switch write {
      case .set: data.value = 7
      case .error: data.error = Failure()
      case .received: resource.receive(7)
      case .updated: resource.update { $0 += 7 }
      case .changed:
        _ = await resource.mutate({ $0 += 7 }, commit: {})
      }
      expectNil(data.error)
      expect(!data.hasPendingChanges)
      await resource.settled()
      if !changesKey {
        expectNil(resource.value)
        await resource.load()
      }
      expectEqual(resource.value, (changesKey ? 200 : 100))
      expect(!data.hasPendingChanges)
    }
  }
}
