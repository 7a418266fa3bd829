// SPDX-License-Identifier: MIT
// The initial values of an actor's properties are made before the actor can be used; and a closure there belongs to no actor.

import AsyncState

struct Service {
  @concurrent func number(_ key: Int) async -> Int { key }
}

@MainActor
final class WithAnotherProperty {
  let service = Service()
  let board = AsyncTagBoard()
  // expected-error: default argument cannot be both main actor-isolated and nonisolated
  lazy var numbers = AsyncFamily<Int, Int>(board: board) { [service] id in await service.number(id) }
}

/// Nothing says where the load of a closure that is given the data would run. A host of a resource can be created there.
@MainActor
final class WithARequest {
  let resource = AsyncHost(AsyncResource { 1 })
  // expected-error: default argument cannot be both actor-isolated and nonisolated
  // expected-error: 'nil' is not compatible with expected argument type 'any Actor'
  let host = AsyncHost<Int>(request: { data, mode in data.start(mode) { await Service().number(1) } })
}

@MainActor
func makeNumber() -> AsyncResource<Int> { AsyncResource { 1 } }

actor WithTheMacro {
  // expected-error: 'nil' is not compatible with expected argument type 'any Actor'
  // expected-error: actor-isolated default value in a actor-isolated context
  let number = AsyncResource(isolation: #isolation) { .value { 1 } }
}

actor WithTheMainActor {
  // expected-error: main actor-isolated default value in a actor-isolated context
  let number = makeNumber()
}

actor InItsInitialiser {
  let number: AsyncResource<Int>

  init() {
    // expected-error: call to actor-isolated initializer 'init(isolation:seed:options:source:)' in a synchronous nonisolated context
    number = AsyncResource(isolation: self) { .value { 1 } }
  }
}

@globalActor actor Catalogue { static let shared = Catalogue() }

@Catalogue
final class OnAGlobalActor {
  private var count = 1
  // expected-error: global actor 'Catalogue'-isolated property 'count' cannot be accessed from outside of the actor
  lazy var number = AsyncResource<Int>(isolation: Catalogue.shared) { [weak self] in .value { self?.count } }
}

/// The initial value of a stored property cannot name `self`; that of a lazy one can.
actor RateCache {
  // expected-error: cannot find 'self' in scope; did you mean to use it in a type or extension context?
  let number = AsyncResource(isolation: self) { .value { 1 } }
}
