// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

/// The samples of the articles about apps: in an app target, logging out, polling, previews, dashboards.
enum AppSamples {
  nonisolated protocol WeatherService: Sendable {
    func temperature(in city: String) async throws -> Double
    func warnings() async throws -> [String]
  }

  nonisolated struct Forecast: Equatable, Codable {
    var city: String
    var temperature: Double
  }

  @MainActor
  final class Account {
    let board = AsyncTagBoard()
    let forecasts: AsyncFamily<String, Forecast>
    let profile: AsyncResource<String>
    let rename: AsyncMutation<String, Void>
    let notes: AsyncOutbox<String, Void>
    private(set) var isLoggedIn = true

    init(
      service: any WeatherService, store: (any ValueStore<String, Forecast>)? = nil,
      notes: any OutboxStore<String> = MemoryOutboxStore<String>()
    ) {
      forecasts = AsyncFamily(board: board, store: store) { city in
        Forecast(city: city, temperature: try await service.temperature(in: city))
      }
      profile = AsyncResource { try await service.warnings().first }
      rename = AsyncMutation { name in _ = try await service.temperature(in: name) }
        .invalidating(board) { _, _ in [] }
      self.notes = AsyncOutbox(store: notes, isPermanent: { _, _ in false }) { note, _ in
        _ = try await service.temperature(in: note)
      }
    }

    func logOut() async throws {
      isLoggedIn = false
      board.gate.close()
      board.resetMutations()
      profile.forget()
      let removals = [Task { try await notes.discardAll() }, Task { try await forecasts.forgetAll() }]
      for removal in removals { _ = await removal.result }
      for removal in removals { try await removal.value }
    }

    func logIn() {
      isLoggedIn = true
      board.gate.open()
    }
  }

  @MainActor
  final class WarningsModel {
    let warnings: AsyncResource<[String]>

    init(service: any WeatherService, clock: any Clock<Duration> = ContinuousClock()) {
      warnings = AsyncResource(options: LoadOptions(clock: clock)) { try await service.warnings() }
    }

    func whileVisible() async {
      await warnings.poll(every: { $0.error == nil ? .seconds(30) : .seconds(120) })
    }
  }

  @MainActor
  static func connection(of board: AsyncTagBoard) -> ObservedToken {
    let isOnline = Input(true)
    let token = board.gate.follow(isOnline)
    isOnline.write(false)  // The connection is lost.
    isOnline.write(true)  // It is back: what is stale is requested.
    return token
  }

  @MainActor
  static func background(of board: AsyncTagBoard, _ isInForeground: Input<Bool>) -> ObservedToken {
    board.gate.close()
    let token = board.gate.follow(isInForeground)
    return token
  }

  @MainActor
  static func connection(
    of gate: LoadGate, _ board: AsyncTagBoard, _ isOnline: Input<Bool>, _ isForeground: Input<Bool>
  ) -> [ObservedToken] {
    let tokens: [ObservedToken]
    tokens = [gate.follow(isOnline), board.gate.follow(isForeground)]
    return tokens
  }

  @MainActor
  final class ArticleScreen {
    let host: AsyncHost<[String]>

    init(_ articles: AsyncResource<[String]>) {
      host = AsyncHost(articles) { _ in [] }
    }

    func willAppear() { host.start(when: .stale) }
  }

  @MainActor
  static func previewedResource() -> AsyncResource<[String]> {
    let articles = AsyncResource.preview(.failed(Offline(), keeping: ["Storm"]))
    return articles
  }

  nonisolated struct Offline: Error {}

  @MainActor
  final class DashboardModel {
    let temperature: AsyncResource<Double>
    let warnings: AsyncResource<[String]>

    init(service: any WeatherService) {
      temperature = AsyncResource { try await service.temperature(in: "Oslo") }
      warnings = AsyncResource { try await service.warnings() }
    }

    func appear() {
      temperature.start(when: .stale)
      warnings.start(when: .stale)
    }

    func makeHeadline() -> AsyncResource<String> {
      AsyncResource(.of(temperature, warnings) { "\($0)°, \($1.count) warnings" })
    }
  }
}

struct GatedWeather: AppSamples.WeatherService {
  let temperatures = ManualServer<Double>()
  let warningLists = ManualServer<[String]>()
  func temperature(in city: String) async throws -> Double { try await temperatures.wait() }
  func warnings() async throws -> [String] { try await warningLists.wait() }
}

extension AllTests {
  @MainActor
  struct AppSampleTests {
    private let service = GatedWeather()

