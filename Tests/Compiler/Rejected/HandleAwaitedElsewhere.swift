// SPDX-License-Identifier: MIT
// A handle is awaited on the actor of its load.

import AsyncState

@MainActor
func open(_ page: AsyncData<String>) -> Task<Void, Never> {
  let load = page.start { "page" }
  return Task.detached {
    // expected-error: 'nil' is not compatible with expected argument type 'any Actor'
    _ = await load.outcome()
  }
}
