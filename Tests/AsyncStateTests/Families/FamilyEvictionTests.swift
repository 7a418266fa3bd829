// SPDX-License-Identifier: MIT
import AsyncStateTesting
import Testing

@testable import AsyncState

extension AllTests {
  @MainActor
  struct FamilyEvictionTests {
    // MARK: 10.2

    @Test("10.2 an entry that is not held is never seen again, with keepIdle zero", arguments: [0, -3])
    func keepsNone(keepIdle: Int) async {
      let stage = FamilyStage(keepIdle: .entries(keepIdle)).hold(1)
      await stage.load(1, 1)
      #expect(stage.keys == [1])
      stage.drop(1)
      #expect(stage.family.existing(1) == nil)
      #expect(stage.family[1].value == nil)
    }

    @Test("10.2 the idle entries that were used last are kept, and what was beyond the limit never returns")
    func keepsSome() async {
      let stage = FamilyStage(keepIdle: 2)
      for key in 1...3 { await stage.load(key, key) }
      // The first one is beyond the limit, whatever becomes of the others.
      stage.hold(3)
      #expect(stage.family.existing(1) == nil)
      #expect(stage.family[2].value == 2)
      #expect(stage.keys == [2, 3])
    }

    @Test("10.2 what is beyond the limit when another entry leaves the idle ones never returns")
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

    @Test("10.2 fifty idle entries are kept by default, so what is prefetched or restored is there when it is needed")
    func keepsByDefault() async {
      let gate = Gate<Int?>()
      let family = AsyncFamily<Int, Int> { key in try await gate.wait(for: key) }
      family.prefetch(0)
      await gate.arrived(1)
      gate.answer(call: 1, with: .success(100))
      await family.settled()
      for key in 1..<50 { family.restore(StoredValue(key), for: key) }
      #expect(await family[0].load(when: .stale).word == "fresh 100")
      for key in 50..<60 { family.restore(StoredValue(key), for: key) }
      // Those that were used last.
      #expect(Set(family.entries.map(\.key)) == Set(11..<60).union([0]))
    }

    @Test(
      "10.2 what is beyond the limit is not looked up again, however many were released at once", arguments: [1, 3])
    func releasedAtOnce(keepIdle: Int) {
      let family = AsyncFamily<Int, Int>(keepIdle: .entries(keepIdle)) { key in key }
      var held = (0..<100).map { family[$0] }
      for resource in held { resource.data.value = 1 }
      family[-1].data.value = 1
      for _ in 0..<3 { #expect(family.existing(-1)?.value == 1) }
      held.removeLast(50)
      // The one that was looked up last, and as many as there is room for of those that were used last.
      let seen = (0..<100).reversed().filter { family.existing($0) != nil }
      #expect(seen.count >= 50 && family.entries.filter { !$0.isHeld }.count <= keepIdle)
      #expect(family.existing(0) === held[0])
      #expect(family.table.count == 50 + keepIdle)
    }

    @Test("10.2 every idle entry is kept with the largest limit")
    func keepsAll() async {
      let stage = FamilyStage(keepIdle: .all)
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

    @Test("10.2 what was held at once is released after as many accesses as there were entries")
    func burst() {
      let family = AsyncFamily<Int, Int>(keepIdle: 10) { key in key }
      var held = (0..<1_000).map { family[$0] }
      #expect(family.table.count == 1_000)
      let one = held[0]
      held = []
      for _ in 0..<2_100 { _ = family[0] }
      #expect(family.table.count == 11)
      withExtendedLifetime(one) {}
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

    @Test("10.2, 3.18 an entry that is forgotten is kept while a commit runs, and that is in doubt in what is loaded")
    func forgottenDuringCommit() async throws {
      let stage = FamilyStage(keepIdle: 1)
      await stage.load(1, 7)
      let commit = Gate<Void>(ignoresCancellation: true)
      let data = stage.family[1].data
      let mutation = Waiting { await data.mutate({ $0 += 1 }) { try await commit.wait() }.word }
      await commit.arrived(1)
      stage.family.trim(toIdle: 0)
      #expect(stage.keys == [1])
      try await stage.family.forget(1)
      stage.family.trim(toIdle: 0)
      #expect(stage.keys == [1])
      await stage.load(1, 9)
      #expect(!stage.family[1].isStale)
      commit.answer(call: 1, with: .success(()))
      #expect(await mutation.end() == "superseded")
      #expect(stage.family[1].value == 9 && stage.family[1].isStale)
      stage.family.trim(toIdle: 0)
      #expect(stage.keys == [])
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
  }
}
