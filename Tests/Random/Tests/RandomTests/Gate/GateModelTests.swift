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
      "3.24 never more than the width have room, in the order in which they came, and what they await waits for no room"
    )
    func width() async {
      await check(WidthComparison.self, seeds: 300, steps: 50)
    }
  }
}
