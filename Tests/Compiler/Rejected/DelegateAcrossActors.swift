// SPDX-License-Identifier: MIT
// The data of a session calls its delegate on the session's actor; the screen lives on another.

import AsyncState

@MainActor
final class Screen {
  private(set) var title = ""
}

extension Screen: @MainActor AsyncDataDelegate {
  func asyncDataDidChange(_ data: AsyncData<String>, forced: Bool) {
    title = data.value ?? ""
  }
}

actor Session {
  private let user = AsyncData<String>()

  func show(in screen: Screen) {
    // expected-error: main actor-isolated conformance of 'Screen' to 'AsyncDataDelegate'
    user.delegate = screen
  }
}
