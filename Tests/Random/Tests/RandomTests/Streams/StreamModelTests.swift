// SPDX-License-Identifier: MIT
import Testing

extension AllTests {
  @ModelActor
  struct StreamModelTests {
    @Test("19, 3.9, 3.10 streams, retries, time limits and gates by a clock are those of a plain program")
    func random() async {
      await check(StreamComparison.self, seeds: 600, steps: 60)
    }
  }
}
