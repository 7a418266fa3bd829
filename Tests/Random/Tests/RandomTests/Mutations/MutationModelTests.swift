// SPDX-License-Identifier: MIT
import Testing

extension AllTests {
  @ModelActor
  struct MutationModelTests {
    @Test("16.2 to 16.7, 16.10, 16.12 whatever is performed, delayed, answered and cancelled is what the contract says")
    func random() async {
      await check(MutationComparison.self, seeds: 150, steps: 60)
    }
  }
}
