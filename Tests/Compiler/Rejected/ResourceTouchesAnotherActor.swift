// SPDX-License-Identifier: MIT
// Without `isolation:` an operation runs on the main actor, and cannot touch what belongs to another one.

import AsyncState

actor Session {
  private var count = 0

  func open() {
    let number = AsyncResource<Int> {
      // expected-error: actor-isolated property 'count' cannot be accessed from outside of the actor
      self.count
    }
    number.start()
  }
}
