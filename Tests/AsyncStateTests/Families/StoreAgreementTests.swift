// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct StoreAgreementTests: StoreSuite {
    /// A screen that displays 3, which the source of truth has, and whose next answer, 7, is being written.
    private func screenWritingAnswer() async -> (stage: FamilyStage, writes: Gate<Void>, load: LoadTask<Int>) {
      let stage = stage(.truth).hold(1)
      await stage.load(1, 3)
      let writes = Gate<Void>(ignoresCancellation: true)
      stage.store?.writes = writes
      let load = stage.held[1]!.start()
      stage.answer(1, 7)
      await writes.arrived(1)
      return (stage, writes, load)
    }

    private func parts(_ stage: FamilyStage) -> String { SnapshotParts(stage.held[1]!.snapshot).description }

    @Test("12.4 a load that is cancelled while its answer is written: what was written is displayed as a stored value")
    func cancelled() async {
      let (stage, writes, load) = await screenWritingAnswer()
      stage.held[1]?.cancel()
      #expect(await load.outcome().word == "cancelled")
      #expect(parts(stage) == "3 set")
      await stage.clock.advance(by: .seconds(2))
      writes.answer(call: 1, with: .success(()))
      await stage.family.settled()
      #expect(parts(stage) == "7 set provisional")
      #expect(stage.held[1]?.data.age == .seconds(2))
      #expect(stage.store?[1] == StoredValue(7, age: .seconds(2)))
      #expect(writes.callCount == 1)
    }

    @Test("3.15, 12.4 what a load answers that is answered by hand, or has an operation of its own, is stored, too")
    func otherLoads() async {
      let stage = stage(.truth).hold(1)
      await stage.load(1, 3)
      stage.held[1]?.data.begin(.refresh).succeed(with: 4)
      await stage.family.settled()
      #expect(parts(stage) == "4 set" && stage.store?[1]?.value == 4)
      await stage.held[1]?.data.load(.refresh) { 5 }
      await stage.family.settled()
      #expect(parts(stage) == "5 set" && stage.store?[1]?.value == 5)
      // The answer of the family's own operation is written once.
      let writes = Gate<Void>()
      stage.store?.writes = writes
      writes.answer(call: 1, with: .success(()))
      await stage.load(1, 6)
      await stage.family.settled()
      #expect(stage.store?[1]?.value == 6 && writes.callCount == 1)
    }

    @Test("12.4 a screen that is left while its answer is written finds what was written when it is opened again")
    func screenLeft() async {
      let stage = stage(.truth)
      let writes = Gate<Void>(ignoresCancellation: true)
      stage.store?.writes = writes
      let screen = Waiting { await stage.family[1].load().word }
      stage.answer(1, 7)
      await writes.arrived(1)
      screen.cancel()
      #expect(await screen.end() == "cancelled")
      writes.answer(call: 1, with: .success(()))
      await stage.family.settled()
      #expect(await stage.family[1].load(when: .stale).word == "fresh 7")
      #expect(stage.requests == [1])
    }

    @Test("12.4 a load that is cancelled while its answer is written, which fails, changes neither memory nor store")
    func cancelledAndFailed() async {
      let (stage, writes, load) = await screenWritingAnswer()
      stage.held[1]?.cancel()
      writes.answer(call: 1, with: .failure(Failure()))
      #expect(await load.outcome().word == "cancelled")
      await stage.family.settled()
      #expect(parts(stage) == "3 set")
      #expect(stage.store?[1]?.value == 3)
    }

    @Test("12.4, 3.10 a load that times out while its answer is written: what was written is beside its error")
    func timedOut() async {
      let clock = ManualClock()
      let store = MemoryStore<Int, Int>(clock: clock)
      let writes = Gate<Void>(ignoresCancellation: true)
      store.writes = writes
      let family = AsyncFamily<Int, Int>(
        options: LoadOptions(timeout: .seconds(10), clock: clock), store: .truth(store)
      ) { _ in 7 }
      let screen = family[1]
      let load = screen.start()
      await writes.arrived(1)
      await clock.advance(by: .seconds(10))
      #expect(await load.outcome().word == "failure LoadTimeoutError()")
      writes.answer(call: 1, with: .success(()))
      await family.settled()
      #expect(screen.value == 7 && screen.error is LoadTimeoutError && screen.isStale)
      #expect(store[1]?.value == 7)
    }

    @Test("12.4, 3.2 a reload that supersedes the load meanwhile is not disturbed, and its answer is the newest")
    func reloaded() async {
      let (stage, writes, load) = await screenWritingAnswer()
      let reload = stage.held[1]!.reload()
      #expect(await load.outcome().word == "superseded")
      writes.answer(call: 1, with: .success(()))
      await writes.ended(1)
      await stage.gate.arrived(3)
      #expect(parts(stage) == "3 set reload")
      stage.answer(1, 9)
      await writes.arrived(2)
      writes.answer(call: 2, with: .success(()))
      #expect(await reload.outcome().word == "value 9")
      await stage.family.settled()
      #expect(parts(stage) == "9 set")
      #expect(stage.store?[1]?.value == 9)
      #expect(writes.callCount == 2)
    }

    @Test("12.4 a reload that supersedes the load meanwhile and ends without an answer uncovers what was written")
    func reloadEndedWithoutAnswer() async {
      for fails in [false, true] {
        let (stage, writes, _) = await screenWritingAnswer()
        let reload = stage.held[1]!.reload()
        writes.answer(call: 1, with: .success(()))
        await writes.ended(1)
        await stage.gate.arrived(3)
        if fails { stage.fail(1) } else { reload.cancel() }
        #expect(await reload.outcome().word == (fails ? "failure failure" : "cancelled"))
        await stage.family.settled()
        #expect(parts(stage) == (fails ? "7 set error(failure) provisional" : "7 set provisional"))
        #expect(stage.store?[1]?.value == 7)
      }
    }

    @Test("12.4, 3.2 a value set by hand while the answer of a cancelled load is written stays, and is what is stored")
    func setMeanwhile() async {
      let (stage, writes, _) = await screenWritingAnswer()
      stage.held[1]?.cancel()
      stage.held[1]?.data.value = 9
      for call in 1...2 { writes.answer(call: call, with: .success(())) }
      await stage.family.settled()
      #expect(parts(stage) == "9 set")
      #expect(stage.store?[1]?.value == 9)
      #expect(writes.callCount == 2)
    }

    @Test("12.4, 3.12 a change that was confirmed since the cancelled load began is not lost, and is what is stored")
    func changedMeanwhile() async {
      let stage = stage(.truth).hold(1)
      await stage.load(1, 3)
      let writes = Gate<Void>(ignoresCancellation: true)
      stage.store?.writes = writes
      let load = stage.held[1]!.start()
      await stage.gate.arrived(2)
      #expect(await stage.held[1]!.data.mutate({ $0 += 10 }) {}.word == "value 13")
      await writes.arrived(1)
      writes.answer(call: 1, with: .success(()))
      await writes.ended(1)
      stage.answer(1, 7)
      await writes.arrived(2)
      load.cancel()
      for call in 2...3 { writes.answer(call: call, with: .success(())) }
      await stage.family.settled()
      #expect(parts(stage) == "13 set")
      #expect(stage.store?[1]?.value == 13)
    }

    @Test("12.4 a change that is not decided stays on what is taken over")
    func undecidedChange() async {
      let (stage, writes, load) = await screenWritingAnswer()
      let commit = Gate<Void>()
      let data = stage.held[1]!.data
      let mutation = Waiting { await data.mutate({ $0 += 10 }) { try await commit.wait() }.word }
      await commit.arrived(1)
      load.cancel()
      writes.answer(call: 1, with: .success(()))
      await writes.ended(1)
      #expect(data.value == 17)
      commit.answer(call: 1, with: .failure(Failure()))
      #expect(await mutation.end() == "failure failure")
      #expect(data.value == 7)
      writes.answer(call: 2, with: .success(()))
      await stage.family.settled()
      #expect(stage.store?[1] == StoredValue(7, age: .zero, isInvalidated: true))
    }

    @Test("12.4, 12.5 what is forgotten or reset meanwhile does not come back", arguments: [false, true])
    func forgotten(isForgotten: Bool) async {
      let (stage, writes, load) = await screenWritingAnswer()
      let family = stage.family!
      let forgetting = Waiting { if isForgotten { try? await family.forget(1) } }
      if isForgotten { await forgetting.begun() } else { stage.held[1]?.reset() }
      #expect(await load.outcome().word == "cancelled")
      writes.answer(call: 1, with: .success(()))
      await forgetting.end()
      await stage.family.settled()
      #expect(parts(stage) == "-")
      #expect(stage.store?[1]?.value == (isForgotten ? nil : 7))
    }

    @Test("12.4, 12.3 data that was invalidated stays so when what was written is taken over, and the store knows")
    func invalidated() async {
      let (stage, writes, load) = await screenWritingAnswer()
      stage.held[1]?.invalidate()
      load.cancel()
      for call in 1...2 { writes.answer(call: call, with: .success(())) }
      await stage.family.settled()
      #expect(stage.held[1]?.value == 7 && stage.held[1]?.snapshot.isInvalidated == true)
      #expect(stage.store?[1] == StoredValue(7, age: .zero, isInvalidated: true))
    }

    @Test("12.4 what is taken over may be replaced by the observer that is notified of it")
    func observerWrites() async {
      let (stage, writes, load) = await screenWritingAnswer()
      let screen = stage.held[1]!
      let count = NotificationCount(screen)
      count.inside = { if screen.value == 7 { screen.data.value = 8 } }
      load.cancel()
      for call in 1...2 { writes.answer(call: call, with: .success(())) }
      await stage.family.settled()
      #expect(parts(stage) == "8 set")
      #expect(stage.store?[1]?.value == 8)
    }

    @Test("12.4, 1.6 nothing is taken over when the family was released while the answer was written")
    func released() async {
      let (stage, writes, load) = await screenWritingAnswer()
      load.cancel()
      stage.release()
      writes.answer(call: 1, with: .success(()))
      await stage.held[1]?.settled()
      #expect(parts(stage) == "3 set")
    }

    @Test(
      "3.19, 12.3 a change that is confirmed over a seed marks what is stored: it is not fresh without the change",
      arguments: [false, true])
    func confirmedOverSeed(isUpdate: Bool) async {
      let clock = ManualClock()
      let store = MemoryStore<Int, Int>(clock: clock)
      store.put(3, for: 1, age: .seconds(1))
      var calls = 0
      let family = AsyncFamily<Int, Int>(
        seed: { _ in 3 }, options: LoadOptions(staleAfter: .seconds(60), clock: clock), store: .cache(store)
      ) { _ in
        calls += 1
        return 4
      }
      let post = family[1]
      if isUpdate {
        post.update { $0 += 1 }
      } else {
        await post.mutate {
          $0 += 1
        } commit: {
        }
      }
      #expect(post.value == 4)
      await family.settled()
      #expect(store[1]?.isInvalidated == true)
      await post.load(when: .stale)
      #expect(post.value == 4 && calls == 1 && !post.isStale)
    }

    /// Waits when the attempt has succeeded, and then passes its answer on, or fails.
    private struct Late: LoadInterceptor {
      let gate = Gate<Void>(ignoresCancellation: true)

      func intercept<Value>(_ attempt: LoadAttempt<Value>, isolation: isolated (any Actor)?) async throws -> Value {
        let answer = try await attempt()
        try await gate.wait()
        return answer
      }
    }

    @Test(
      "3.16, 12.4 an answer that was written, and not displayed because its load has ended in an interceptor",
      arguments: 0..<3)
    func endedAfterWrite(way: Int) async {
      let late = Late()
      let store = MemoryStore<Int, Int>()
      let family = AsyncFamily<Int, Int>(options: LoadOptions(interceptors: [late]), store: .truth(store)) { _ in 7 }
      let entry = family[1]
      entry.receive(3)
      await family.settled()
      let load = entry.start()
      await late.gate.arrived(1)
      #expect(store[1]?.value == 7 && entry.value == 3)
      if way == 1 { entry.update { $0 += 1 } }
      if way == 2 {
        late.gate.answer(call: 1, with: .failure(Failure()))
      } else {
        entry.cancel()
        late.gate.answer(call: 1, with: .success(()))
      }
      _ = await load.outcome()
      await family.settled()
      #expect(entry.value == (way == 1 ? 4 : 7) && store[1]?.value == entry.value)
    }
  }
}
