// SPDX-License-Identifier: MIT
// Without `isolation:` the operation of a family runs on the main actor, and cannot touch what belongs to another one.

import AsyncState

actor Session {
  private var count = 0

  func open() {
    let numbers = AsyncFamily<Int, Int> { key in
      // expected-error: actor-isolated property 'count' cannot be accessed from outside of the actor
      self.count + key
    }
    _ = numbers.entries
  }
}
