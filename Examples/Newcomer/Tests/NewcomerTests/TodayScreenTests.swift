// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

@testable import Newcomer

private struct GatedNews: NewsService {
  let gate = ManualServer<[String]>()
  func headlines() async throws -> [String] { try await gate.wait() }
}

@Suite("The screen of two services", .timeLimit(.minutes(5)))
@MainActor
struct TodayScreenTests {
  private let news = GatedNews()
  private let weather = GatedWeather()

  private func makeScreen() -> TodayScreen {
    let screen = TodayScreen(news: news, weather: weather)
    screen.viewDidLoad()
    return screen
  }

  @Test("it waits for both services, in any order", .repeated(noticing: .placeholderIsYielded))
  func both() async {
    let screen = makeScreen()
    #expect(screen.line == "Loading")
    news.gate.answer(call: 1, with: .success(["Elections", "Sport"]))
    await screen.news.settled()
    #expect(screen.line == "Loading")
    weather.gate.answer(call: 1, with: .success("Sun"))
    await screen.host.settled()
    #expect(screen.line == "Sun. Elections, Sport")
  }

  @Test(
    "the error of one is displayed, and a retry requests both",
    .repeated(noticing: .errorIsSwallowed, .retryForgetsOneService))
  func retry() async {
    let screen = makeScreen()
    news.gate.answer(call: 1, with: .success(["Elections"]))
    weather.gate.answer(call: 1, with: .failure(NoConnection()))
    await screen.host.settled()
    #expect(screen.line == "Failed: no connection")

    screen.retry()
    #expect(screen.line == "Loading")
    news.gate.answer(call: 2, with: .success(["Sport"]))
    weather.gate.answer(call: 2, with: .success("Sun"))
    await screen.host.settled()
    #expect(screen.line == "Sun. Sport")
  }
}
