// A pacer calls back later, so it must know its actor.

import AsyncState

func makePacer() -> DisplayPacer {
  // expected-error: actor-isolated initializer 'init(delay:minimum:clock:isolation:)' in a synchronous nonisolated context
  // expected-error: 'nil' is not compatible with expected argument type 'any Actor'
  DisplayPacer(delay: .milliseconds(100))
}
