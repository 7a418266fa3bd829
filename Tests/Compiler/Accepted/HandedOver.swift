// SPDX-License-Identifier: MIT
// Data that nothing else keeps may move to another actor, once: made here, used there.

import AsyncState

actor Session {
  private var user: AsyncData<String>?

  func adopt(_ user: sending AsyncData<String>) {
    self.user = user
  }
}

func signIn(to session: Session) async {
  let user = AsyncData<String>(seed: "Guest")
  user.invalidate()
  await session.adopt(user)
}
