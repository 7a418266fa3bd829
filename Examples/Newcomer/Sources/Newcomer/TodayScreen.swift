// SPDX-License-Identifier: MIT
// A screen of two services: content when both have answered, an error when one has failed.

import AsyncState

protocol NewsService: Sendable {
  func headlines() async throws -> [String]
}

@MainActor
final class TodayScreen: @MainActor AsyncStatusPresenter {
  private(set) var line = ""
  let news: AsyncResource<[String]>
  let weather: AsyncResource<String>
  let host: AsyncHost<([String], String)>

  init(news newsService: any NewsService, weather weatherService: any WeatherService) {
    news = AsyncResource { try await newsService.headlines() }
    weather = AsyncResource(
      .value { reporter in
        if Mistake.placeholderIsYielded.isMade { try reporter.yield("–") }
        if Mistake.errorIsSwallowed.isMade { return try? await weatherService.report() }
        return try await weatherService.report()
      })
    host = AsyncHost(zip(news, weather))
    host.presenter = self
  }

  func viewDidLoad() { host.start() }
  func retry() {
    if Mistake.retryForgetsOneService.isMade { news.reload() } else { host.reload() }
  }

  func transitionToLoading(animated: Bool) { line = "Loading" }
  func transitionToError(_ error: any Error, animated: Bool) { line = "Failed: \(error)" }
  func transitionToNoData(animated: Bool) { line = "Nothing today" }
  func transitionToIdle(animated: Bool) { line = "Not loaded" }
  func transitionToWaiting(animated: Bool) { line = "Waiting for a connection" }
  func transitionToData(_ today: ([String], String), animated: Bool) {
    line = "\(today.1). \(today.0.joined(separator: ", "))"
  }
}
