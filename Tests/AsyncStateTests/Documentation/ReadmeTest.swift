// SPDX-License-Identifier: MIT
// Tests/NewsTests/NewsTests.swift. It decides when the server answers, and never sleeps.
import AsyncState
import AsyncStateTesting
import Testing

@Test @MainActor func emptyAnswer() async {
  let server = ManualServer<[String]>()
  let articles = AsyncResource { try await server.wait() }
  articles.start()
  server.answer(call: 1, with: .success([]))
  await articles.settled()
  #expect(articles.status(policy: .emptyIsNoData()).kind == .noData)
}
