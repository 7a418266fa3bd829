// SPDX-License-Identifier: MIT
// A function that is bound to no actor.

import AsyncState

func refresh(_ number: AsyncResource<Int>) {
  // expected-error: call to actor-isolated instance method 'start(when:isolation:)' in a synchronous nonisolated context
  // expected-error: 'nil' is not compatible with expected argument type 'any Actor'
  number.start()
}
