import AsyncState
import AsyncStateTesting
import Testing

@Suite("12 ValueStore", .timeLimit(.minutes(5)))
@MainActor
struct FamilyStoreTests {
  private func stage(_ role: StoreRole = .cache, staleAfter: Duration? = .seconds(60)) -> FamilyStage {
    FamilyStage(staleAfter: staleAfter, keepIdle: .max, hasStore: true, role: role)
  }

  /// Sets the value of entry 1.
  ///
  /// - Returns: What its write waits for, which has begun.
  private func beginWriting(_ value: Int, _ stage: FamilyStage, ignoresCancellation: Bool = false) async -> Gate<Void> {
    let writes = Gate<Void>(ignoresCancellation: ignoresCancellation)
    stage.store?.writes = writes
    stage.family[1].data.value = value
    await writes.arrived(1)
    return writes
  }

  // MARK: 12.1

  @Test(
    "12.1 a stored value that is fresh enough is the answer, and nothing is requested",
    arguments: [
      LoadCondition.stale, .olderThan(.seconds(31)),
    ])
  func fresh(condition: LoadCondition) async {
    let stage = stage()
    stage.store?.put(7, for: 1, age: .seconds(30))
    #expect(await stage.family[1].load(when: condition).word == "fresh 7")
    #expect(Facts(stage.family[1].snapshot).description == "7 set provisional")
    #expect(stage.family[1].data.age == .seconds(30))
    #expect(stage.requests.isEmpty)
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
    #expect(Facts(stage.family[1].snapshot).description == "7 set refresh provisional")
    #expect(stage.family[1].data.age == (age == nil || age! < .zero ? nil : age))
    stage.answer(1, 8)
    #expect(await load.outcome().word == "value 8")
    #expect(Facts(stage.family[1].snapshot).description == "8 set")
    #expect(stage.family[1].data.age == .zero)
  }

  @Test("12.1 a stored value that was invalidated is stale for every limit")
  func invalidated() async {
    let stage = stage()
    stage.store?.put(7, for: 1, isInvalidated: true)
    let load = stage.family[1].start(when: .olderThan(.seconds(1_000)))
    await stage.gate.arrived(1)
    #expect(stage.family[1].snapshot.isInvalidated)
    stage.answer(1, 8)
    #expect(await load.outcome().word == "value 8")
    #expect(!stage.family[1].snapshot.isInvalidated)
  }

  @Test("12.1 a stored answer without a value is an answer")
  func storedNothing() async {
    let stage = stage()
    stage.store?.put(nil, for: 1)
    #expect(await stage.family[1].load(when: .stale).word == "fresh, nothing")
    #expect(stage.family[1].snapshot.isSettled)
  }

  @Test("12.1 what a store knows at once is displayed from the first moment")
  func peek() {
    let stage = stage()
    stage.store?.canPeek = true
    stage.store?.put(7, for: 1, age: .seconds(10))
    stage.hold(1)
    #expect(stage.family[1].value == 7)
    #expect(stage.family[1].data.age == .seconds(10))
    #expect(stage.store?.readCount == 0)
  }

  @Test("12.1 the age goes on while the value is stored, and is handed over when a write waits")
  func ageWhileStored() async {
    let stage = stage()
    let writes = Gate<Void>()
    stage.store?.writes = writes
    await stage.load(1, 7)
    await writes.arrived(1)
    stage.family[1].data.value = 8
    await stage.clock.advance(by: .seconds(10))
    writes.answer(call: 1, with: .success(()))
    writes.answer(call: 2, with: .success(()))
    await stage.family.settled()
    await stage.clock.advance(by: .seconds(5))
    #expect(stage.store?[1] == StoredValue(8, age: .seconds(15)))
    stage.makeFamily(staleAfter: .seconds(60), keepIdle: .max)
    #expect(await stage.family[1].load(when: .olderThan(.seconds(16))).word == "fresh 8")
    #expect(stage.family[1].data.age == .seconds(15))
  }

