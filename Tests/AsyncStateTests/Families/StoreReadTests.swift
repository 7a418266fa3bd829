// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct StoreReadTests: StoreSuite {
    @Test("2.4, 3.12 a change that is confirmed before anything was read: what the store has from before is not fresh")
    func confirmedUnread() async throws {
      let clock = ManualClock()
      let store = MemoryStore<Int, [Int]>(clock: clock)
      store.put([1], for: 1, age: .seconds(5))
      let options = LoadOptions(staleAfter: .seconds(60), clock: clock)
      let lists = AsyncFamily<Int, [Int]>(options: options, store: store) { _ in [1, 2] }
      let list = lists[1]
      await list.mutate({ $0.append(2) }, commit: {})
      await list.load(when: .stale)
      expectEqual(list.value, [1, 2])
      expect(!list.isStale)
    }

    @Test("12.1 a stored value that is fresh enough is the answer, and nothing is requested; one without a value, too")
    func fresh() async {
      for value in [7, nil] {
        let stage = stage()
        stage.store?.put(value, for: 1, age: .seconds(30))
        await expectEqual(stage.family[1].load(when: .stale).word, value == nil ? "fresh, nothing" : "fresh 7")
        let words = SnapshotParts(stage.family[1].snapshot).description
        expectEqual(words, value == nil ? "- set provisional" : "7 set provisional")
        expectEqual(stage.family[1].data.age, .seconds(30), "\(words)")
        expect(stage.requests.isEmpty, "\(words)")
      }
    }

    @Test(
      "12.1 a stored value that is too old is displayed, provisional, until the load confirms it",
      arguments: [
        Duration.seconds(60), .seconds(61), nil, .seconds(-5),
      ])
    func old(age: Duration?) async {
      let stage = stage()
      stage.store?.put(7, for: 1, age: age)
      let load = stage.family[1].start(when: .stale)
      await stage.gate.arrived(1)
      expectEqual(SnapshotParts(stage.family[1].snapshot).description, "7 set refresh provisional")
      expectEqual(stage.family[1].data.age, (age == nil || age! < .zero ? nil : age))
      stage.answer(1, 8)
      await expectEqual(load.outcome().word, "value 8")
      expectEqual(SnapshotParts(stage.family[1].snapshot).description, "8 set")
      expectEqual(stage.family[1].data.age, .zero)
    }

    @Test("12.1 the age grows while the value is stored, and is handed over when a write waits")
    func ageWhileStored() async {
      let stage = stage()
      let writes = ManualServer<Void>()
      stage.store?.writes = writes
      await stage.load(1, 7)
      await writes.arrived(1)
      stage.family[1].data.value = 8
      await stage.clock.advance(by: .seconds(10))
      writes.answer(call: 1, with: .success(()))
      writes.answer(call: 2, with: .success(()))
      await stage.family.settled()
      await stage.clock.advance(by: .seconds(5))
      expectEqual(stage.store?[1], StoredValue(8, age: .seconds(15)))
      stage.makeFamily(staleAfter: .seconds(60), keepUnused: .max)
      await expectEqual(stage.family[1].load(when: .stale).word, "fresh 8")
      expectEqual(stage.family[1].data.age, .seconds(15))
    }

    @Test("12.1, 14.2 settled waits for the read that runs beside a load")
    func settledBeside() async {
      let stage = stage().hold(1)
      let reads = stage.holdReads()
      for call in 1...3 {
        let load = stage.held[1]!.start()
        await reads.arrived(call)
        stage.fail(1)
        await expectEqual(load.outcome().word, "failure failure")
        var isSettled = false
        let settling = Waiting {
          await stage.family.settled()
          isSettled = true
        }
        await settling.begun()
        expect(!isSettled)
        reads.answer(call: call, with: .failure(Failure()))
        await settling.end()
      }
      // A read that has failed is repeated.
      expectEqual(reads.callCount, 3)
    }

    @Test(
      "12.1 a held entry reads the store once: loads share a read that runs, and none is made when it has succeeded")
    func readsOnce() async {
      let stage = stage().hold(1)
      let reads = stage.holdReads()
      stage.store?.put(7, for: 1, age: .seconds(30))
      let first = stage.held[1]!.start(when: .stale)
      await reads.arrived(1)
      let second = stage.held[1]!.reload()
      await expectEqual(first.outcome().word, "superseded")
      await stage.gate.arrived(1)
      second.cancel()
      let third = stage.held[1]!.start(when: .stale)
      reads.answer(call: 1, with: .success(()))
      await expectEqual(third.outcome().word, "fresh 7")
      stage.held[1]?.reset()
      stage.answer(1, 8)
      await expectEqual(stage.held[1]?.load(when: .stale).word, "value 8")
      await stage.family.settled()
      expectEqual(reads.callCount, 1)
      expectEqual(stage.requests, [1, 1])
    }

    @Test(
      "12.2 a read from before a reset does not count for a load that begins after it, which reads again",
      arguments: [false, true])
    func readFromBefore(hasReturned: Bool) async {
      let stage = stage().hold(1)
      let reads = stage.holdReads()
      stage.store?.put(7, for: 1, age: .seconds(30))
      stage.held[1]!.start(when: .stale)
      await reads.arrived(1)
      stage.held[1]?.reset()
      if hasReturned {
        for call in 1...2 { reads.answer(call: call, with: .success(())) }
        await stage.family.settled()
        expectNil(stage.held[1]?.value)
      }
      let load = stage.held[1]!.start(when: .stale)
      if !hasReturned {
        await reads.arrived(2)
        for call in 1...2 { reads.answer(call: call, with: .success(())) }
      }
      await expectEqual(load.outcome().word, "fresh 7")
      expectEqual(stage.requests, [])
    }

    @Test(
      "12.2, 3.19, 3.21 a change during the read, over nothing: what is read is displayed, and is stale",
      arguments: ["update", "mutate"], [false, true])
    func changedDuringRead(change: String, isCancelled: Bool) async {
      let stage = stage().hold(1)
      let reads = stage.holdReads()
      stage.store?.put(7, for: 1)
      let number = stage.family[1]
      let load = number.start(when: .stale)
      await reads.arrived(1)
      if isCancelled { load.cancel() }
      if change == "update" { number.update { $0 += 1 } } else { await number.mutate({ $0 += 1 }, commit: {}) }
      reads.answer(call: 1, with: .success(()))
      for await value in number.observed.map(\.value).values where value != nil { break }
      expectEqual(number.value, isCancelled ? 7 : 8)
      expect(number.isStale)
      load.cancel()
      // That of the mark.
      reads.answer(call: 2, with: .success(()))
      await stage.family.settled()
      expectEqual(stage.store?[1]?.isInvalidated, true)
    }

    @Test("12.4, 3.21 a value whose mark the store could not save is found, and is stale", arguments: [false, true])
    func unsavedMark(canPeek: Bool) async {
      let stage = stage()
      stage.store?.put(7, for: 1)
      stage.store?.writeError = Failure()
      stage.family[1].update { $0 += 1 }
      await stage.family.settled()
      stage.family.trim(toIdle: 0)
      stage.store?.canPeek = canPeek
      let number = stage.family[1]
      let load = number.start(when: .stale)
      for await value in number.observed.map(\.value).values where value != nil { break }
      expectEqual(number.value, 7)
      expect(number.isStale)
      load.cancel()
    }

    @Test("12.1 callers that share a load while the store is read: one that wants a request has it, and there is one")
    func sharedRead() async {
      let stage = stage()
      let reads = ManualServer<Void>()
      stage.store?.reads = reads
      stage.store?.put(7, for: 1, age: .seconds(30))
      let lax = stage.family[1].start(when: .stale)
      let strict = stage.family[1].start(when: .always)
      reads.answer(call: 1, with: .success(()))
      await stage.gate.arrived(1)
      stage.answer(1, 8)
      await expectEqual(lax.outcome().word, "value 8")
      await expectEqual(strict.outcome().word, "value 8")
      expectEqual(stage.requests, [1])
    }

    @Test("3.10, 12.1 no time runs while a request waits for room, though the store is read again meanwhile")
    func readWhileWaiting() async {
      let (clock, gate, server) = (ManualClock(), LoadGate(width: 1), ManualServer<Int?>())
      let (store, reads) = (MemoryStore<Int, Int>(clock: clock), ManualServer<Void>())
      store.reads = reads
      let retry = RetryPolicy { _ in .seconds(1) }
      let family = AsyncFamily<Int, Int>(
        options: LoadOptions(retry: retry, timeout: .seconds(5), clock: clock, gate: gate), store: store
      ) { key in try await server.wait(for: key) }
      let other = AsyncResource(options: LoadOptions(gate: gate)) { try await server.wait(for: 0) }
      reads.answer(call: 1, with: .failure(Failure()))
      let load = family[1].start(when: .stale)
      await server.arrived(1)
      other.start()
      server.answer(call: 1, with: .failure(Failure()))
      await server.arrived(2)
      await clock.advance(by: .seconds(1), sleepersAtLeast: 2)
      await reads.arrived(2)
      await clock.advance(by: .seconds(60))
      // And once more, before the second attempt.
      for call in 2...3 { reads.answer(call: call, with: .failure(Failure())) }
      server.answer(call: 2, with: .success(0))
      server.answer(call: 3, with: .success(8))
      await expectEqual(load.outcome().word, "value 8")
      await family.settled()
    }

    @Test("12.4 a cache that cannot be read is as if nothing were stored, and nothing is removed")
    func cacheReadFails() async {
      let stage = stage().hold(1)
      stage.store?.put(7, for: 1)
      stage.store?.readError = Failure()
      stage.fail(1)
      await expectEqual(stage.family[1].load(when: .stale).word, "failure failure")
      expectEqual(stage.store?[1]?.value, 7)
      stage.store?.readError = nil
      // It may be read another time.
      let load = stage.family[1].start(when: .stale)
      await stage.gate.arrived(2)
      expectEqual(stage.family[1].value, 7)
      stage.answer(1, 8)
      await expectEqual(load.outcome().word, "value 8")
    }

    @Test("12.1 restore displays what is newer, and replaces what is provisional and as old")
    func restore() async {
      let stage = stage().hold(1)
      let family = stage.family!
      let rows: [(value: Int, age: Duration?, displayed: Int)] = [
        (1, .seconds(30), 1), (2, .seconds(31), 1), (3, .seconds(30), 3), (4, nil, 3), (5, .seconds(10), 5),
      ]
      for (value, age, displayed) in rows {
        family.restore(StoredValue(value, age: age), for: 1)
        expectEqual(SnapshotParts(family[1].snapshot).description, "\(displayed) set provisional")
      }
      await stage.load(1, 6)
      family.restore(StoredValue(7, age: .zero), for: 1)
      expectEqual(family[1].value, 6)
      await stage.clock.advance(by: .seconds(10))
      family.restore(StoredValue(8, age: .seconds(9)), for: 1)
      expectEqual(SnapshotParts(family[1].snapshot).description, "8 set provisional")
      expectEqual(family[1].data.age, .seconds(9))
      await family.settled()
      expectEqual(stage.store?.written, [1])
    }

    @Test(
      "12.2 a read that ends late overwrites neither an answer, nor a yield, nor a write, nor a forget",
      arguments: 0..<4)
    func lateRead(cause: Int) async throws {
      let stage = stage().hold(1)
      let reads = stage.holdReads()
      stage.store?.put(7, for: 1)
      let load = stage.family[1].start()
      await stage.gate.arrived(1)
      await reads.arrived(1)
      let yielding = cause == 2 ? stage.family[1].data.begin(.refresh) : nil
      switch cause {
      case 0: stage.answer(1, 8)
      case 1: stage.family[1].data.value = 8
      case 2: yielding?.yield(8)
      default: try await stage.family.forget(1)
      }
      _ = await load.outcome()
      reads.answer(call: 1, with: .success(()))
      await reads.ended(1)
      expectEqual(stage.family[1].value, (cause == 3 ? nil : 8))
      yielding?.succeed(with: 8)
      await stage.family.settled()
      expectEqual(stage.family[1].value, (cause == 3 ? nil : 8))
      expect(!stage.family[1].snapshot.isProvisional)
    }
  }
}
