// SPDX-License-Identifier: MIT
// A family belongs to one actor, and is not handed to another while it is used.

import AsyncState

actor Session {
  private var family: AsyncFamily<Int, Int>?

  func adopt(_ family: AsyncFamily<Int, Int>) { self.family = family }
}

@MainActor
final class Screen {
  let family = AsyncFamily<Int, Int> { key in key }

  func share(_ session: Session) async {
    // expected-error: sending 'self.family' risks causing data races
    await session.adopt(family)
  }
}
