// SPDX-License-Identifier: MIT
// An operation that is kept in a variable, or is a method of a service.
// also with: -default-isolation MainActor
// also with: -enable-upcoming-feature NonisolatedNonsendingByDefault

import AsyncState

nonisolated struct Service: Sendable {
  func articles() async throws -> [String] { ["news"] }
  func articles(about topic: String) async throws -> [String]? { [topic] }
}

@MainActor
final class Screen {
  private let data = AsyncData<[String]>()
  private let service = Service()
  private let fetch: @MainActor () async throws -> [String]? = { ["news"] }
  private lazy var kept = AsyncResource(operation: fetch)
  private lazy var method = AsyncResource(operation: service.articles)
  private let topic = Input<String?>(nil)
  private var following: AsyncResource<[String]>?

  func appear() async {
    following = AsyncResource(following: topic, operation: service.articles(about:))
    data.start(operation: fetch)
    data.start(.refresh, operation: service.articles)
    await data.load(operation: fetch)
    let local = { try await Service().articles() }
    await data.load(operation: local)
    kept.start()
    method.start()
  }
}

actor Session {
  private let data = AsyncData<[String]>()
  private let service = Service()
  private lazy var method = AsyncResource(isolation: self) { [service] in .value(service.articles) }

  func run() async {
    await data.load(operation: service.articles)
    await method.load()
  }
}