  @Test("12.1 a request in any case does not wait for the store")
  func atOnce() async {
    let stage = stage()
    let reads = Gate<Void>()
    stage.store?.reads = reads
    stage.store?.put(7, for: 1)
    let load = stage.family[1].start()
    await stage.gate.arrived(1)
    await reads.arrived(1)
    reads.answer(call: 1, with: .success(()))
    await reads.ended(1)
    stage.answer(1, 8)
    #expect(await load.outcome().word == "value 8")
    await stage.family.settled()
    #expect(stage.family[1].value == 8)
  }

  @Test("12.1, 14.2 settled waits for each read that runs beside a load")
  func settledBeside() async {
    let stage = stage().hold(1)
    let reads = Gate<Void>(ignoresCancellation: true)
    stage.store?.reads = reads
    for call in 1...3 {
      let load = stage.held[1]!.start()
      await reads.arrived(call)
      stage.fail(1)
      #expect(await load.outcome().word == "failure failure")
      var isSettled = false
      let settling = Waiting {
        await stage.family.settled()
        isSettled = true
      }
      await settling.begun()
      #expect(!isSettled)
      reads.answer(call: call, with: .failure(Failure()))
      await settling.end()
    }
    #expect(reads.callCount == 3)
  }

  @Test("12.1 callers that share a load while the store is read: the shortest limit counts, and there is one request")
  func sharedRead() async {
    let stage = stage()
    let reads = Gate<Void>()
    stage.store?.reads = reads
    stage.store?.put(7, for: 1, age: .seconds(30))
    let lax = stage.family[1].start(when: .olderThan(.seconds(40)))
    let strict = stage.family[1].start(when: .olderThan(.seconds(20)))
    reads.answer(call: 1, with: .success(()))
    await stage.gate.arrived(1)
    stage.answer(1, 8)
    #expect(await lax.outcome().word == "value 8")
    #expect(await strict.outcome().word == "value 8")
    #expect(stage.requests == [1])
  }

  // MARK: restore

  @Test("12.1 restore displays what is newer, and replaces what is provisional and as old")
  func restore() async {
    let stage = stage().hold(1)
    let family = stage.family!
    family.restore(StoredValue(1, age: .seconds(30)), for: 1)
    #expect(Facts(family[1].snapshot).description == "1 set provisional")
    family.restore(StoredValue(2, age: .seconds(31)), for: 1)
    #expect(family[1].value == 1)
    family.restore(StoredValue(3, age: .seconds(30)), for: 1)
    #expect(family[1].value == 3)
    family.restore(StoredValue(4, age: nil), for: 1)
    #expect(family[1].value == 3)
    family.restore(StoredValue(5, age: .seconds(10)), for: 1)
    #expect(family[1].value == 5)
    await stage.load(1, 6)
    family.restore(StoredValue(7, age: .zero), for: 1)
    #expect(family[1].value == 6)
    await stage.clock.advance(by: .seconds(10))
    family.restore(StoredValue(8, age: .seconds(9)), for: 1)
    #expect(Facts(family[1].snapshot).description == "8 set provisional")
    #expect(family[1].data.age == .seconds(9))
    await family.settled()
    #expect(stage.store?.written == [1])
  }

  @Test("12.1 a stored value that a tag was invalidated for since its answer is marked")
  func invalidatedMeanwhile() async {
    let stage = FamilyStage(
      staleAfter: .seconds(60), keepIdle: 0, board: AsyncTagBoard(), tags: { key, _ in [AsyncTag("key", key)] },
      hasStore: true)
    for key in 1...2 { await stage.load(key, key) }
    await stage.family.settled()
    await stage.clock.advance(by: .seconds(1))
    // Neither is in memory any more.
    #expect(stage.keys.isEmpty)
    stage.board?.invalidate(AsyncTag("key", 1))
    await stage.clock.advance(by: .seconds(1))
    #expect(await stage.family[2].load(when: .stale).word == "fresh 2")
    stage.answer(1, 11)
    #expect(await stage.family[1].load(when: .stale).word == "value 11")
    await stage.family.settled()
    await stage.clock.advance(by: .seconds(1))
    #expect(await stage.family[1].load(when: .stale).word == "fresh 11")
  }

