// SPDX-License-Identifier: MIT
// An outcome is `Sendable` only where its value is.

import AsyncState

final class Document {
  var title = ""
}

actor Library {
  private let document = AsyncData<Document>()

  func open() async -> AsyncOutcome<Document?> {
    await document.load { Document() }
  }
}

@MainActor
func show(_ library: Library) async throws -> String? {
  // expected-error: non-Sendable 'AsyncOutcome<Document?>'-typed result can not be returned from actor-isolated
  try await library.open().get()?.title
}
