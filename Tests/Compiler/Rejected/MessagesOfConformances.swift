// SPDX-License-Identifier: MIT
// Default isolation makes the conformances of a value the main actor's.
// swiftc: -default-isolation MainActor

import AsyncState

struct Article: Equatable {
  var id: Int
}

actor ArticleCache {
  func isSame(_ first: Article, _ second: Article) -> Bool {
    // expected-error: main actor-isolated conformance of 'Article' to 'Equatable' cannot be used in actor-isolated context
    first == second
  }
}
