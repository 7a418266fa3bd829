import AsyncState
import AsyncStateTesting
import Testing

/// The samples of README.md.
enum ReadmeSamples {
  protocol NewsService: Sendable {
    func headlines() async throws -> [String]
  }

  @MainActor
  final class HeadlinesScreen: @MainActor AsyncStatusPresenter {
    private(set) var line = ""
    let headlines: AsyncResource<[String]>
    let host: AsyncHost<[String]>

    init(service: any NewsService) {
      headlines = AsyncResource { try await service.headlines() }
      host = AsyncHost(headlines, policy: .emptyIsNoData())
      host.presenter = self
    }

    func transitionToLoading(animated: Bool) { line = "One moment …" }
    func transitionToError(_ error: any Error, animated: Bool) { line = "That did not work: \(error)" }
    func transitionToNoData(animated: Bool) { line = "No news today." }
    func transitionToData(_ headlines: [String], animated: Bool) { line = headlines.joined(separator: ", ") }
  }

  @MainActor
  static func use(_ service: any NewsService) -> HeadlinesScreen {
    let screen = HeadlinesScreen(service: service)
    screen.host.load()  // Shows "One moment …" before it returns, and asks the service.
    return screen
  }

  actor Session {
    private let profile = AsyncData<String>(staleAfter: .seconds(60))

    func greeting(from service: any ProfileService) async -> String {
      await profile.load(when: .stale) { try await service.name() }
      return switch determineState(profile.snapshot) {
      case .data(let name): "Hello, \(name)."
      case .error, .noData, .loading: "Hello."
      }
    }
  }

  protocol ProfileService: Sendable {
    func name() async throws -> String
  }
}

private struct GatedNews: ReadmeSamples.NewsService, ReadmeSamples.ProfileService {
  let gate = Gate<[String]>()
  func headlines() async throws -> [String] { try await gate.wait() }
  func name() async throws -> String { try await gate.wait().joined() }
}

private struct NoConnection: Error {}

@Suite("Samples of the README", .timeLimit(.minutes(1)))
@MainActor
struct ReadmeSampleTests {
  private let news = GatedNews()

  private func answer(_ call: Int, _ result: Result<[String], any Error>) async {
    await news.gate.arrived(call)
    news.gate.answer(call: call, with: result)
    await news.gate.ended(call)
  }

  @Test("the screen shows each of the four, and its buttons do what their comments say")
  func screen() async {
    let screen = ReadmeSamples.use(news)
    #expect(screen.line == "One moment …")
    await answer(1, .success(["Rain", "Sun"]))
    #expect(screen.line == "Rain, Sun")

    screen.host.reload()
    #expect(screen.line == "One moment …")
    await answer(2, .success([]))
    #expect(screen.line == "No news today.")

    screen.headlines.data.value = ["Wind"]
    screen.host.refresh()
    #expect(screen.line == "Wind")
    await answer(3, .failure(NoConnection()))
    #expect(screen.line == "That did not work: NoConnection()")

    screen.headlines.data.value = ["Wind"]
    screen.headlines.reload()
    #expect(screen.line == "One moment …")
    screen.headlines.cancel()
    #expect(screen.line == "Wind")
  }

  @Test("the session of a server greets by name, and asks once in a minute")
  func session() async {
    let session = ReadmeSamples.Session()
    async let first = session.greeting(from: news)
    await answer(1, .success(["Ada"]))
    #expect(await first == "Hello, Ada.")
    #expect(await session.greeting(from: news) == "Hello, Ada.")
  }
}
