// SPDX-License-Identifier: MIT
import Testing

extension AllTests {
  @ModelActor
  struct GateModelTests {
    @Test(
      "3.17 nothing waits for ever at an open gate, nothing begins that no one wants, and each cause is one request")
    func random() async {
      await check(GateComparison.self, seeds: 300, steps: 60)
    }

    @Test(
      "3.24, 3.25 never more than the width have room, what is needed most begins first, and nothing waits for ever")
    func rooms() async {
      await check(RoomComparison.self, seeds: 300, steps: 80)
    }
  }
}