  // MARK: 12.2

  @Test("12.2 a read that comes late overwrites neither an answer, nor a write, nor a forget", arguments: 0..<3)
  func lateRead(cause: Int) async throws {
    let stage = stage().hold(1)
    let reads = Gate<Void>(ignoresCancellation: true)
    stage.store?.reads = reads
    stage.store?.put(7, for: 1)
    let load = stage.family[1].start()
    await stage.gate.arrived(1)
    await reads.arrived(1)
    switch cause {
    case 0: stage.answer(1, 8)
    case 1: stage.family[1].data.value = 8
    default: try await stage.family.forget(1)
    }
    _ = await load.outcome()
    reads.answer(call: 1, with: .success(()))
    await stage.family.settled()
    #expect(stage.family[1].value == (cause == 2 ? nil : 8))
    #expect(!stage.family[1].snapshot.isProvisional)
  }

  @Test("12.2 a read that a forget does not end is dropped")
  func lateAfterForget() async throws {
    let stage = stage().hold(1)
    let reads = Gate<Void>(ignoresCancellation: true)
    stage.store?.reads = reads
    stage.store?.put(7, for: 1)
    let load = stage.held[1]!.start()
    await reads.arrived(1)
    try await stage.family.forget(1)
    #expect(await load.outcome().word == "cancelled")
    // As if it had been read before it was removed.
    stage.store?.put(7, for: 1)
    reads.answer(call: 1, with: .success(()))
    await stage.family.settled()
    #expect(stage.held[1]?.snapshot.isIdle == true)
    #expect(stage.held[1]?.value == nil)
  }

  @Test("12.2 a read that comes after a yielded value is dropped")
  func lateReadAfterYield() async {
    let clock = ManualClock()
    let store = MemoryStore<Int, Int>(clock: clock)
    store.put(7, for: 1)
    let reads = Gate<Void>()
    store.reads = reads
    let gate = Gate<Int?>()
    let family = AsyncFamily<Int, Int>(keepIdle: .max, clock: clock, store: store) { _, reporter in
      try reporter.yield(8)
      return try await gate.wait()
    }
    let load = family[1].start()
    await gate.arrived(1)
    await reads.arrived(1)
    reads.answer(call: 1, with: .success(()))
    await reads.ended(1)
    #expect(family[1].value == 8)
    gate.answer(call: 1, with: .success(9))
    _ = await load.outcome()
    await family.settled()
    #expect(family[1].value == 9)
  }

  // MARK: 12.3

  @Test("12.3 only confirmed values are written: no yields, no changes that are pending")
  func confirmed() async {
    let store = MemoryStore<Int, Int>()
    let gate = Gate<Int?>()
    let family = AsyncFamily<Int, Int>(keepIdle: .max, store: store) { _, reporter in
      try reporter.yield(5)
      return try await gate.wait()
    }
    let load = family[1].start()
    await gate.arrived(1)
    #expect(store.written.isEmpty)
    gate.answer(call: 1, with: .success(6))
    _ = await load.outcome()
    await family.settled()
    #expect(store[1]?.value == 6)
    let commit = Gate<Void>()
    let mutation = Waiting { await family[1].data.mutate({ $0 += 10 }) { try await commit.wait() }.word }
    await commit.arrived(1)
    #expect(family[1].value == 16)
    #expect(store.written == [1])
    commit.answer(call: 1, with: .success(()))
    #expect(await mutation.end() == "value 16")
    await family.settled()
    #expect(store[1]?.value == 16)
    #expect(store.written == [1, 1])
  }

  @Test("12.3 writes of one key run one after another, and only the newest waits")
  func order() async {
    let stage = stage().hold(1)
    let writes = Gate<Void>()
    stage.store?.writes = writes
    for value in 1...5 { stage.family[1].data.value = value }
    await writes.arrived(1)
    writes.answer(call: 1, with: .success(()))
    await writes.arrived(2)
    #expect(stage.store?[1]?.value == 1)
    writes.answer(call: 2, with: .success(()))
    await stage.family.settled()
    #expect(stage.store?[1]?.value == 5)
    #expect(stage.store?.written == [1, 1])
  }

