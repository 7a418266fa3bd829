// SPDX-License-Identifier: MIT
// The entries of a family are used on its actor only.

import AsyncState

@MainActor
final class Screen {
  let family = AsyncFamily<Int, Int> { key in key }
}

func read(_ screen: Screen) async -> Bool {
  // expected-error: non-Sendable type 'AsyncFamily<Int, Int>' of property 'family' cannot exit main actor-isolated context
  await screen.family.entries.isEmpty
}
