// SPDX-License-Identifier: MIT
// The operation runs on the search's actor; the field lives on another, and is reached with `await`.

import AsyncState

@MainActor
final class SearchField {
  var text = ""
}

actor Search {
  private let hits = AsyncData<[String]>()
  private let field: SearchField

  init(field: SearchField) {
    self.field = field
  }

  func run() {
    // expected-error: main actor-isolated property 'text' cannot be accessed from outside of the actor
    hits.start { [self.field.text] }
  }
}
