// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting

@testable import Screens

/// The server of the example app, which a test answers for, one kind of request after another.
struct AppServer: Server {
  let pages = ManualServer<Int>()
  var pictures = ManualServer<String>()
  let articles = ManualServer<Article>()
  let likes = ManualServer<Int>()
  let results = ManualServer<[String]>()
  let settingsToRead = ManualServer<Settings>()
  let settingsToSave = ManualServer<Settings>()
  let greetings = ManualServer<String>()

  func posts(from start: Int) async throws -> (posts: [Post], next: Int?) {
    let count = try await pages.wait(for: start)
    return ((start..<start + count).map { Post(id: $0, text: "post \($0)") }, count == 0 ? nil : start + count)
  }
  func picture(of post: Int) async throws -> String { try await pictures.wait(for: post) }
  func entries(matching text: String) async throws -> [String] { try await results.wait(for: text) }
  func article(_ id: Int) async throws -> Article { try await articles.wait(for: id) }
  func like(_ id: Int) async throws { _ = try await likes.wait(for: id) }
  func settings() async throws -> Settings { try await settingsToRead.wait() }
  func save(_ settings: Settings) async throws -> Settings {
    try await settingsToSave.wait(for: settings.sendsNews)
  }
  func signUp(_ name: String) async throws -> String { try await greetings.wait(for: name) }
}
