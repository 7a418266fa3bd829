// SPDX-License-Identifier: MIT
// Starting work outside an actor: nothing says where the operations would run.

import AsyncState

func open(_ family: AsyncFamily<Int, Int>) {
  // expected-error: actor-isolated instance method 'prefetch(_:isolation:)' in a synchronous nonisolated context
  // expected-error: 'nil' is not compatible with expected argument type 'any Actor'
  family.prefetch(1)
}
