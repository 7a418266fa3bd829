// SPDX-License-Identifier: MIT
// Starting work outside an actor: nothing says where the operation would run.

import AsyncState

func open(_ host: AsyncHost<Int>) {
  // expected-error: actor-isolated instance method 'start(when:isolation:)' in a synchronous nonisolated context
  // expected-error: 'nil' is not compatible with expected argument type 'any Actor'
  host.start()
}
