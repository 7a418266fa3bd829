// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

@Test("an answer without articles is displayed as “nothing here”")
@MainActor
func emptyAnswer() async {
  let server = Gate<[String]>()
  let articles = AsyncResource { try await server.wait() }
  articles.start()
  #expect(articles.status().kind == .loading)

  await server.arrived(1)
  server.answer(call: 1, with: .success([]))
  await articles.settled()
  #expect(articles.status(policy: .emptyIsNoData()).kind == .noData)
}
