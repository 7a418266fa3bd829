// SPDX-License-Identifier: MIT
// A main-actor screen may be released anywhere; what it has may be touched on the main actor only.

import AsyncState

@MainActor
final class Screen {
  let user = AsyncData<String>()
  let input = Input(0)

  func close() {
    Task.detached {
      // expected-error: main actor-isolated property 'user' cannot be accessed from outside of the actor
      // expected-error: property 'user' cannot exit main actor-isolated context
      self.user.cancel()
      // expected-error: main actor-isolated property 'input' cannot be accessed from outside of the actor
      // expected-error: property 'input' cannot exit main actor-isolated context
      self.input.write(1)
    }
  }
}
