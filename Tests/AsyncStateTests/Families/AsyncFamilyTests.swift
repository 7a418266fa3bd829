// SPDX-License-Identifier: MIT
import AsyncStateTesting
import Testing

@testable import AsyncState

extension AllTests {
  @MainActor
  struct AsyncFamilyTests {
    // MARK: 10.1

    @Test("10.1 equal keys give the same resource as long as it is held, and access requests nothing")
    func sameResource() {
      let stage = FamilyStage().hold(1)
      expect(stage.family[1] === stage.held[1])
      expect(stage.family[2] !== stage.held[1])
      expect(stage.requests.isEmpty)
      expectEqual(stage.held[1]?.snapshot.isIdle, true)
    }

    // MARK: 10.4

    @Test("10.4 invalidate marks the keys that are included before the first is notified, each once")
    func invalidates() async {
      let stage = FamilyStage(keepUnused: .max).hold(1, 2, 3)
      for key in 1...3 { await stage.load(key, key) }
      let counts = (1...3).map { NotificationCount(stage.family[$0]) }
      var marked: [Int] = []
      for count in counts {
        count.inside = { marked.append((1...3).count { stage.family[$0].snapshot.isInvalidated }) }
      }
      stage.family.invalidate(where: { $0 != 2 })
      expectEqual(counts.map(\.count), [1, 0, 1])
      expectEqual(marked, [2, 2])
      expectEqual(stage.requests.count, 3)
    }

    @Test("10.4 refreshStale requests what is held, stale, and was requested before")
    func refreshStale() async {
      let stage = FamilyStage(staleAfter: .seconds(10), keepUnused: .max, board: AsyncTagBoard()).hold(1, 2, 3)
      for key in [1, 2, 5] { await stage.load(key, key) }
      await stage.clock.advance(by: .seconds(5))
      await stage.load(2, 2)
      await stage.clock.advance(by: .seconds(5))
      let before = stage.requests.count
      for _ in 1...2 { stage.board?.refreshStale() }
      await stage.gate.arrived(before + 1)
      expectEqual(stage.requests[before...], [1])
      expectEqual(stage.family[1].snapshot.activity?.mode, .refresh)
      stage.answer(1, 11)
      await stage.family.settled()
      expectEqual(stage.requests.count, before + 1)
    }
    // MARK: 10.2, 10.7

    @Test(
      "1.8, 10.7 when the family is released its loads are cancelled, begun or not, and what is held stays usable at once"
    )
    func release() async {
      let stage = FamilyStage(keepUnused: .max, board: AsyncTagBoard(), tags: { _, _ in ["all"] }, hasStore: true).hold(
        1)
      await stage.load(1, 1)
      await stage.family.settled()
      let loads = [1, 2].map { stage.family[$0].start() }
      await stage.gate.arrived(3)
      let unbegun = stage.family[3].start()
      stage.release()
      let later = stage.held[1]?.start()
      for load in loads + [unbegun] { await expectEqual(load.outcome().word, "cancelled") }
      await afterReleases()
      expectEqual(stage.held[1]?.value, 1)
      expectEqual(stage.held[1]?.isRunning, true)
      stage.board?.invalidate("all")
      expectEqual(stage.held[1]?.snapshot.isInvalidated, false)
      stage.answer(1, 5)
      await expectEqual(later?.outcome().word, "value 5")
      expectEqual(stage.store?[1]?.value, 1)
      expectEqual(stage.requests, [1, 1, 2, 1])
    }

    @Test("1.8, 10.7 a family that another actor has created without naming itself is not dissolved on the main actor")
    func ofAnotherActor() async {
      actor Server {
        private var family: AsyncFamily<Int, Int>? = AsyncFamily(keepUnused: .max) { key in key }
        private var held: AsyncResource<Int>?
        private var token: ObservedToken?
        private var load: PendingLoad<Int>?
        var isRunning: Bool? { held?.isRunning }

        func open() {
          held = family?[1]
          token = held?.observed.observe { [weak self] _ in self?.assertIsolated() }
          load = held?.data.begin()
          family = nil
        }
      }
      let server = Server()
      await server.open()
      await afterReleases()
      await expectEqual(server.isRunning, true)
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
          func save(
            _ values: [Int: StoredValue<Int>], removing keys: Set<Int>, isolation: isolated (any Actor)?
          ) async throws {
            actors.append(isolation)
            isolation?.assertIsolated()
          }
          func removeAll(isolation: isolated (any Actor)?) async throws {}
        }

        func run() async -> Bool {
          let store = Store()
          nonisolated(unsafe) var isHere = 0
          weak let owner = self
          let family = AsyncFamily<Int, Int>(isolation: self, keepUnused: 1, store: store) { key in
            .value {
              owner?.assertIsolated()
              isHere += 1
              return key
            }
          }
          await family[1].load(when: .stale)
          await family.settled()
          return isHere == 1 && store.actors.count == 2 && store.actors.allSatisfy { $0 === self }
        }
      }
      expect(await Owner().run())
    }
  }
}
