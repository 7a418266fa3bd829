// SPDX-License-Identifier: MIT
// The initial value of a stored property cannot name `self`; that of a lazy one can.

import AsyncState

actor RateCache {
  // expected-error: cannot find 'self' in scope; did you mean to use it in a type or extension context?
  let number = AsyncResource(isolation: self) { .value { 1 } }
}
