import AsyncStateTesting
import Testing

@testable import AsyncState

@Suite("10 AsyncFamily", .timeLimit(.minutes(5)))
@MainActor
struct AsyncFamilyTests {
  // MARK: 10.1

  @Test("10.1 equal keys give the same resource as long as it is held, and access requests nothing")
  func sameResource() {
    let stage = FamilyStage().hold(1)
    #expect(stage.family[1] === stage.held[1])
    #expect(stage.family[2] !== stage.held[1])
    #expect(stage.requests.isEmpty)
    #expect(stage.held[1]?.snapshot.isIdle == true)
  }

  @Test("10.1 existing neither makes an entry nor uses one")
  func existing() {
    let stage = FamilyStage(keepIdle: 1)
    #expect(stage.family.existing(1) == nil)
    #expect(stage.keys.isEmpty)
    _ = stage.family[1]
    _ = stage.family[2]
    #expect(stage.family.existing(2) != nil)
    #expect(stage.family.existing(1) == nil)
  }

  @Test("10.1 an observer that is notified of one key may use and forget every key")
  func reentrancy() async {
    let stage = FamilyStage(keepIdle: 2).hold(1, 2)
    let notifications = NotificationCount(stage.family[1])
    notifications.inside = {
      _ = stage.family[3]
      stage.family.prefetch(4)
      stage.family.trim()
      stage.drop(2)
      stage.family.invalidate(where: { $0 == 2 })
    }
    stage.answer(4, 4)
    await stage.load(1, 1)
    await stage.family.settled()
    #expect(stage.family[1].value == 1)
    #expect(stage.family[4].value == 4)
  }

  // MARK: 10.2

  @Test("10.2 an entry that is not held is never seen again, with keepIdle zero", arguments: [0, -3])
  func keepsNone(keepIdle: Int) async {
    let stage = FamilyStage(keepIdle: keepIdle).hold(1)
    await stage.load(1, 1)
    #expect(stage.keys == [1])
    stage.drop(1)
    #expect(stage.family.existing(1) == nil)
    #expect(stage.family[1].value == nil)
  }

  @Test("10.2 the idle entries that were used last are kept, and what was beyond the limit never comes back")
  func keepsSome() async {
    let stage = FamilyStage(keepIdle: 2)
    for key in 1...3 { await stage.load(key, key) }
    // The first one is beyond the limit, whatever becomes of the others.
    stage.hold(3)
    #expect(stage.family.existing(1) == nil)
    #expect(stage.family[2].value == 2)
    #expect(stage.keys == [2, 3])
  }

  @Test("10.2 what is beyond the limit when another entry leaves the idle ones never comes back")
  func beyondOnce() async {
    let stage = FamilyStage(keepIdle: 1)
    for key in 1...2 { await stage.load(key, key) }
    // The second is not idle any more, but the first was beyond the limit before.
    stage.hold(2)
    #expect(stage.family[1].value == nil)
  }

  private final class Name: Hashable {
    let text: String
    init(_ text: String) { self.text = text }
    static func == (lhs: Name, rhs: Name) -> Bool { lhs.text == rhs.text }
    func hash(into hasher: inout Hasher) { hasher.combine(text) }
  }

  @Test("10.2 the entry of a key object that was evicted can be made again, with the same object and an equal one")
  func keyObjects() {
    let family = AsyncFamily<Name, Int>(keepIdle: 1) { _ in 1 }
    let name = Name("a")
    var held: AsyncResource<Int>? = family[name]
    #expect(family[Name("a")] === held)
    held?.data.value = 5
    held = nil
    #expect(family.trim(toIdle: 0) == 1)
    held = family[Name("a")]
    #expect(held?.value == nil)
    #expect(family[name] === held)
    #expect(family.entries.count == 1)
  }

  @Test("10.2 every idle entry is kept with the largest limit")
  func keepsAll() async {
    let stage = FamilyStage(keepIdle: .max)
    for key in 1...100 { await stage.load(key, key) }
    #expect(stage.family.trim() == 0)
    #expect((1...100).allSatisfy { stage.family[$0].value == $0 })
  }

  @Test("10.2 after trim there are the held ones, the running ones, and the idle ones up to the limit")
  func trim() async {
    let stage = FamilyStage(keepIdle: 3).hold(1, 2)
    stage.family.prefetch(3)
    for key in 10..<20 { _ = stage.family[key] }
    stage.family.trim()
    #expect(stage.keys == [1, 2, 3, 17, 18, 19])
    #expect(stage.family.trim(toIdle: 1) == 2)
    #expect(stage.keys == [1, 2, 3, 19])
    #expect(stage.family.trim(toIdle: .max) == 0)
    #expect(stage.family.trim(toIdle: -1) == 1)
    #expect(stage.keys == [1, 2, 3])
  }

