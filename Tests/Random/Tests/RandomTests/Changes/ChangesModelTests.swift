// SPDX-License-Identifier: MIT
import Testing

extension AllTests {
  @ModelActor
  struct ChangesModelTests {
    @Test("3.12, 3.18 to 3.21 whatever is changed, loaded and pushed: at rest, what is fresh is what the server has")
    func random() async {
      await check(ChangesComparison.self, seeds: 400, steps: 30)
      if Soak.isOn { print("soak: changes: \(ChangesComparison.figures)") }
    }
  }
}
