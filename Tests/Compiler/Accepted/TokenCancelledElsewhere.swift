// SPDX-License-Identifier: MIT
// A token may be cancelled and released anywhere.

import AsyncState

@MainActor
final class Screen {
  private let input = Input(0)
  private var token: ObservedToken?

  func open() {
    let token = input.observe { _ in }
    self.token = token
    Task.detached { token.cancel() }
  }
}

actor Session {
  private let input = Input(0)

  func open() -> ObservedToken { input.observe { _ in } }
}

func observe(_ session: Session) async {
  let token = await session.open()
  token.cancel()
}
