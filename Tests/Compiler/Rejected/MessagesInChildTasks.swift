// SPDX-License-Identifier: MIT
// The child tasks of `async let` and of a group, and a detached task, run on no actor. The messages of this file and of the
// others that begin with Messages stand in the article *Messages of the compiler*.

import AsyncState

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
