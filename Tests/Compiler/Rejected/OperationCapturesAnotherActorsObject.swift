// SPDX-License-Identifier: MIT
// The operation runs on the main actor, with the page; the cookies belong to the session.

import AsyncState

final class Cookies {
  var count = 0
}

actor Session {
  private let cookies = Cookies()

  @MainActor
  func show(in page: AsyncData<Int>) async {
    // expected-error: non-Sendable type 'Cookies' of property 'cookies' cannot exit actor-isolated context
    // expected-error: actor-isolated property 'cookies' cannot be accessed from outside of the actor
    page.start { self.cookies.count }
  }
}
