// SPDX-License-Identifier: MIT
// Polling starts loads, and a load runs on an actor.

import AsyncState

func watch(_ prices: AsyncResource<Int>) async {
  // expected-error: 'nil' is not compatible with expected argument type 'any Actor'
  await prices.poll(every: { _ in .seconds(1) })
}
