// SPDX-License-Identifier: MIT
// The consumer of a stream may be on any actor, so its values have to be `Sendable`.

import AsyncState

final class Document {
  var title = ""
}

@MainActor
func follow(_ document: Observed<Document>) async {
  // expected-error: type 'Document' does not conform to the 'Sendable' protocol
  for await document in document.values { print(document.title) }
}
