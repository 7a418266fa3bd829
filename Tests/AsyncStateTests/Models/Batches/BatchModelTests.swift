// SPDX-License-Identifier: MIT
import Testing

extension AllTests {
  @ModelActor
  struct BatchModelTests {
    @Test("10.11, 10.12, 10.13, 10.14, 10.15 each key is in one request of its turn, and ends as the model says")
    func random() async {
      await check(BatchComparison.self, seeds: 400, steps: 60)
    }
  }
}
