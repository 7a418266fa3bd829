// SPDX-License-Identifier: MIT
import AsyncStateTesting
import Testing

@testable import AsyncState

extension AllTests {
  @MainActor
  struct FamilyEvictionTests {
    @Test("10.2 unused entries beyond `keepUnused` are released when there are twice as many as the last time")
    func sweeps() async {
      let family = AsyncFamily<Int, Int>(keepUnused: 10) { $0 }
      var held = [family[0]]
      var most = 0
      for key in 1..<1_000 {
        family[key].data.value = key
        most = max(most, family.table.count)
        if key.isMultiple(of: 10) { held.append(family[key]) }
      }
      // At most twice as many as are in use and kept, and as a small family has by itself.
      expect(most <= 2 * (100 + 10) + 64)
      expectEqual(family.entries.count, 110)
      expectEqual(family.entries.map(\.key).prefix(2), [999, 998])
      expect(held.indices.allSatisfy { family[10 * $0] === held[$0] })
      // A use takes constant time: nothing is looked through for it.
      held = []
      _ = family[1_000]
      expectEqual(family.table.count, 111)
      expectEqual(family.entries.count, 10)
    }

    private final class Name: Hashable {
      let text: String
      init(_ text: String) { self.text = text }
      static func == (lhs: Name, rhs: Name) -> Bool { lhs.text == rhs.text }
      func hash(into hasher: inout Hasher) { hasher.combine(text) }
    }

    @Test(
      "10.1, 10.2 the entry of a key object that was evicted can be made again, with the same object and an equal one")
    func keyObjects() {
      let family = AsyncFamily<Name, Int>(keepUnused: 1) { _ in 1 }
      let name = Name("a")
      var held: AsyncResource<Int>? = family[name]
      expect(family[Name("a")] === held)
      held?.data.value = 5
      held = nil
      expectEqual(family.trim(toIdle: 0), 1)
      held = family[Name("a")]
      expectNil(held?.value)
      expect(family[name] === held)
      expectEqual(family.entries.count, 1)
    }

    @Test(
      "10.2, 10.4 fifty idle entries are kept by default, so what is prefetched or restored is there when it is needed")
    func keepsByDefault() async {
      let gate = ManualServer<Int?>()
      let family = AsyncFamily<Int, Int> { key in try await gate.wait(for: key) }
      family.prefetch(0)
      gate.answer(call: 1, with: .success(100))
      await family.settled()
      family.prefetch(0)
      await family.settled()
      expectEqual(gate.callCount, 1)
      for key in 1..<50 { family.restore(StoredValue(key), for: key) }
      await expectEqual(family[0].load(when: .stale).word, "fresh 100")
      for key in 50..<60 { family.restore(StoredValue(key), for: key) }
      // Those that were used last.
      expectEqual(Set(family.entries.map(\.key)), Set(11..<60).union([0]))
    }

    @Test("10.2 after trim there are the held ones, the running ones, and the idle ones up to the limit")
    func trim() async {
      let stage = FamilyStage(keepUnused: 3).hold(1, 2)
      stage.family.prefetch(3)
      for key in 10..<20 { _ = stage.family[key] }
      stage.family.trim()
      expectEqual(stage.keys, [1, 2, 3, 17, 18, 19])
      expectEqual(stage.family.trim(toIdle: 1), 2)
      expectEqual(stage.keys, [1, 2, 3, 19])
      expectEqual(stage.family.trim(toIdle: .max), 0)
      expectEqual(stage.family.trim(toIdle: -1), 1)
      expectEqual(stage.keys, [1, 2, 3])
    }

    @Test("10.2, 3.18 an entry that is forgotten is kept while a commit runs, and that is in doubt in what is loaded")
    func forgottenDuringCommit() async throws {
      let stage = FamilyStage(keepUnused: 1)
      await stage.load(1, 7)
      let commit = ManualServer<Void>(ignoresCancellation: true)
      let data = stage.family[1].data
      let mutation = Waiting { await data.mutate({ $0 += 1 }) { try await commit.wait() }.word }
      await commit.arrived(1)
      stage.family.trim(toIdle: 0)
      expectEqual(stage.keys, [1])
      try await stage.family.forget(1)
      stage.family.trim(toIdle: 0)
      expectEqual(stage.keys, [1])
      await stage.load(1, 9)
      expect(!stage.family[1].isStale)
      commit.answer(call: 1, with: .success(()))
      await expectEqual(mutation.end(), "superseded")
      expectEqual(stage.family[1].value, 9)
      expect(stage.family[1].isStale)
      stage.family.trim(toIdle: 0)
      expectEqual(stage.keys, [])
    }

    @Test("10.2 a load that was given up leaves its entry idle, and without unused entries to keep it is removed")
    func givenUp() async {
      let stage = FamilyStage(keepUnused: -3)
      let loading = Waiting { await stage.family[1].load().word }
      await stage.gate.arrived(1)
      expectEqual(stage.keys, [1])
      loading.cancel()
      await expectEqual(loading.end(), "cancelled")
      expect(stage.keys.isEmpty)
    }
  }
}
