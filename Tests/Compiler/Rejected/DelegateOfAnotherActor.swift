// SPDX-License-Identifier: MIT
// Data calls its delegate on its own actor.

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

@MainActor
final class OtherScreen {
  private var title = ""
}

// It lacks its isolation: `extension OtherScreen: @MainActor AsyncDataDelegate`.
// expected-error: conformance of 'OtherScreen' to protocol 'AsyncDataDelegate' crosses into main actor-isolated code
extension OtherScreen: AsyncDataDelegate {
  func asyncDataDidChange(_ data: AsyncData<String>, forced: Bool) {
    title = data.value ?? ""
  }
}
