// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

/// The samples of the article Offline, and of gates in comments.
enum OfflineSamples {
  protocol NewsService: Sendable {
    func article(_ id: Int) async throws -> String
    func vote(_ id: Int) async throws -> Int
  }

  @MainActor
  final class Newsroom {
    let online = LoadGate()
    let board = AsyncTagBoard()
    let articles: AsyncFamily<Int, String>
    let vote: AsyncMutation<Int, Int>

    init(service: any NewsService) {
      let options = LoadOptions(staleAfter: .seconds(60), retry: .exponential(), gate: online)
      articles = AsyncFamily(options: options, board: board) { id in try await service.article(id) }
      vote = AsyncMutation(options: options) { id in try await service.vote(id) }
    }
  }

  struct Weather: NewsService {
    func article(_ id: Int) -> String { "Rain" }
    func vote(_ id: Int) -> Int { id }
  }

  @MainActor
  static func text(_ article: AsyncResource<String>) -> String {
    switch article.status {
    case .loading: "…"
    case .error(let error): "\(error)"
    case .data(let text): text
    case .waiting: "Waiting for a network"
    case .noData: "Nothing here"
    case .idle: "Not loaded"
    }
  }
}

extension AllTests {
  @MainActor
  struct OfflineSampleTests {
    typealias Newsroom = OfflineSamples.Newsroom
    let service: any OfflineSamples.NewsService = OfflineSamples.Weather()

    @Test("3.17 an app without a network waits, votes and articles alike, and continues with one")
    func app() async {
      let newsroom = Newsroom(service: service)
      newsroom.online.close()
      let article = newsroom.articles[6]
      let load = article.start()
      #expect(OfflineSamples.text(article) == "Waiting for a network")
      let vote = newsroom.vote.perform(6)
      #expect("\(newsroom.vote.status)" == "waiting for a network: 6")
      newsroom.online.open()
      _ = await load.outcome()
      _ = await vote.outcome()
      #expect(OfflineSamples.text(article) == "Rain" && newsroom.vote.output == 6)
    }

    @Test("3.17, 3.24 the gate of a comment, and one that follows conditions")
    func comments() async {
      let online = LoadGate(width: 6)
      let options = LoadOptions(retry: .exponential(), gate: online)
      let articles = AsyncFamily(options: options) { id in try await service.article(id) }
      // From a reachability monitor, on any actor:
      online.close()
      online.open()
      #expect(await articles[5].load().word == "Rain")

      let (isOnline, isLoggedOut) = (Input(true), Input(false))
      let gate = LoadGate()
      let token: ObservedToken
      token = gate.follow(isOnline && !isLoggedOut)
      isLoggedOut.write(true)
      #expect(!gate.isOpen)
      withExtendedLifetime(token) {}
    }

    @Test("3.17 a test opens the gate itself")
    func test() async {
      let gate = LoadGate(isOpen: false)
      let article = AsyncResource(options: LoadOptions(gate: gate)) { try await service.article(5) }
      article.start()
      #expect(article.isWaiting)
      gate.open()
      await article.settled()
      #expect(article.value == "Rain")
    }

    @Test("3.11 polling pauses while a host is not visible")
    func polling() async {
      let clock = ManualClock()
      var requests = 0
      let quotes = AsyncResource<Int>(options: LoadOptions(clock: clock)) {
        requests += 1
        return requests
      }
      let host = AsyncHost(quotes) { _ in [] }
      let polling = Task {
        await quotes.poll(every: .seconds(10), while: host.isVisible)
      }
      // What waits on this actor runs first, as the task above.
      await clock.advance(by: .zero)
      #expect(requests == 0)
      host.appear(animated: false)
      await clock.sleepers(atLeast: 1)
      #expect(requests == 1)
      host.disappear(animated: false)
      await clock.advance(by: .seconds(20))
      #expect(requests == 1)
      polling.cancel()
      await polling.value
    }
  }
}

extension AsyncOutcome where Success == String? {
  fileprivate var word: String? { try? get() }
}
