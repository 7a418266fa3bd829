// SPDX-License-Identifier: MIT
// A load runs on the actor that starts it, and here is none.

import AsyncState

struct Feed {
  let articles = AsyncData<[String]>()

  func refresh() {
    // expected-error: call to actor-isolated instance method 'start(_:isolation:operation:)' in a synchronous
    // expected-error: 'nil' is not compatible with expected argument type 'any Actor'
    articles.start(.refresh) { ["news"] }
  }
}
