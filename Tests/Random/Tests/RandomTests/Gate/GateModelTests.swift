// SPDX-License-Identifier: MIT
import Testing

extension AllTests {
  @ModelActor
  struct GateModelTests {
    @Test(
      "3.17, 3.24 no more than the width have room, none waits for ever, and none begins that no one wants")
    func random() async {
      await check(GateComparison.self, seeds: 600, steps: 60)
    }
  }
}
