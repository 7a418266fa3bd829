// SPDX-License-Identifier: MIT
// What the five screens of the app share: one board, so that they are fresh again when the app returns, a family of
// articles, the settings, and the commands.

import AsyncState

struct Article: Equatable, Sendable {
  var text: String
  var likes = 0
}

struct Settings: Equatable, Sendable {
  var sendsNews = false
}

protocol Server: FeedBackend, Catalogue {
  func article(_ id: Int) async throws -> Article
  func like(_ id: Int) async throws
  func settings() async throws -> Settings
  func save(_ settings: Settings) async throws -> Settings
  func signUp(_ name: String) async throws -> String
}

/// It belongs to the app, and is there as long as that.
@MainActor
final class AppModel {
  /// The screens of the app.
  enum Screen: Equatable {
    case feed, article(Int), search, signUp, settings
  }

  let board = AsyncTagBoard()
  let server: any Server
  let articles: AsyncFamily<Int, Article>
  let settings: AsyncFamily<String, Settings>
  /// The input is the new setting. What the server answers takes its place; two changes are sent in their order.
  let saveSendsNews: AsyncMutation<Bool, Settings>
  /// The input is a name, the output a greeting.
  let signUp: AsyncMutation<String, String>

  init(server: any Server, clock: any Clock<Duration> = ContinuousClock()) {
    self.server = server
    let options = LoadOptions(staleAfter: .seconds(60), clock: clock)
    articles = AsyncFamily(options: options, keepUnused: 20, board: board) { id in try await server.article(id) }
    settings = AsyncFamily(options: options, keepUnused: 20, board: board) { _ in try await server.settings() }
    saveSendsNews = AsyncMutation(options: LoadOptions(clock: clock)) { try await server.save(Settings(sendsNews: $0)) }
      .changing({ [settings] _ in settings["own"] }) {
        $0.sendsNews = $1
      } confirming: {
        $0 = $2
      }
    signUp = AsyncMutation(options: LoadOptions(clock: clock)) { name in try await server.signUp(name) }
  }

  /// The settings of the one user.
  var ownSettings: AsyncResource<Settings> { settings["own"] }

  /// The number changes at once, and is taken back if the server refuses.
  func like(_ id: Int) async {
    await articles[id].mutate {
      $0.likes += 1
    } commit: { [server] in
      try await server.like(id)
    }
  }

  /// The switch changes at once.
  func setSendsNews(_ sendsNews: Bool) async { await saveSendsNews.perform(sendsNews).outcome() }
}
