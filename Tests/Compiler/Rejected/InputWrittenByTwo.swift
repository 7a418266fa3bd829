// SPDX-License-Identifier: MIT
// A derived value is sent with its input: a write elsewhere would race with a read here.

import AsyncState

@MainActor
func share() -> Observed<Int> {
  let input = Input(0)
  let doubled = input.map { $0 * 2 }
  // expected-error: passing closure as a 'sending' parameter risks causing data races
  Task.detached { input.write(1) }
  return doubled
}