  @Test("10.2 between two trims there are at most twice as many entries, and eight")
  func bound() {
    let stage = FamilyStage(keepIdle: 10)
    var most = 0
    for key in 0..<1_000 {
      _ = stage.family[key]
      most = max(most, stage.family.table.count)
    }
    #expect(most <= 28)
    #expect(stage.family.trim() > 0)
    #expect(stage.family.table.count == 10)
  }

  @Test("10.2 a value that was evicted is released")
  func releases() async {
    final class Thing {}
    let family = AsyncFamily<Int, Thing>(keepIdle: 1) { _ in Thing() }
    weak var first: Thing?
    await family[1].load()
    first = family[1].value
    #expect(first != nil)
    await family[2].load()
    family.trim()
    #expect(first == nil)
  }

  // MARK: 10.3

  @Test("10.3 a running load is not evicted, and then its entry is the one that was used last")
  func running() async {
    let stage = FamilyStage(keepIdle: 1)
    stage.family.prefetch(1)
    await stage.gate.arrived(for: 1)
    _ = stage.family[2]
    #expect(stage.keys == [1, 2])
    stage.answer(1, 1)
    await stage.family.settled()
    #expect(stage.keys == [1])
    #expect(stage.family[1].value == 1)
  }

  @Test("10.3 the answer of a load that no one looks at any more is stored")
  func storesUnseen() async {
    let stage = FamilyStage(hasStore: true)
    stage.family.prefetch(1)
    await stage.gate.arrived(for: 1)
    stage.answer(1, 7)
    await stage.family.settled()
    #expect(stage.store?[1]?.value == 7)
    #expect(stage.keys.isEmpty)
  }

  @Test("10.3 an entry whose store write runs or waits is not idle")
  func writing() async {
    let stage = FamilyStage(hasStore: true)
    let writes = Gate<Void>()
    stage.store?.writes = writes
    await stage.load(1, 7)
    await writes.arrived(1)
    #expect(stage.keys == [1])
    #expect(stage.family[1].value == 7)
    writes.answer(call: 1, with: .success(()))
    await stage.family.settled()
    #expect(stage.keys.isEmpty)
  }

  @Test("10.3 a load that was given up leaves its entry idle")
  func givenUp() async {
    let stage = FamilyStage()
    let loading = Waiting { await stage.family[1].load().word }
    await stage.gate.arrived(1)
    #expect(stage.keys == [1])
    loading.cancel()
    #expect(await loading.end() == "cancelled")
    #expect(stage.keys.isEmpty)
  }

  // MARK: 10.4

  @Test("10.4 invalidate marks the keys that are included before the first is notified, each once")
  func invalidates() async {
    let stage = FamilyStage(keepIdle: .max).hold(1, 2, 3)
    for key in 1...3 { await stage.load(key, key) }
    let counts = (1...3).map { NotificationCount(stage.family[$0]) }
    var marked: [Int] = []
    for count in counts {
      count.inside = { marked.append((1...3).count { stage.family[$0].snapshot.isInvalidated }) }
    }
    stage.family.invalidate(where: { $0 != 2 })
    #expect(counts.map(\.count) == [1, 0, 1])
    #expect(marked == [2, 2])
    #expect(stage.requests.count == 3)
  }

  @Test("10.4 invalidating in a notification is delivered after the others, without recursion")
  func invalidatesInside() async {
    let stage = FamilyStage(keepIdle: .max).hold(1, 2)
    for key in 1...2 { await stage.load(key, key) }
    let counts = (1...2).map { NotificationCount(stage.family[$0]) }
    var rest = 10_000
    counts[0].inside = {
      guard rest > 0 else { return }
      rest -= 1
      stage.family.invalidate(where: { _ in true })
    }
    stage.family.invalidate(where: { _ in true })
    #expect(counts.map(\.count) == [10_001, 10_001])
  }

