// A host runs its operation on the actor that made it, and here is none.

import AsyncState

func makeHost() -> AsyncHost<Int> {
  // expected-error: in a synchronous nonisolated context
  // expected-error: 'nil' is not compatible with expected argument type 'any Actor'
  AsyncHost(operation: { 1 }, children: { _ in [] })
}
