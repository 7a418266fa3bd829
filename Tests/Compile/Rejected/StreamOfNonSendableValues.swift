// SPDX-License-Identifier: MIT
// Whoever follows a stream may live anywhere, so its values have to be `Sendable`.

import AsyncState

final class Document {
  var title = ""
}

@MainActor
func follow(_ document: Observed<Document>) async {
  // expected-error: type 'Document' does not conform to the 'Sendable' protocol
  for await document in document.values { print(document.title) }
}