  @Test("10.4 refreshStale requests what is held, stale, and was requested before")
  func refreshStale() async {
    let stage = FamilyStage(staleAfter: .seconds(10), keepIdle: .max).hold(1, 2, 3)
    for key in [1, 2, 5] { await stage.load(key, key) }
    await stage.clock.advance(by: .seconds(5))
    await stage.load(2, 2)
    await stage.clock.advance(by: .seconds(5))
    let before = stage.requests.count
    stage.family.refreshStale()
    stage.family.refreshStale()
    await stage.gate.arrived(before + 1)
    #expect(stage.requests[before...] == [1])
    #expect(stage.family[1].snapshot.activity?.mode == .refresh)
    stage.answer(1, 11)
    await stage.family.settled()
    #expect(stage.requests.count == before + 1)
  }

  @Test("10.4 prefetch requests what is stale, and nothing else")
  func prefetch() async {
    let stage = FamilyStage(keepIdle: .max)
    stage.family.prefetch(1)
    stage.answer(1, 1)
    await stage.family.settled()
    stage.family.prefetch(1)
    await stage.family.settled()
    #expect(stage.requests == [1])
    #expect(stage.family[1].value == 1)
  }

  @Test("10.4 forget cancels, resets with one notification, and what began before writes nothing")
  func forget() async throws {
    let stage = FamilyStage(hasStore: true).hold(1)
    await stage.load(1, 1)
    await stage.family.settled()
    let loading = stage.family[1].start(.refresh)
    await stage.gate.arrived(2)
    let notifications = NotificationCount(stage.family[1])
    try await stage.family.forget(1)
    #expect(notifications.seen == ["-"])
    stage.answer(1, 2)
    #expect(await loading.outcome().word == "cancelled")
    await stage.family.settled()
    #expect(stage.family[1].snapshot.isIdle)
    #expect(stage.store?.keys == [])
  }

  @Test("1.7, 10.4 a forget is reported to Observation, and nothing is known afterwards")
  func forgetIsObserved() async throws {
    let stage = FamilyStage().hold(1)
    await stage.load(1, 1)
    let resource = stage.family[1]
    let (value, loading) = (ObservationTests.Tracker(), ObservationTests.Tracker())
    value.track { _ = resource.value }
    loading.track { _ = resource.data.isLoading }
    #expect(!resource.data.isLoading)
    try await stage.family.forget(1)
    #expect((value.changes, loading.changes) == (1, 1))
    #expect(resource.value == nil && resource.data.isLoading)
  }

  @Test("10.4 forget of a key that the family does not have removes what is stored")
  func forgetUnknown() async throws {
    let stage = FamilyStage(hasStore: true)
    stage.store?.put(5, for: 1)
    try await stage.family.forget(1)
    #expect(stage.store?.keys == [])
    #expect(stage.keys.isEmpty)
    try await FamilyStage().family.forget(1)
  }

