// SPDX-License-Identifier: MIT
// The entries of a family have its values, which may belong to its actor.

import AsyncState

final class Model {
  var name = ""
}

actor Log {
  func note(_ entries: [FamilyEntry<Int, Model>]) {}
}

@MainActor
final class Screen {
  let models = AsyncFamily<Int, Model> { _ in Model() }

  func report(_ log: Log) async {
    // expected-error: sending 'self.models.entries' risks causing data races
    await log.note(models.entries)
  }
}
