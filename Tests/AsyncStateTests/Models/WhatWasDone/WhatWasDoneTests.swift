// SPDX-License-Identifier: MIT
import Testing

extension AllTests {
  @ModelActor
  struct WhatWasDoneTests {
    @Test("3.18 to 3.20, 16.8, 17.1 all is sent once, and no screen is fresh that is not the server's state")
    func random() async {
      await check(WhatWasDone.self, seeds: 100, steps: 60)
    }
  }
}