  @Test("12.3 an invalidation of what the store knew at once is written through")
  func invalidatesPeeked() async {
    let stage = stage()
    stage.store?.canPeek = true
    stage.store?.put(7, for: 1)
    stage.hold(1)
    #expect(stage.held[1]?.value == 7)
    stage.held[1]?.invalidate()
    await stage.family.settled()
    #expect(stage.store?[1]?.isInvalidated == true)
    #expect(stage.store?[1]?.value == 7)
  }

  @Test("12.3 an invalidation does not store what was restored, though the value before was the stored one")
  func invalidatesRestored() async {
    let stage = stage().hold(1)
    stage.store?.put(7, for: 1, age: .seconds(30))
    #expect(await stage.held[1]?.load(when: .stale).word == "fresh 7")
    stage.family.restore(StoredValue(8, age: .seconds(5)), for: 1)
    #expect(stage.held[1]?.value == 8)
    stage.held[1]?.invalidate()
    await stage.family.settled()
    #expect(stage.store?[1]?.value == 7)
    #expect(stage.store?[1]?.isInvalidated == false)
  }

  @Test("12.3 an invalidation of what is in memory is written through")
  func writesInvalidation() async {
    let stage = stage().hold(1)
    await stage.load(1, 7)
    stage.family.invalidate(where: { _ in true })
    await stage.family.settled()
    #expect(stage.store?[1] == StoredValue(7, age: .zero, isInvalidated: true))
  }

  // MARK: 12.4

  @Test("12.4 a cache: the value changes, then it is written; a write that fails leaves it unsaved until one succeeds")
  func cacheWriteFails() async {
    let stage = stage().hold(1)
    stage.store?.writeError = Failure()
    #expect(await stage.family[1].start().word(after: { stage.answer(1, 7) }) == "value 7")
    await stage.family.settled()
    #expect(stage.family[1].value == 7)
    #expect(stage.family[1].error == nil)
    #expect(stage.entry(1)?.isUnsaved == true)
    stage.store?.writeError = nil
    await stage.load(1, 7)
    await stage.family.settled()
    #expect(stage.entry(1)?.isUnsaved == false)
    #expect(stage.store?[1]?.value == 7)
  }

  @Test("12.4 a source of truth: the answer is written before it is displayed")
  func truthWritesFirst() async {
    let stage = stage(.truth).hold(1)
    let writes = Gate<Void>()
    stage.store?.writes = writes
    let load = stage.family[1].start()
    stage.answer(1, 7)
    await writes.arrived(1)
    #expect(stage.family[1].value == nil)
    #expect(stage.family[1].isRunning)
    writes.answer(call: 1, with: .success(()))
    #expect(await load.outcome().word == "value 7")
    await stage.family.settled()
    #expect(stage.store?.written == [1])
  }

  @Test("12.4 a source of truth: a write that fails fails the load and keeps the old value")
  func truthWriteFails() async {
    let stage = stage(.truth).hold(1)
    await stage.load(1, 7)
    stage.store?.writeError = Failure()
    stage.answer(1, 8)
    #expect(await stage.family[1].load(.refresh).word == "failure failure")
    #expect(stage.family[1].value == 7)
    #expect(stage.family[1].error is Failure)
    await stage.family.settled()
    #expect(stage.store?[1]?.value == 7)
  }

  @Test("12.4 a value set by hand changes at once and is then written", arguments: [StoreRole.cache, .truth])
  func setByHand(role: StoreRole) async {
    let stage = stage(role).hold(1)
    let writes = Gate<Void>()
    stage.store?.writes = writes
    stage.family[1].data.value = 3
    #expect(stage.family[1].value == 3)
    writes.answer(call: 1, with: .success(()))
    await stage.family.settled()
    #expect(stage.store?[1]?.value == 3)
  }

