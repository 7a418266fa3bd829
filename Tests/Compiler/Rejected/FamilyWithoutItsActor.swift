// SPDX-License-Identifier: MIT
// An operation of the caller's actor needs that actor: in a function without one there is none.

import AsyncState

func makeNumbers() -> AsyncFamily<Int, Int> {
  // expected-error: in a synchronous nonisolated context
  // expected-error: 'nil' is not compatible with expected argument type 'any Actor'
  AsyncFamily(isolation: #isolation) { key in .value { key } }
}
