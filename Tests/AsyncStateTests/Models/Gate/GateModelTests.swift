// SPDX-License-Identifier: MIT
import Testing

@Suite("3.17 Gates: against their model", .timeLimit(Soak.limit))
@ModelActor
struct GateModelTests {
  @Test("3.17 nothing waits for ever at an open gate, nothing begins that no one wants, and each cause is one request")
  func random() async {
    await check(GateComparison.self, seeds: 300, steps: 60)
  }
}
