// SPDX-License-Identifier: MIT
// Starting work, waiting, and making what calls back later, in functions that are bound to no actor: nothing says where an operation
// would run. The messages of this file and of those that begin with Messages stand in the article *Messages of the compiler*.

import AsyncState

func start(_ data: AsyncData<Int>, _ number: AsyncResource<Int>, _ family: AsyncFamily<Int, Int>, _ host: AsyncHost<Int>) {
  // expected-error: call to actor-isolated instance method 'start(_:isolation:operation:)' in a synchronous
  // expected-error: 'nil' is not compatible with expected argument type 'any Actor'
  data.start(.refresh) { 1 }
  // expected-error: call to actor-isolated instance method 'start(when:isolation:)' in a synchronous nonisolated context
  // expected-error: 'nil' is not compatible with expected argument type 'any Actor'
  number.start()
  // expected-error: actor-isolated instance method 'prefetch(_:isolation:)' in a synchronous nonisolated context
  // expected-error: 'nil' is not compatible with expected argument type 'any Actor'
  family.prefetch(1)
  // expected-error: actor-isolated instance method 'start(when:isolation:)' in a synchronous nonisolated context
  // expected-error: 'nil' is not compatible with expected argument type 'any Actor'
  host.start()
}

nonisolated func wait(
  _ data: AsyncData<Int>, _ number: AsyncResource<Int>, _ feed: AsyncResource<Paged<Int, Int>>,
  _ container: StateContainer<Int>
) async {
  // expected-error: 'nil' is not compatible with expected argument type 'any Actor'
  await data.mutate({ $0 += 1 }, commit: {})
  // expected-error: 'nil' is not compatible with expected argument type 'any Actor'
  _ = await feed.loadNext()
  // expected-error: 'nil' is not compatible with expected argument type 'any Actor'
  await number.poll(every: { _ in .seconds(1) })
  // expected-error: 'nil' is not compatible with expected argument type 'any Actor'
  _ = await container.transition(to: 1, animated: true)
}

func makeFamily() -> AsyncFamily<Int, Int> {
  // expected-error: in a synchronous nonisolated context
  // expected-error: 'nil' is not compatible with expected argument type 'any Actor'
  AsyncFamily(isolation: #isolation) { key in .value { key } }
}

func makeResource() -> AsyncResource<Int> {
  // expected-error: in a synchronous nonisolated context
  // expected-error: 'nil' is not compatible with expected argument type 'any Actor'
  AsyncResource(isolation: #isolation) { .value { 1 } }
}

func makeContainer() -> StateContainer<Int> {
  // expected-error: call to main actor-isolated initializer 'init(clock:)' in a synchronous nonisolated context
  StateContainer(initialState: 0, animator: ClockAnimator()) { _ in [] }
}

/// The child tasks of `async let` and of a group, and a detached task, run on no actor.
@MainActor
struct Dashboard {
  let weather: AsyncResource<Int>
  let news: AsyncResource<Int>

  func several() async throws {
    // expected-error: 'nil' is not compatible with expected argument type 'any Actor'
    // expected-error: non-Sendable type 'AsyncResource<Int>' of property 'weather' cannot exit main actor-isolated context
    async let temperature = weather.get()
    // expected-error: 'nil' is not compatible with expected argument type 'any Actor'
    // expected-error: non-Sendable type 'AsyncResource<Int>' of property 'news' cannot exit main actor-isolated context
    async let headline = news.get()
    _ = try await (temperature, headline)
  }

  func group() async {
    await withTaskGroup(of: Void.self) { group in
      // expected-error: 'nil' is not compatible with expected argument type 'any Actor'
      // expected-error: non-Sendable type 'AsyncResource<Int>' of property 'weather' cannot exit main actor-isolated context
      group.addTask { await weather.load() }
      // expected-error: 'nil' is not compatible with expected argument type 'any Actor'
      // expected-error: non-Sendable type 'AsyncResource<Int>' of property 'news' cannot exit main actor-isolated context
      group.addTask { await news.load() }
    }
  }

  func detached() {
    // expected-error: 'nil' is not compatible with expected argument type 'any Actor'
    // expected-error: non-Sendable type 'AsyncResource<Int>' of property 'weather' cannot exit main actor-isolated context
    Task.detached { await weather.load() }
  }
}
