// SPDX-License-Identifier: MIT
import Testing

extension AllTests {
  @ModelActor
  struct SlowStoreModelTests {
    @Test("17.1 to 17.14 whatever happens while the store works, nothing is lost, sent twice, or sent otherwise")
    func random() async {
      await check(SlowStoreComparison.self, seeds: 500, steps: 50)
    }
  }
}
