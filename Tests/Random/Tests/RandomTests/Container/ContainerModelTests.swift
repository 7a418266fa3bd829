// SPDX-License-Identifier: MIT
import Testing

extension AllTests {
  @ModelActor
  struct ContainerModelTests {
    @Test("5.16 whatever is requested, from outside and from inside callbacks, makes exactly the calls of the contract")
    func random() async {
      await check(ContainerComparison.self, seeds: 700, steps: 60)
    }
  }
}
