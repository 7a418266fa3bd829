// SPDX-License-Identifier: MIT
// The weather: a first load, an error with a retry button, pull to refresh, and answers that come late.

import AsyncState

protocol WeatherService: Sendable {
  func report() async throws -> String
}

@MainActor
final class WeatherScreen: @MainActor AsyncContent {
  private let service: any WeatherService
  private(set) var text = ""

  private(set) lazy var weather = AsyncResource { [weak self, service] in
    let report = try await service.report()
    if Mistake.lateAnswerIsDisplayed.isMade { self?.text = report }
    return report
  }
  private(set) lazy var host = AsyncHost(weather)
  private(set) lazy var board = StatusBoard(content: self, weather)

  init(service: any WeatherService) {
    self.service = service
    host.presenter = board
  }

  func viewDidLoad() { host.start() }
  func retry() { board.reload() }
  func pullToRefresh() async {
    if Mistake.refreshHidesContent.isMade { _ = await weather.reload().outcome() } else { await weather.load() }
  }

  // What the board cannot know
  func apply(_ report: String, animated: Bool) { text = report }
  var statusMessages: StatusMessages { StatusMessages(error: { "No weather: \($0)" }) }
  var canReload: Bool { !Mistake.retryIsMissing.isMade }
}