  @Test("12.4 a value set by hand while the source of truth writes an answer is what is stored in the end")
  func setDuringTruthWrite() async {
    let stage = stage(.truth).hold(1)
    let writes = Gate<Void>(ignoresCancellation: true)
    stage.store?.writes = writes
    let load = stage.family[1].start()
    stage.answer(1, 7)
    await writes.arrived(1)
    stage.family[1].data.value = 9
    #expect(await load.outcome().word == "superseded")
    writes.answer(call: 1, with: .success(()))
    await writes.arrived(2)
    writes.answer(call: 2, with: .success(()))
    await stage.family.settled()
    #expect(stage.family[1].value == 9)
    #expect(stage.store?[1]?.value == 9)
  }

  @Test("12.4 what an answer's write has replaced is stored if that fails")
  func replacedWrite() async {
    let stage = stage(.truth).hold(1)
    let data = stage.held[1]!.data
    let writes = await beginWriting(3, stage)
    data.value = 4
    let load = stage.held[1]!.start(.refresh)
    stage.answer(1, 5)
    await stage.gate.ended(1)
    writes.answer(call: 1, with: .success(()))
    await writes.arrived(2)
    writes.answer(call: 2, with: .failure(Failure()))
    #expect(await load.outcome().word == "failure failure")
    await writes.arrived(3)
    writes.answer(call: 3, with: .success(()))
    await stage.family.settled()
    #expect(data.value == 4)
    #expect(stage.store?[1]?.value == 4)
  }

  @Test("12.4 what is confirmed while an answer waits for its write is stored if that fails", arguments: [false, true])
  func confirmedMeanwhile(fails: Bool) async {
    let stage = stage(.truth).hold(1)
    let data = stage.held[1]!.data
    let writes = await beginWriting(3, stage)
    let load = stage.held[1]!.start(.refresh)
    stage.answer(1, 5)
    await stage.gate.ended(1)
    // Its write waits behind the one that runs.
    #expect(await data.mutate({ $0 += 10 }) {}.word == "value 13")
    writes.answer(call: 1, with: .success(()))
    await writes.arrived(2)
    writes.answer(call: 2, with: fails ? .failure(Failure()) : .success(()))
    #expect(await load.outcome().word == (fails ? "failure failure" : "value 5"))
    await writes.arrived(3)
    writes.answer(call: 3, with: .success(()))
    await stage.family.settled()
    #expect(data.value == (fails ? 13 : 15))
    #expect(stage.store?[1]?.value == (fails ? 13 : 15))
    #expect(stage.entry(1)?.isUnsaved == false)
  }

  @Test("12.5 a cache that cannot be read is as if nothing were stored, and nothing is removed")
  func cacheReadFails() async {
    let stage = stage().hold(1)
    stage.store?.put(7, for: 1)
    stage.store?.readError = Failure()
    stage.fail(1)
    #expect(await stage.family[1].load(when: .stale).word == "failure failure")
    #expect(stage.store?[1]?.value == 7)
    stage.store?.readError = nil
    // It may be read another time.
    let load = stage.family[1].start(when: .stale)
    await stage.gate.arrived(2)
    #expect(stage.family[1].value == 7)
    stage.answer(1, 8)
    #expect(await load.outcome().word == "value 8")
  }

  @Test("12.5 a source of truth that cannot be read fails the load", arguments: [LoadCondition.always, .stale])
  func truthReadFails(condition: LoadCondition) async {
    let stage = stage(.truth).hold(1)
    stage.store?.put(7, for: 1)
    stage.store?.readError = Failure()
    #expect(await stage.family[1].load(when: condition).word == "failure failure")
    #expect(stage.requests.isEmpty)
    #expect(stage.store?[1]?.value == 7)
  }

  @Test("12.5 eviction leaves the store alone")
  func eviction() async {
    let stage = FamilyStage(staleAfter: .seconds(60), hasStore: true)
    await stage.load(1, 7)
    await stage.family.settled()
    #expect(stage.keys.isEmpty)
    #expect(stage.store?[1]?.value == 7)
    #expect(await stage.family[1].load(when: .stale).word == "fresh 7")
  }

