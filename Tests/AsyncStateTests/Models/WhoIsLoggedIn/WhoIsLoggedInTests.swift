// SPDX-License-Identifier: MIT
import Testing

extension AllTests {
  @ModelActor
  struct WhoIsLoggedInTests {
    @Test(
      "3.3, 9.3, 10.9, 16.8, 17.8, 20.2 after a log-out nothing of the former account is displayed, stored, sent or requested"
    )
    func random() async {
      await check(WhoIsLoggedIn.self, seeds: 100, steps: 60)
    }
  }
}
