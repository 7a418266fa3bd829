// SPDX-License-Identifier: MIT
// An animator calls back later, so it must know its actor.

import AsyncState

enum Tab { case feed, search }

func makeContainer() -> StateContainer<Tab> {
  // expected-error: call to main actor-isolated initializer 'init(clock:)' in a synchronous nonisolated context
  StateContainer(initialState: .feed, animator: ClockAnimator()) { _ in [] }
}