  @Test("10.4 forgetAll marks all before it notifies the first, and removes what is stored for keys it never saw")
  func forgetAll() async throws {
    let stage = FamilyStage(hasStore: true).hold(1, 2, 3)
    stage.store?.put(9, for: 9)
    for key in 1...3 { await stage.load(key, key) }
    let running = (1...3).map { stage.family[$0].start(.refresh) }
    await stage.gate.arrived(6)
    let counts = (1...3).map { NotificationCount(stage.family[$0]) }
    var left: [Int] = []
    for count in counts {
      count.inside = { left.append((1...3).count { !stage.family[$0].snapshot.isIdle }) }
    }
    try await stage.family.forgetAll()
    #expect(counts.map(\.count) == [1, 1, 1])
    #expect(left == [0, 0, 0])
    for load in running { #expect(await load.outcome().word == "cancelled") }
    for key in 1...3 { stage.answer(key, 10) }
    await stage.family.settled()
    #expect(stage.store?.keys == [])
    #expect((1...3).allSatisfy { stage.family[$0].snapshot.isIdle })
  }

  @Test("10.4 a load that is answered by hand while all are forgotten writes nothing")
  func forgetAllByHand() async throws {
    let stage = FamilyStage().hold(1, 2)
    let loads = [1, 2].map { stage.family[$0].data.begin() }
    let counts = [1, 2].map { NotificationCount(stage.family[$0]) }
    for count in counts { count.inside = { for load in loads { load.succeed(with: 5) } } }
    try await stage.family.forgetAll()
    #expect([1, 2].allSatisfy { stage.family[$0].snapshot.isIdle })
    #expect(counts.map(\.count) == [1, 1])
  }

  // MARK: 10.5

  @Test("10.5 invalidations and calls during one load are exactly one more load")
  func oneMore() async {
    let stage = FamilyStage().hold(1)
    let first = stage.family[1].start()
    await stage.gate.arrived(1)
    var later: [LoadTask<Int>] = []
    for _ in 0..<5 {
      stage.family.invalidate(where: { _ in true })
      for _ in 0..<3 { later.append(stage.family[1].start()) }
    }
    stage.answer(1, 1)
    #expect(await first.outcome().word == "value 1")
    await stage.gate.arrived(2)
    stage.answer(1, 2)
    for load in later { #expect(await load.outcome().word == "value 2") }
    #expect(stage.requests == [1, 1])
  }

  @Test("10.5 two callers with different limits each compare their own, and there are never two requests")
  func limits() async {
    let stage = FamilyStage().hold(1)
    await stage.load(1, 1)
    await stage.clock.advance(by: .seconds(10))
    let strict = stage.family[1].start(.refresh, when: .olderThan(.seconds(10)))
    let lax = stage.family[1].start(.refresh, when: .olderThan(.seconds(11)))
    #expect(await lax.outcome().word == "fresh 1")
    let other = stage.family[1].start(.refresh, when: .olderThan(.seconds(5)))
    await stage.gate.arrived(2)
    stage.answer(1, 2)
    #expect(await strict.outcome().word == "value 2")
    #expect(await other.outcome().word == "value 2")
    #expect(stage.requests == [1, 1])
  }

  // MARK: 10.7, 10.8

  @Test("10.7 when the family is released its loads are cancelled, and what is held stays usable")
  func release() async {
    let stage = FamilyStage(keepIdle: .max, board: AsyncTagBoard(), tags: { _, _ in ["all"] }, hasStore: true).hold(1)
    await stage.load(1, 1)
    await stage.family.settled()
    let held = stage.family[1].start(.refresh)
    let unheld = stage.family[2].start()
    await stage.gate.arrived(3)
    stage.release()
    #expect(await held.outcome().word == "cancelled")
    #expect(await unheld.outcome().word == "cancelled")
    #expect(stage.held[1]?.value == 1)
    #expect(stage.held[1]?.isRunning == false)
    stage.board?.invalidate("all")
    #expect(stage.held[1]?.snapshot.isInvalidated == false)
    stage.answer(1, 5)
    #expect(await stage.held[1]?.load().word == "value 5")
    #expect(stage.store?[1]?.value == 1)
  }

  @Test("10.7 a family does not keep its actor alive")
  func actor() async {
    actor Owner {
      lazy var family = AsyncFamily<Int, Int>(isolation: self, keepIdle: 5) { key in key }
      func load() async -> Int? { try? await family[3].load().get() }
    }
    var owner: Owner? = Owner()
    weak let weakOwner = owner
    #expect(await owner?.load() == 3)
    owner = nil
    #expect(weakOwner == nil)
  }

  @Test("10.7 the operation and the store run on the family's actor")
  func operationActor() async {
    actor Owner {
      final class Store: ValueStore {
        private(set) var actors: [(any Actor)?] = []
        func read(_ key: Int, isolation: isolated (any Actor)?) async throws -> StoredValue<Int>? {
          actors.append(isolation)
          isolation?.assertIsolated()
          return nil
        }
        func write(_ stored: StoredValue<Int>, for key: Int, isolation: isolated (any Actor)?) async throws {
          actors.append(isolation)
          isolation?.assertIsolated()
        }
        func remove(_ key: Int, isolation: isolated (any Actor)?) async throws {}
        func removeAll(isolation: isolated (any Actor)?) async throws {}
      }

      func run(role: StoreRole) async -> Bool {
        let store = Store()
        nonisolated(unsafe) var isHere = 0
        weak let owner = self
        let family = AsyncFamily<Int, Int>(isolation: self, keepIdle: 1, store: store, role: role) { key in
          owner?.assertIsolated()
          isHere += 1
          return key
        }
        await family[1].load()
        await family.settled()
        return isHere == 1 && store.actors.count == 2 && store.actors.allSatisfy { $0 === self }
      }
    }
    for role in [StoreRole.cache, .truth] { #expect(await Owner().run(role: role)) }
  }

  @Test("10.8 there is never a sleeper in the clock")
  func sleepers() async {
    let stage = FamilyStage(staleAfter: .seconds(5), keepIdle: 3, board: AsyncTagBoard(), hasStore: true).hold(1)
    await stage.load(1, 1)
    stage.family.prefetch(2)
    await stage.gate.arrived(2)
    #expect(stage.clock.sleeperCount == 0)
    stage.answer(2, 2)
    await stage.family.settled()
    stage.family.refreshStale()
    #expect(stage.clock.sleeperCount == 0)
  }
}
