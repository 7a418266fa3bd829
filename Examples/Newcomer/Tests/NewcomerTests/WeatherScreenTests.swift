// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

@testable import Newcomer

struct GatedWeather: WeatherService {
  let gate: ManualServer<String>

  init(ignoresCancellation: Bool = false) { gate = ManualServer(ignoresCancellation: ignoresCancellation) }

  func report() async throws -> String { try await gate.wait() }
}

@Suite("The weather screen", .timeLimit(.minutes(5)))
@MainActor
struct WeatherScreenTests {
  @Test("it displays the indicator and then the report", .repeated())
  func firstLoad() async {
    let service = GatedWeather()
    let screen = WeatherScreen(service: service)
    screen.viewDidLoad()
    #expect(screen.board.visiblePart == .indicator)

    service.gate.answer(call: 1, with: .success("Sun"))
    await screen.host.settled()
    #expect(screen.board.visiblePart == .content)
    #expect(screen.text == "Sun")
  }

  @Test("an error has a retry button, which requests again", .repeated(noticing: .retryIsMissing))
  func retry() async {
    let service = GatedWeather()
    let screen = WeatherScreen(service: service)
    screen.viewDidLoad()
    service.gate.answer(call: 1, with: .failure(NoConnection()))
    await screen.host.settled()
    #expect(screen.board.visiblePart == .error(message: "No weather: no connection", showsReload: true))

    screen.retry()
    #expect(screen.board.visiblePart == .indicator)
    service.gate.answer(call: 2, with: .success("Sun"))
    await screen.host.settled()
    #expect(screen.text == "Sun")
  }

  @Test("pull to refresh keeps the report until there is another", .repeated(noticing: .refreshHidesContent))
  func pullToRefresh() async {
    let service = GatedWeather()
    let screen = WeatherScreen(service: service)
    screen.viewDidLoad()
    service.gate.answer(call: 1, with: .success("Sun"))
    await screen.host.settled()

    async let refreshed: Void = screen.pullToRefresh()
    await service.gate.arrived(2)
    #expect(screen.board.visiblePart == .content)
    #expect(screen.text == "Sun")
    service.gate.answer(call: 2, with: .success("Rain"))
    await refreshed
    #expect(screen.text == "Rain")
  }

  @Test("an answer that arrives after a newer one changes nothing", .repeated(noticing: .lateAnswerIsDisplayed))
  func lateAnswer() async {
    let service = GatedWeather(ignoresCancellation: true)
    let screen = WeatherScreen(service: service)
    screen.viewDidLoad()
    await service.gate.arrived(1)
    screen.retry()
    await service.gate.arrived(2)

    service.gate.answer(call: 2, with: .success("new"))
    await screen.weather.data.loadEnded()
    #expect(screen.text == "new")
    service.gate.answer(call: 1, with: .success("old"))
    await screen.host.settled()
    #expect(screen.text == "new")
  }
}
