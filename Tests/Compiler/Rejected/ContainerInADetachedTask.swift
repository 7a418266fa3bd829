// SPDX-License-Identifier: MIT
// A detached task runs on no actor; the container lives on one.

import AsyncState

enum Tab { case feed, search }

@MainActor
final class Screen {
  private let container = StateContainer(initialState: Tab.feed) { _ in [] }

  func searchLater() {
    let container = container
    // expected-error: passing closure as a 'sending' parameter risks causing data races
    Task.detached {
      container.setNeedsTransition(to: .search, animated: true)
    }
  }
}
