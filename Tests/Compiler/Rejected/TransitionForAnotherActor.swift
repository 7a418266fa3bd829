// SPDX-License-Identifier: MIT
// A transition is requested on the container's actor, and not in the name of another one.

import AsyncState

actor Prefetcher {}

@MainActor
func open(_ container: StateContainer<Int>, for prefetcher: Prefetcher) {
  // expected-error: actor-isolated
  container.setNeedsTransition(to: 1, animated: true, isolation: prefetcher)
}
