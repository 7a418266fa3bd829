// SPDX-License-Identifier: MIT
// The screen gives its data away, and still has it.

import AsyncState

actor Session {
  private let user: AsyncData<String>

  init(user: sending AsyncData<String>) {
    self.user = user
  }
}

@MainActor
final class Screen {
  private let user = AsyncData<String>()
  private var session: Session?

  func signIn() {
    // expected-error: sending 'self.user' risks causing data races
    session = Session(user: user)
  }
}
