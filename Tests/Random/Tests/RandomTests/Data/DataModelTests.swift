// SPDX-License-Identifier: MIT
import Testing

extension AllTests {
  @ModelActor
  struct DataModelTests {
    @Test("2, 3 whatever is requested, written and answered, in whatever order, gives exactly the data of the contract")
    func random() async {
      await check(DataComparison.self, seeds: 600, steps: 60)
    }
  }
}
