// SPDX-License-Identifier: MIT
// Waiting for a transition resumes on the container's actor, so there must be one.

import AsyncState

nonisolated func finish(_ container: StateContainer<Int>) async {
  // expected-error: 'nil' is not compatible with expected argument type 'any Actor'
  _ = await container.transition(to: 1, animated: true)
}
