// SPDX-License-Identifier: MIT
import Testing

extension AllTests {
  @ModelActor
  struct StreamModelTests {
    @Test(
      "19, 3.9, 3.10 streams, retries, time limits and gates by a clock: what a plain program says, and nothing is left",
      .timeLimit(Soak.limit))
    func random() async {
      await check(StreamComparison.self, seeds: 300, steps: 60)
    }
  }
}
