// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

nonisolated private struct Service: Sendable {
  /// It leaves the caller's actor, as an async function of a module without compiler flags does.
  @concurrent func articles(of topic: String = "news") async -> [String] { [topic] }
}

private final class Screen {
  private let service = Service()
  let topic = Input<String?>("sport")

  let stored = AsyncResource {
    MainActor.assertIsolated()
    let articles = await Service().articles()
    MainActor.assertIsolated()
    return articles
  }
  private(set) lazy var delayed = AsyncResource { [service] in
    MainActor.assertIsolated()
    let articles = await service.articles()
    MainActor.assertIsolated()
    return articles
  }
  let initialised: AsyncResource<[String]>
  let following: AsyncResource<[String]>

  init(service: Service) {
    initialised = AsyncResource {
      MainActor.assertIsolated()
      let articles = await service.articles()
      MainActor.assertIsolated()
      return articles
    }
    following = AsyncResource(following: topic) { topic in
      MainActor.assertIsolated()
      let articles = await service.articles(of: topic)
      MainActor.assertIsolated()
      return articles
    }
  }
}

private actor Session {
  private let service = Service()
  private var count = 0

  /// The actor that its operation runs on.
  private(set) lazy var delayed = AsyncResource(isolation: self) { .value { #isolation.map(ObjectIdentifier.init) } }
  private(set) lazy var articles = AsyncResource(isolation: self) { [service] in .value { await service.articles() } }

  func isOnItsActor() async throws -> Bool {
    let local = AsyncResource(isolation: self) {
      .value {
        self.count += 1
        let articles = await self.service.articles()
        self.count += 1
        return articles
      }
    }
    let answer = try await local.load().get()
    let actor = try await delayed.load().get()
    return try await articles.load().get() == answer && actor == ObjectIdentifier(self) && count == 2
  }
}

@Suite("A resource in every position, in a module whose default isolation is the main actor", .timeLimit(.minutes(1)))
struct DefaultIsolationTests {
  @Test("as a stored and a lazy property, and in an initialiser, its operation runs on the main actor")
  func screen() async throws {
    let screen = Screen(service: Service())
    for resource in [screen.stored, screen.delayed, screen.initialised] {
      #expect(try await resource.load().get() == ["news"])
    }
    #expect(try await screen.following.load().get() == ["sport"])
    screen.topic.write("weather")
    await screen.following.settled()
    #expect(screen.following.value == ["weather"])
  }

  @Test("in an actor its operation runs on that actor")
  func session() async throws {
    let session = Session()
    #expect(try await session.isOnItsActor())
  }
}
