// SPDX-License-Identifier: MIT
// A client of every public symbol of hosts: screens with children, with a presenter, with a board, and without either.
// also with: -default-isolation MainActor
// also with: -enable-upcoming-feature NonisolatedNonsendingByDefault
// also with: -strict-memory-safety

import AsyncState

nonisolated struct Weather: Equatable, Sendable {
  var degrees = 20
}

@MainActor
final class Spinner: @MainActor ChildController {
  private(set) var isTurning = false

  func willAppear(animated: Bool) { isTurning = true }
  func didDisappear(animated: Bool) { isTurning = false }
}

/// A screen of children.
@MainActor
final class WeatherScreen {
  private let spinner = Spinner()
  private let weather: AsyncResource<Weather>
  private let host: AsyncHost<Weather>
  private let both: AsyncHost<(Weather, Int)>

  init(weather: AsyncResource<Weather>, wind: AsyncResource<Int>) {
    self.weather = weather
    let pacer = DisplayPacer(delay: .milliseconds(100), minimum: .milliseconds(300), clock: ContinuousClock())
    host = AsyncHost(weather, policy: DisplayPolicy(errors: .always), pacer: pacer) { [spinner] status in
      status.kind == .loading ? [spinner] : []
    }
    both = AsyncHost(zip(weather, wind), animator: ImmediateAnimator()) { [spinner] status in
      if case .data((let weather, let wind)) = status { print(weather, wind) }
      return status.kind == .loading ? [spinner] : []
    }
    print(pacer)
    let former = AsyncStateWarnings.handler
    AsyncStateWarnings.handler = AsyncStateWarnings { message in print(message) }
    AsyncStateWarnings.handler = former
  }

  func viewWillAppear() {
    host.willAppear(animated: true)
    host.start()
    both.appear(animated: false)
    both.start()
  }

  func viewDidAppear() async {
    host.didAppear(animated: true)
    await weather.poll(every: .seconds(10), while: host.isVisible)
  }

  func viewWillDisappear() { host.willDisappear(animated: true) }

  func viewDidDisappear() {
    host.didDisappear(animated: true)
    both.disappear(animated: false)
  }

  func pulled() async { await host.refresh().outcome() }
  func retryTapped() { host.reload() }

  var line: String { "\(host.status) \(host.container.children.count) \(host.data.isRunning) \(host.description)" }
}

/// A screen that displays each status itself, of data that is requested by a closure.
@MainActor
final class PlainScreen: @MainActor AsyncStatusPresenter {
  private let host: AsyncHost<Weather>
  private(set) var text = ""

  init(weather: AsyncData<Weather>) {
    host = AsyncHost(data: weather, request: { data, mode in data.start(mode) { Weather() } })
  }

  func appear() {
    host.presenter = self
    host.appear(animated: true)
    host.start()
  }

  func transitionToLoading(animated: Bool) { text = "…" }
  func transitionToError(_ error: any Error, animated: Bool) { text = "\(error)" }
  func transitionToNoData(animated: Bool) { text = "nothing" }
  func transitionToIdle(animated: Bool) { text = "not requested" }
  func transitionToWaiting(animated: Bool) { text = "offline" }
  func transitionToNothing(animated: Bool) { text = "" }
  func transitionToData(_ value: Weather, animated: Bool) { text = "\(value.degrees)" }
}

/// A screen whose texts a board decides about.
@MainActor
final class TextScreen: @MainActor AsyncContent {
  private let weather: AsyncResource<Weather>
  private lazy var board = StatusBoard(content: self, weather)
  private lazy var host = AsyncHost(weather)
  private(set) var degrees = 0

  init(weather: AsyncResource<Weather>) {
    self.weather = weather
  }

  func appear() {
    host.presenter = board
    host.appear(animated: false)
    host.start()
  }

  func apply(_ value: Weather, animated: Bool) { degrees = value.degrees }
  var statusMessages: StatusMessages {
    StatusMessages(noData: "No weather.", idle: "Choose a city.", waiting: "Waiting.", error: { "No weather: \($0)" })
  }
  var canReload: Bool { true }

  var text: String {
    let part: StatusPart = board.visiblePart
    return switch part {
    case .nothing: ""
    case .indicator: "…"
    case .error(let message, let showsReload), .noData(let message, let showsReload):
      showsReload ? "\(message) Again?" : message
    case .content: "\(degrees)"
    }
  }

  func retryTapped() { board.reload() }
  var debugLine: String { "\(board)" }
}

/// A view that needs the status and the indicator alone, without flicker.
@MainActor
final class Badge {
  private let display: PacedStatus<Weather>

  init(weather: AsyncResource<Weather>) {
    display = PacedStatus(weather, pacer: DisplayPacer())
  }

  var text: String { "\(display.status?.description ?? "") \(display.isRunning)" }
}

actor Dashboard {
  private lazy var weather = AsyncResource(isolation: self) { .value { Weather() } }
  private lazy var display = PacedStatus(weather, policy: DisplayPolicy(), pacer: DisplayPacer())

  func isBusy() -> Bool { display.isRunning }
}
