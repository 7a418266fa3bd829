// SPDX-License-Identifier: MIT
// A class that many actors share cannot have data or an input, which belong to one.

import AsyncState

final class Model: Sendable {
  // expected-error: stored property 'user' of 'Sendable'-conforming class 'Model' has non-Sendable type
  let user = AsyncData<String>()
  // expected-error: stored property 'input' of 'Sendable'-conforming class 'Model' has non-Sendable type
  let input = Input(0)
  // A token may be shared: it can be cancelled on any thread.
  let token: ObservedToken

  init(_ token: ObservedToken) {
    self.token = token
  }
}