    @Test("3.17, 11.4 a gate follows the network, and that of a board the foreground")
    func connected() {
      let (gate, board) = (LoadGate(), AsyncTagBoard())
      let (isOnline, isForeground) = (Input(true), Input(false))
      let tokens = AppSamples.connection(of: gate, board, isOnline, isForeground)
      #expect(gate.isOpen && !board.gate.isOpen)
      isForeground.write(true)
      #expect(board.gate.isOpen)
      isOnline.write(false)
      #expect(!gate.isOpen && board.gate.isOpen)
      let token = AppSamples.background(of: board, Input(true))
      #expect(board.gate.isOpen)
      token.cancel()
      withExtendedLifetime(tokens) {}
    }

    @Test("6.1 a screen that appears requests what is stale")
    func appearing() async {
      var requests = 0
      let articles = AsyncResource {
        requests += 1
        return ["Storm"]
      }
      let screen = AppSamples.ArticleScreen(articles)
      screen.willAppear()
      await articles.settled()
      screen.willAppear()
      await articles.settled()
      #expect(requests == 1)
      articles.invalidate()
      screen.willAppear()
      await articles.settled()
      #expect(requests == 2)
    }

    @Test("a log-out removes all values and ends what runs, and the answer of a former account is never displayed")
    func logOut() async throws {
      let store = MemoryStore<String, AppSamples.Forecast>()
      let account = AppSamples.Account(service: service, store: store)
      let oslo = account.forecasts["Oslo"]
      oslo.start()
      await service.temperatures.arrived(1)
      service.temperatures.answer(call: 1, with: .success(3))
      await oslo.settled()
      #expect(oslo.data.value == AppSamples.Forecast(city: "Oslo", temperature: 3))
      oslo.refresh()
      account.profile.start()
      await service.temperatures.arrived(2)
      await service.warningLists.arrived(1)

      try await account.logOut()
      #expect(oslo.data.value == nil)
      #expect(!oslo.data.isRunning)
      #expect(!account.profile.data.isRunning)
      #expect(oslo.status.kind == .idle)
      await oslo.settled()
      #expect(oslo.data.value == nil)

      account.logIn()
      oslo.start(when: .stale)
      await service.temperatures.arrived(3)
      service.temperatures.answer(call: 3, with: .success(5))
      await oslo.settled()
      #expect(oslo.data.value?.temperature == 5)
    }

    @Test("what has failed is requested again when the connection is back")
    func connection() async {
      let account = AppSamples.Account(service: service)
      let oslo = account.forecasts["Oslo"]
      service.temperatures.answer(call: 1, with: .failure(AppSamples.Offline()))
      await oslo.load()
      let token = AppSamples.connection(of: account.board)
      await service.temperatures.arrived(2)
      service.temperatures.answer(call: 2, with: .success(5))
      await account.board.settled()
      #expect(oslo.value?.temperature == 5)
      withExtendedLifetime(token) {}
    }

    @Test("polling ends with the task of the screen, and waits longer after a failure")
    func polling() async {
      let clock = ManualClock()
      let model = AppSamples.WarningsModel(service: service, clock: clock)
      let task = Task { await model.whileVisible() }
      await service.warningLists.arrived(1)
      service.warningLists.answer(call: 1, with: .success(["Ice"]))
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .seconds(30))
      await service.warningLists.arrived(2)
      service.warningLists.answer(call: 2, with: .failure(AppSamples.Offline()))
      await clock.sleepers(atLeast: 1)
      #expect(model.warnings.status.kind == .data)
      await clock.advance(by: .seconds(119))
      #expect(clock.sleeperCount == 1)
      task.cancel()
      await task.value
      #expect(clock.sleeperCount == 0)
    }

    @Test("a preview displays what it was made with, and requests nothing")
    func preview() async {
      let articles = AppSamples.previewedResource()
      await articles.load()
      #expect(articles.value == ["Storm"] && articles.error is AppSamples.Offline)
    }

    @Test("a dashboard requests all its parts at once, and one that fails takes no other away")
    func dashboard() async throws {
      let model = AppSamples.DashboardModel(service: service)
      model.appear()
      await service.temperatures.arrived(1)
      await service.warningLists.arrived(1)
      service.warningLists.answer(call: 1, with: .failure(AppSamples.Offline()))
      service.temperatures.answer(call: 1, with: .success(2.5))
      await model.temperature.settled()
      await model.warnings.settled()
      #expect(model.temperature.status.kind == .data)
      #expect(model.warnings.status.kind == .error)

      let made = model.makeHeadline()
      let headline = Task { try await made.get() }
      await service.warningLists.arrived(2)
      service.warningLists.answer(call: 2, with: .success(["Ice"]))
      // The temperature is fresh, and is not requested again.
      #expect(try await headline.value == "2.5°, 1 warnings")
    }
  }
}

/// The names of another module.
private enum Clashing {
  enum RetryPolicy { case limit }
  struct Box {}

  static func options() -> LoadOptions {
    let policy: AsyncState::RetryPolicy = .exponential()
    return LoadOptions(retry: policy)
  }
}
