// SPDX-License-Identifier: MIT
import Testing

extension AllTests {
  @ModelActor
  struct FamilyWorldTests {
    @Test(
      "10.4, 11.2, 11.3, 12.1, 12.3, 12.4 nothing stale is fresh, the store has what memory has, nothing is of a former user"
    )
    func random() async {
      await check(FamilyWorld.self, seeds: 400, steps: 60)
    }
  }
}
