// SPDX-License-Identifier: MIT
import Testing

extension AllTests {
  /// Screens that share, at random: seven screens, two entries, a followed key, pages, a board and a store.
  struct SharingTests {
    @Test("2.1, 3.2, 9.3 at rest no screen is left loading, every caller is answered, what is displayed is the key's")
    @ModelActor func random() async {
      await check(SharingScreens.self, seeds: 300, steps: 40)
    }
  }
}
