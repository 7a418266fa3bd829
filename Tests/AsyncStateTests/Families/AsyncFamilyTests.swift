// SPDX-License-Identifier: MIT
import AsyncStateTesting
import Testing

@testable import AsyncState

extension AllTests {
  @MainActor
  struct AsyncFamilyTests {
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
