// An animator calls back later, so it must know its actor.

import AsyncState

enum Tab { case feed, search }

func makeContainer() -> StateContainer<Tab> {
  // expected-error: actor-isolated initializer 'init(clock:isolation:)' in a synchronous nonisolated context
  // expected-error: 'nil' is not compatible with expected argument type 'any Actor'
  StateContainer(initialState: .feed, animator: ClockAnimator()) { _ in [] }
}
