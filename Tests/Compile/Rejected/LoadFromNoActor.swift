// SPDX-License-Identifier: MIT
// A load runs on the actor that starts it, and here is none.

import AsyncState

struct Feed {
  let articles = AsyncData<[String]>()

  func refresh() {
    // expected-error: actor-isolated instance method 'start(_:id:when:options:isolation:operation:)' in a synchronous
    // expected-error: 'nil' is not compatible with expected argument type 'any Actor'
    articles.start(.refresh) { ["news"] }
  }
}