  @Test("12.5 forget discards the write that waits, and the removal follows the one that runs")
  func forgetWhileWriting() async throws {
    let stage = stage().hold(1)
    let writes = await beginWriting(1, stage, ignoresCancellation: true)
    stage.family[1].data.value = 2
    let forgetting = Waiting { try? await stage.family.forget(1) }
    await forgetting.begun()
    #expect(stage.family[1].snapshot.isIdle)
    writes.answer(call: 1, with: .success(()))
    await forgetting.end()
    await stage.family.settled()
    #expect(stage.store?.keys == [])
    #expect(stage.store?.written == [1])
  }

  /// A store that removes nothing for a task that is cancelled.
  private final class CancellableStore: ValueStore {
    var values: Set<Int> = [1, 2]

    func read(_ key: Int, isolation: isolated (any Actor)?) async throws -> StoredValue<Int>? { nil }
    func write(_ stored: StoredValue<Int>, for key: Int, isolation: isolated (any Actor)?) async throws {}
    func remove(_ key: Int, isolation: isolated (any Actor)?) async throws {
      try Task.checkCancellation()
      values.remove(key)
    }
    func removeAll(isolation: isolated (any Actor)?) async throws {
      try Task.checkCancellation()
      values = []
    }
  }

  @Test("12.5 what is forgotten is removed though the caller is cancelled", arguments: [false, true])
  func forgetWhenCancelled(all: Bool) async throws {
    let store = CancellableStore()
    let family = AsyncFamily<Int, Int>(store: store) { $0 }
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      if all { try await family.forgetAll() } else { try await family.forget(1) }
    }
    try await task.value
    #expect(store.values == (all ? [] : [2]))
  }

  @Test("12.5 what is requested of a key after a forget waits for the removal")
  func afterForget() async throws {
    let stage = stage().hold(1)
    stage.store?.put(7, for: 1)
    let removals = Gate<Void>()
    stage.store?.removals = removals
    let forgetting = Waiting { try? await stage.family.forget(1) }
    await removals.arrived(1)
    stage.family[1].data.value = 3
    #expect(stage.store?.written == [])
    removals.answer(call: 1, with: .success(()))
    await forgetting.end()
    await stage.family.settled()
    #expect(stage.store?[1]?.value == 3)
  }

  @Test("12.5 what is requested of any key after forgetAll waits for the removal, and that for what was before")
  func afterForgetAll() async throws {
    let stage = stage().hold(1, 2)
    let writes = Gate<Void>(ignoresCancellation: true)
    let removals = Gate<Void>()
    stage.store?.writes = writes
    stage.store?.removals = removals
    stage.family[1].data.value = 1
    await writes.arrived(1)
    let forgetting = Waiting { try? await stage.family.forgetAll() }
    await forgetting.begun()
    stage.family[2].data.value = 2
    writes.answer(call: 1, with: .success(()))
    await removals.arrived(1)
    #expect(stage.store?.written == [1])
    removals.answer(call: 1, with: .success(()))
    writes.answer(call: 2, with: .success(()))
    await forgetting.end()
    await stage.family.settled()
    #expect(stage.store?.written == [1, 2])
    #expect(stage.store?.keys == [2])
  }

  @Test("12.5 forgetAll discards the writes that wait, and the removal follows those that run")
  func forgetAllWhileWriting() async throws {
    let stage = stage().hold(1, 2)
    let writes = Gate<Void>(ignoresCancellation: true)
    stage.store?.writes = writes
    for key in 1...2 {
      stage.family[key].data.value = 1
      stage.family[key].data.value = 2
    }
    await writes.arrived(2)
    let forgetting = Waiting { try? await stage.family.forgetAll() }
    await forgetting.begun()
    for call in 1...2 { writes.answer(call: call, with: .success(())) }
    await forgetting.end()
    await stage.family.settled()
    #expect(stage.store?.written.sorted() == [1, 2])
    #expect(stage.store?.keys == [])
  }

  @Test("12.5 a key whose removal failed reads as not stored until a write succeeds", arguments: [false, true])
  func removalFails(isAll: Bool) async throws {
    let stage = FamilyStage(staleAfter: .seconds(60), hasStore: true)
    stage.store?.put(7, for: 1)
    stage.store?.removalError = Failure()
    await #expect(throws: Failure.self) {
      if isAll { try await stage.family.forgetAll() } else { try await stage.family.forget(1) }
    }
    stage.store?.canPeek = true
    #expect(stage.family[1].value == nil)
    stage.store?.canPeek = false
    stage.answer(1, 8)
    #expect(await stage.family[1].load(when: .stale).word == "value 8")
    await stage.family.settled()
    #expect(await stage.family[1].load(when: .stale).word == "fresh 8")
  }

  @Test("12.5 two removals are both carried out, and a write between them is not")
  func twoForgets() async {
    let stage = stage().hold(1)
    let removals = Gate<Void>()
    stage.store?.removals = removals
    let first = Waiting { try? await stage.family.forget(1) }
    await removals.arrived(1)
    stage.family[1].data.value = 1
    let second = Waiting { try? await stage.family.forget(1) }
    await second.begun()
    for call in 1...2 { removals.answer(call: call, with: .success(())) }
    await first.end()
    await second.end()
    await stage.family.settled()
    #expect(stage.store?.written == [])
  }

  // MARK: Bad stores

  @Test("12.5 a store that always fails, or never returns, does not keep a cache's family from loading")
  func hopeless() async {
    let stage = stage().hold(1)
    stage.store?.readError = Failure()
    stage.store?.writeError = Failure()
    await stage.load(1, 7)
    #expect(stage.family[1].value == 7)
    let never = Gate<Void>(ignoresCancellation: true)
    stage.store?.reads = never
    stage.store?.writes = never
    await stage.load(2, 8)
    #expect(stage.family[2].value == 8)
    stage.release()
    #expect(stage.held[1]?.value == 7)
    for call in 1...2 { never.answer(call: call, with: .success(())) }
  }

  @Test("12.4 a load of a source of truth that never returns can be cancelled, and other keys load")
  func hopelessTruth() async {
    let stage = stage(.truth).hold(1, 2)
    await stage.load(1, 7)
    let never = Gate<Void>(ignoresCancellation: true)
    stage.store?.writes = never
    let load = stage.held[1]!.start(.refresh)
    stage.answer(1, 8)
    await never.arrived(1)
    #expect(stage.held[1]?.value == 7)
    stage.held[1]?.cancel()
    #expect(await load.outcome().word == "cancelled")
    #expect(stage.held[1]?.value == 7)
    stage.store?.writes = nil
    await stage.load(2, 9)
    #expect(stage.held[2]?.value == 9)
    stage.release()
    #expect(stage.held[1]?.value == 7)
    never.answer(call: 1, with: .success(()))
  }

  @Test("10.7 what is held is not stored any more when its family was released, though a write of it runs")
  func heldAfterRelease() async {
    let stage = stage().hold(1)
    let writes = Gate<Void>()
    stage.store?.writes = writes
    let store = stage.store!
    stage.family[1].data.value = 1
    await writes.arrived(1)
    stage.release()
    stage.held[1]?.data.value = 2
    for call in 1...2 { writes.answer(call: call, with: .success(())) }
    await writes.ended(1)
    await stage.held[1]?.settled()
    #expect(store[1]?.value == 1)
    #expect(writes.callCount == 1)
  }

  @Test("12.5 a confirmed value is still written when its family is released before")
  func releasedBeforeWrite() async {
    let stage = stage()
    let writes = Gate<Void>()
    stage.store?.writes = writes
    let store = stage.store!
    let family = stage.family!
    family[1].data.value = 1
    await writes.arrived(1)
    family[1].data.value = 2
    stage.release()
    for call in 1...2 { writes.answer(call: call, with: .success(())) }
    await family.settled()
    #expect(store[1]?.value == 2)
  }
}

extension LoadTask where Value == Int {
  @MainActor
  fileprivate func word(after body: () -> Void) async -> String {
    body()
    return await outcome().word
  }
}
