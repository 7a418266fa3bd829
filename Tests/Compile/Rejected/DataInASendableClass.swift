// What many actors share cannot have what belongs to one.

import AsyncState

final class Model: Sendable {
  // expected-error: stored property 'user' of 'Sendable'-conforming class 'Model' has non-Sendable type
  let user = AsyncData<String>()
  // expected-error: stored property 'input' of 'Sendable'-conforming class 'Model' has non-Sendable type
  let input = Input(0)
  // expected-error: stored property 'token' of 'Sendable'-conforming class 'Model' has non-Sendable type
  let token: ObservationToken

  init(_ token: ObservationToken) {
    self.token = token
  }
}
