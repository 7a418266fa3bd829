// SPDX-License-Identifier: MIT
// Handed to another actor, and written here all the same.

import AsyncState

actor Session {
  private var user: AsyncData<String>?

  func adopt(_ user: AsyncData<String>) {
    self.user = user
  }
}

func signIn(to session: Session) async {
  let user = AsyncData<String>()
  // expected-error: sending 'user' risks causing data races
  await session.adopt(user)
  user.value = "Ann"
}
