// SPDX-License-Identifier: MIT
import Testing

extension AllTests {
  /// Screens that share, at random: seven screens, two entries, a followed key, pages of the key with likes, a board and a store.
  struct SharingTests {
    @Test(
      "2.1, 3.2, 3.12, 3.13, 9.3, 9.6 at rest no screen is left loading, every caller is answered, what is displayed is the key's"
    )
    @ModelActor func random() async {
      await check(SharingScreens.self, seeds: 400, steps: 60)
    }
  }
}
