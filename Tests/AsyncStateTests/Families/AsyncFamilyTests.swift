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

    @Test(
      "10.4 forget cancels, resets with one notification, and what began before writes nothing; what is only stored is removed"
    )
    func forget() async throws {
      let stage = FamilyStage(hasStore: true).hold(1)
      await stage.load(1, 1)
      await stage.family.settled()
      let loading = stage.family[1].start()
      await stage.gate.arrived(2)
      let notifications = NotificationCount(stage.family[1])
      try await stage.family.forget(1)
      expectEqual(notifications.seen, ["-"])
      stage.answer(1, 2)
      await expectEqual(loading.outcome().word, "cancelled")
      await stage.family.settled()
      expect(stage.family[1].snapshot.isIdle)
      expectEqual(stage.store?.keys, [])
      stage.store?.put(5, for: 2)
      try await stage.family.forget(2)
      expectEqual(stage.store?.keys, [])
    }

    @Test("1.7, 10.4 a forget is reported to Observation, and nothing is known afterwards")
    func forgetIsObserved() async throws {
      let stage = FamilyStage().hold(1)
      await stage.load(1, 1)
      let resource = stage.family[1]
      let (value, loading) = (AllTests.ObservationTests.Tracker(), AllTests.ObservationTests.Tracker())
      value.track { _ = resource.value }
      loading.track { _ = resource.data.isLoading }
      expect(!resource.data.isLoading)
      try await stage.family.forget(1)
      expectEqual(value.changes, 1)
      expectEqual(loading.changes, 1)
      expectNil(resource.value)
      expect(!resource.data.isLoading)
      expect(!resource.snapshot.isUntouched)
    }

    @Test("10.4 forgetAll marks all before it notifies one, removes all that is stored, and no late answer writes")
    func forgetAll() async throws {
      let stage = FamilyStage(hasStore: true).hold(1, 2, 3)
      stage.store?.put(9, for: 9)
      for key in 1...3 { await stage.load(key, key) }
      let running = (1...3).map { stage.family[$0].start() }
      await stage.gate.arrived(6)
      let counts = (1...3).map { NotificationCount(stage.family[$0]) }
      var left: [Int] = []
      for count in counts {
        count.inside = { left.append((1...3).count { !stage.family[$0].snapshot.isIdle }) }
      }
      try await stage.family.forgetAll()
      expectEqual(counts.map(\.count), [1, 1, 1])
      expectEqual(left, [0, 0, 0])
      for load in running { await expectEqual(load.outcome().word, "cancelled") }
      for key in 1...3 { stage.answer(key, 10) }
      await stage.family.settled()
      expectEqual(stage.store?.keys, [])
      expect((1...3).allSatisfy { stage.family[$0].snapshot.isIdle })
      let loads = [1, 2].map { stage.family[$0].data.begin() }
      let others = [1, 2].map { NotificationCount(stage.family[$0]) }
      for count in others { count.inside = { for load in loads { load.succeed(with: 5) } } }
      try await stage.family.forgetAll()
      expect([1, 2].allSatisfy { stage.family[$0].snapshot.isIdle })
      expectEqual(others.map(\.count), [1, 1])
    }

    @Test("10.4 what was forgotten is not requested again by itself, though a reload makes room for those that wait")
    func forgotten() async throws {
      let stage = FamilyStage(keepUnused: .max, board: AsyncTagBoard(), tags: { _, _ in ["all"] }).hold(1)
      await stage.load(1, 1)
      try await stage.family.forget(1)
      stage.board?.invalidate("all")
      stage.board?.refreshStale()
      await stage.board?.settled()
      expectEqual(stage.requests, [1])
      await stage.load(1, 2)
      stage.answer(1, 3)
      stage.board?.invalidate("all")
      await stage.board?.settled()
      expectEqual(stage.requests, [1, 1, 1])
      let narrow = FamilyStage(
        keepUnused: .max, board: AsyncTagBoard(gate: LoadGate(width: 1)), tags: { _, _ in ["all"] }
      )
      .hold(1, 2, 3)
      for key in 1...3 { await narrow.load(key, key) }
      narrow.board?.invalidate("all")
      await narrow.gate.arrived(4)
      try await narrow.family.forgetAll()
      await narrow.board?.settled()
      expectEqual(narrow.requests.count, 4)
    }
  }
}
