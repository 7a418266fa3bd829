// SPDX-License-Identifier: MIT
import Testing

extension AllTests {
  /// Random sequences, beside models.
  @ModelActor
  struct ModelTests {
    @Test("2, 3 whatever is requested, written and answered, in whatever order, gives exactly the data of the contract")
    func data() async { await check(DataComparison.self, seeds: 600, steps: 60) }

    /// Seven screens, paced or not, two entries, a followed key, pages of the key with likes, a board and a store.
    @Test(
      "2.1, 3.2, 3.12, 3.13, 6.6, 9.3, 9.6 at rest no screen is left loading, every caller is answered, what is displayed is the key's"
    )
    func sharing() async { await check(SharingScreens.self, seeds: 400, steps: 60) }

    @Test("5.16 whatever is requested, from outside and from inside callbacks, makes exactly the calls of the contract")
    func container() async { await check(ContainerComparison.self, seeds: 700, steps: 60) }

    @Test("6.2, 6.6 whatever the data does, in whatever time, is displayed exactly when the contract says")
    func pacer() async { await check(PacerComparison.self, seeds: 600, steps: 60) }

    @Test(
      "10.4, 11.2, 11.3, 12.1, 12.3, 12.4 nothing stale is fresh, the store has what memory has, nothing is of a former user"
    )
    func families() async { await check(FamilyWorld.self, seeds: 400, steps: 60) }

    @Test("16.2 to 16.7, 16.10, 16.12 whatever is performed, delayed, answered and cancelled is what the contract says")
    func mutations() async { await check(MutationComparison.self, seeds: 150, steps: 60) }

    @Test("17.1 to 17.14 whatever happens while the store works, nothing is lost, sent twice, or sent otherwise")
    func outbox() async { await check(SlowStoreComparison.self, seeds: 500, steps: 50) }

    @Test("19, 3.9, 3.10 streams, retries, time limits and gates by a clock are those of a plain program")
    func streams() async { await check(StreamComparison.self, seeds: 600, steps: 60) }
  }

  @ModelActor
  struct GateModelTests {
    @Test("3.17, 3.24 no more than the width have room, none waits for ever, and none begins that no one wants")
    func random() async { await check(GateComparison.self, seeds: 600, steps: 60) }
  }
}
