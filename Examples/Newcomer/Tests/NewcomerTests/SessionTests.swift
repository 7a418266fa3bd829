// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

@testable import Newcomer

@Suite("The session", .timeLimit(.minutes(5)))
@MainActor
struct SessionTests {
  private let tokens = ManualServer<Token>()
  private let answers = ManualServer<String>()
  private let session: Session
  private let pages: AsyncFamily<String, String>

  init() {
    let (tokens, answers) = (tokens, answers)
    let session = Session { try await tokens.wait() }
    self.session = session
    pages = AsyncFamily(options: LoadOptions(interceptors: [Authorizing(session: session)])) { page in
      let token = try await session.token.get()
      return try await answers.wait(for: "\(page) \(token.number)")
    }
    for number in 1...3 { tokens.answer(call: number, with: .success(Token(number: number))) }
  }

  @Test(
    "two requests that are refused request one token, and both are tried again",
    .repeated(noticing: .everyRefusalRequestsAToken, .refusalIsDisplayed))
  func oneToken() async {
    let (first, second) = (pages["first"], pages["second"])
    for number in 2...3 {
      answers.answer(for: "first \(number)", with: .success("one"))
      answers.answer(for: "second \(number)", with: .success("two"))
    }
    first.start()
    second.start()
    await answers.arrived(for: "first 1")
    await answers.arrived(for: "second 1")
    answers.answer(for: "first 1", with: .failure(Unauthorized(token: Token(number: 1))))
    await first.settled()
    // This refusal arrives when the token is another one already.
    answers.answer(for: "second 1", with: .failure(Unauthorized(token: Token(number: 1))))
    await second.settled()
    #expect(first.value == "one")
    #expect(second.value == "two")
    #expect(tokens.callCount == 2)
  }

  @Test("a token that is refused, too, is an error, and no third one is requested", .repeated())
  func refusedTwice() async {
    for number in 1...2 {
      answers.answer(for: "first \(number)", with: .failure(Unauthorized(token: Token(number: number))))
    }
    let first = pages["first"]
    await first.load()
    #expect(first.error is Unauthorized)
    #expect(tokens.callCount == 2)
  }
}
