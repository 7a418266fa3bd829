// SPDX-License-Identifier: MIT
// Polling starts loads, and a load runs on an actor.

import AsyncState

func watch(_ data: AsyncData<Int>) async {
  // expected-error: 'nil' is not compatible with expected argument type 'any Actor'
  await data.poll(every: { _ in .seconds(1) }) { 1 }
}
