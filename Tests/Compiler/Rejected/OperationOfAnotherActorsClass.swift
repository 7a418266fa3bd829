// SPDX-License-Identifier: MIT
// The operation runs on the actor that starts the load, and may touch only what that actor has.

import AsyncState

final class Cache {
  var hits = 0
}

@MainActor let shared = Cache()

actor Search {
  private let hits = AsyncData<Int>()

  func run() {
    hits.start(isolation: self) {
      // expected-error: main actor-isolated let 'shared' cannot be accessed from outside of the actor
      // expected-error: let 'shared' cannot exit main actor-isolated context
      shared.hits += 1
      return 1
    }
  }
}
