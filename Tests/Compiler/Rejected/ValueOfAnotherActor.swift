// SPDX-License-Identifier: MIT
// What is not `Sendable` is read on the actor of its data.

import AsyncState

final class Document {
  var title = ""
}

actor Library {
  let document = AsyncData<Document>()
}

@MainActor
func title(in library: Library) async -> String? {
  // expected-error: non-Sendable type 'AsyncData<Document>' of property 'document' cannot exit actor-isolated context
  await library.document.value?.title
}
