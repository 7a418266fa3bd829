// SPDX-License-Identifier: MIT
// A value that is not `Sendable` is made by an operation, on the actor of the data, and stays there.

import AsyncState

final class Document {
  var title = ""
}

actor Library {
  private let document = AsyncData<Document>()

  func open() async -> String? {
    await document.load { () async throws -> Document? in
      let document = Document()
      document.title = await self.fetchTitle()
      return document
    }
    return document.value?.title
  }

  private func fetchTitle() async -> String { "Memo" }
}

@MainActor
func preview(_ document: AsyncData<Document>) {
  document.start { (reporter: LoadReporter<Document>) in
    try reporter.yield(Document())
    reporter.report(progress: 0.5)
    return reporter.current
  }
}
