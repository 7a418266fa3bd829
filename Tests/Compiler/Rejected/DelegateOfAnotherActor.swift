// SPDX-License-Identifier: MIT
// The conformance lacks its isolation: `extension Screen: @MainActor AsyncDataDelegate`.

import AsyncState

@MainActor
final class Screen {
  private var title = ""
}

// expected-error: conformance of 'Screen' to protocol 'AsyncDataDelegate' crosses into main actor-isolated code
extension Screen: AsyncDataDelegate {
  func asyncDataDidChange(_ data: AsyncData<String>, forced: Bool) {
    title = data.value ?? ""
  }
}
