// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

/// The samples of the article *A token that expires*, and of the comments of options and interceptors.
enum TokenSamples {
  struct Token: Equatable, Sendable { var number: Int }
  struct Article: Equatable, Sendable { var id: Int }

  /// What a request throws when the server refuses its token.
  struct Unauthorized: Error {
    var token: Token
  }

  @MainActor
  final class Session {
    let token: AsyncResource<Token>

    init(service: any TokenService) {
      token = AsyncResource { try await service.newToken() }
    }

    func replace(_ refused: Token) async throws {
      token.invalidate(ifValue: refused)
      token.start(when: .stale)
      _ = try await token.get()
    }
  }

  struct Authorizing: LoadInterceptor {
    let session: Session

    func intercept<Value>(
      _ attempt: LoadAttempt<Value>, isolation: isolated (any Actor)?
    ) async throws -> Value {
      do {
        return try await attempt()
      } catch let refusal as Unauthorized {
        try await session.replace(refusal.token)
        return try await attempt()
      }
    }
  }

  @MainActor
  final class Articles {
    let session: Session
    let articles: AsyncFamily<Int, Article>

    init(service: any ArticleService, tokens: any TokenService) {
      let session = Session(service: tokens)
      self.session = session
      let options = LoadOptions(interceptors: [Authorizing(session: session)])
      articles = AsyncFamily(options: options) { id in
        try await service.article(id, with: session.token.get())
      }
    }
  }

  struct Logging: LoadInterceptor {
    func intercept<Value>(
      _ attempt: LoadAttempt<Value>, isolation: isolated (any Actor)?
    ) async throws -> Value {
      do {
        return try await attempt()
      } catch {
        log("failed: \(type(of: error))")
        throw error
      }
    }
  }

  static func logging() -> LoadOptions {
    let options = LoadOptions(retry: .exponential(), interceptors: [Logging()])
    return options
  }

  static func log(_ line: String) {}

  @MainActor
  static func app(_ service: any NewsService) -> AsyncResource<[Article]> {
    let articles = AsyncResource(options: .app) { try await service.articles() }
    return articles
  }

  protocol NewsService: Sendable {
    func articles() async throws -> [Article]
  }

  @MainActor
  static func ifValue(_ tokens: AsyncResource<Token>, _ used: Token) async throws -> Token {
    tokens.invalidate(ifValue: used)  // Fifty requests were refused with the same token.
    let token = try await tokens.get()  // They share one request for the next one.
    return token
  }

  protocol TokenService: Sendable {
    func newToken() async throws -> Token
  }

  protocol ArticleService: Sendable {
    func article(_ id: Int, with token: Token) async throws -> Article
  }
}

extension AllTests {
  @MainActor
  struct TokenSampleTests {
    /// Accepts the newest token only. The first request for each article waits for the test.
    @MainActor
    final class Server: TokenSamples.TokenService, TokenSamples.ArticleService {
      private(set) var newest = 0
      private(set) var tokenRequests = 0
      private(set) var articleRequests: [Int: Int] = [:]
      let tokens = ManualServer<Void>()
      let articles = ManualServer<Void>()

      func rotate() { newest += 1 }

      @MainActor func newToken() async throws -> TokenSamples.Token {
        tokenRequests += 1
        if tokenRequests > 1 { try await tokens.wait() }
        newest += 1
        return TokenSamples.Token(number: newest)
      }

      @MainActor func article(_ id: Int, with token: TokenSamples.Token) async throws -> TokenSamples.Article {
        articleRequests[id, default: 0] += 1
        if articleRequests[id] == 1 { try await articles.wait() }
        guard token.number == newest else { throw TokenSamples.Unauthorized(token: token) }
        return TokenSamples.Article(id: id)
      }
    }

    struct NoToken: Error {}
    typealias Article = TokenSamples.Article

    let server = Server()
    let screen: TokenSamples.Articles

    init() {
      screen = TokenSamples.Articles(service: server, tokens: server)
    }

    /// Requests articles with a token that the server does not accept any more when their requests have arrived.
    private func start(_ count: Int) async throws -> [LoadTask<TokenSamples.Article>] {
      _ = try await screen.session.token.get()
      var loads: [LoadTask<TokenSamples.Article>] = []
      for id in 0..<count {
        loads.append(screen.articles[id].start())
        await server.articles.arrived(id + 1)
      }
      server.rotate()
      return loads
    }

    private func answerArticles(_ calls: ClosedRange<Int>) {
      for call in calls { server.articles.answer(call: call, with: .success(())) }
    }

    @Test("3.16 fifty resources are refused at once: one request for a token, each is tried again once, and no error")
    func fifty() async throws {
      let loads = try await start(50)
      answerArticles(1...50)
      await server.tokens.arrived(1)
      server.tokens.answer(call: 1, with: .success(()))
      for (id, load) in loads.enumerated() { #expect(try await load.outcome().get() == TokenSamples.Article(id: id)) }
      #expect(server.tokenRequests == 2)
      #expect(server.articleRequests.values.allSatisfy { $0 == 2 })
    }

    @Test("3.16 the token cannot be renewed: all fail with that error, and the next request tries again")
    func failingRefresh() async throws {
      let loads = try await start(50)
      answerArticles(1...50)
      await server.tokens.arrived(1)
      server.tokens.answer(call: 1, with: .failure(NoToken()))
      for load in loads {
        await #expect(throws: NoToken.self) { try await load.outcome().get() }
      }
      #expect(server.tokenRequests == 2)
      let again = screen.articles[3].start()
      await server.tokens.arrived(2)
      server.tokens.answer(call: 2, with: .success(()))
      #expect(try await again.outcome().get() == TokenSamples.Article(id: 3))
      #expect(server.tokenRequests == 3)
    }

    @Test("9.10 a late refusal of a token that was replaced meanwhile requests none")
    func rotated() async throws {
      let loads = try await start(2)
      answerArticles(1...1)
      await server.tokens.arrived(1)
      server.tokens.answer(call: 1, with: .success(()))
      #expect(try await loads[0].outcome().get() == Article(id: 0))
      answerArticles(2...2)
      #expect(try await loads[1].outcome().get() == Article(id: 1))
      #expect(server.tokenRequests == 2)
    }

    @Test("3.16 samples of options")
    func options() async throws {
      #expect(TokenSamples.logging().interceptors.count == 1)
      let tokens = AsyncResource { TokenSamples.Token(number: 1) }
      #expect(try await TokenSamples.ifValue(tokens, TokenSamples.Token(number: 1)) == TokenSamples.Token(number: 1))
    }
  }
}
