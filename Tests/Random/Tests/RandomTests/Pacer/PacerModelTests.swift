// SPDX-License-Identifier: MIT
import Testing

extension AllTests {
  @ModelActor
  struct PacerModelTests {
    @Test("6.2, 6.6 whatever the data does, in whatever time, is displayed exactly when the contract says")
    func random() async {
      await check(PacerComparison.self, seeds: 600, steps: 60)
    }
  }
}
