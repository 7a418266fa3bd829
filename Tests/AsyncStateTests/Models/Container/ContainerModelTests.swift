// SPDX-License-Identifier: MIT
import Testing

@Suite("5 StateContainer: against its model", .timeLimit(Soak.limit))
@ModelActor
struct ContainerModelTests {
  @Test("5.16 whatever is requested, from outside and from inside callbacks, makes exactly the calls of the contract")
  func random() async {
    await check(ContainerComparison.self, seeds: 700, steps: 60)
  }
}
