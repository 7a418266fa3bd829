// SPDX-License-Identifier: MIT
// Handed to another actor, and used here all the same.

import AsyncState

enum Tab { case feed, search }

actor Prefetcher {
  func warmUp(_ container: StateContainer<Tab>) {
    container.setNeedsTransition(to: .search, animated: false)
  }
}

func open(with prefetcher: Prefetcher) async {
  let container = StateContainer(initialState: Tab.feed) { _ in [] }
  // expected-error: sending 'container' risks causing data races
  await prefetcher.warmUp(container)
  container.setNeedsTransition(to: .feed, animated: true)
}
