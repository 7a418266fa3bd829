// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

/// The samples of the articles CombiningData, Wizard and Adopting.
enum TaskSamples {
  // MARK: CombiningData

  @MainActor
  struct NewsAndWeather {
    let news: AsyncResource<[String]>
    let weather: AsyncResource<String>

    var status: AsyncStatus<([String], String)> {
      zip(news.snapshot, weather.snapshot).status
    }
  }

  struct User: Identifiable, Equatable, Sendable {
    var id: Int
  }

  protocol Shop: Sendable {
    func orders(of user: Int) async throws -> [String]
  }

  @MainActor
  static func orders(of user: AsyncData<User>, in shop: any Shop) -> AsyncResource<[String]> {
    let userID = user.observed.map { $0.value?.id }
    let orders = AsyncResource(following: userID) { try await shop.orders(of: $0) }
    return orders
  }

  // MARK: Wizard

  @MainActor
  final class Checkout {
    enum Step: Int { case address, payment, summary }

    let steps: StateContainer<Step>

    init(address: any ChildController, payment: any ChildController, summary: any ChildController) {
      steps = StateContainer(initialState: .address) { step in
        switch step {
        case .address: [address]
        case .payment: [address, payment]
        case .summary: [summary]
        }
      }
    }

    func next() {
      guard !steps.isTransitioning, let next = Step(rawValue: steps.currentState.rawValue + 1) else { return }
      steps.setNeedsTransition(to: next, animated: true)
    }
  }

  // MARK: ComingFrom

  struct ArticlesClient: Sendable {
    var articles: @MainActor @Sendable () async throws -> [String]

    @MainActor
    init(_ resource: AsyncResource<[String]>) {
      articles = { try await resource.get() }
    }
  }

  // MARK: Adopting

  enum Phase: Equatable {
    case loading, loaded([String]), failed(String)
  }

  protocol TitleService: Sendable {
    func titles() async throws -> [String]
  }

  @MainActor
  final class TitlesModel {
    let titles: AsyncResource<[String]>
    var phase: Phase { Phase(titles.status) }

    init(service: any TitleService) {
      titles = AsyncResource { try await service.titles() }
    }
  }
}

private typealias Phase = TaskSamples.Phase

extension Phase {
  init(_ status: AsyncStatus<[String]>) {
    switch status {
    case .loading: self = .loading
    case .data(let titles): self = .loaded(titles)
    case .noData: self = .loaded([])
    case .idle: self = .failed("Not loaded")
    case .waiting: self = .failed("Waiting for a network")
    case .error(let error): self = .failed("\(error)")
    }
  }
}

private struct Gated: TaskSamples.Shop, TaskSamples.TitleService {
  let server = ManualServer<[String]>()
  func orders(of user: Int) async throws -> [String] { try await server.wait(for: user) }
  func titles() async throws -> [String] { try await server.wait() }
}

private final class Form: ChildController {
  var isVisible = false
  func didAppear(animated: Bool) { isVisible = true }
  func didDisappear(animated: Bool) { isVisible = false }
}

extension AllTests {
  @MainActor
  struct TaskSampleTests {
    @Test("a screen of two resources has data when both have, and displays the first error")
    func combined() async {
      struct Broken: Error {}
      let model = TaskSamples.NewsAndWeather(
        news: AsyncResource { ["Rain"] }, weather: AsyncResource { throw Broken() })
      #expect(model.status.kind == .loading)
      await model.news.load()
      #expect(model.status.kind == .loading)
      model.weather.data.value = "sunny"
      #expect(model.status.value?.0 == ["Rain"])
      #expect(model.status.value?.1 == "sunny")
      await model.weather.load()
      #expect(model.status.kind == .data, "the error of a refresh is displayed beside the data")
      await model.weather.reload().outcome()
      #expect(model.status.kind == .error)
    }

    @Test("the orders follow the user, and those of the former are removed in the same change")
    func following() async {
      let shop = Gated()
      let user = AsyncData<TaskSamples.User>()
      let orders = TaskSamples.orders(of: user, in: shop)
      orders.start()
      #expect(!orders.isRunning)
      user.value = .init(id: 1)
      await shop.server.arrived(1)
      shop.server.answer(call: 1, with: .success(["a book"]))
      await orders.settled()
      #expect(orders.value == ["a book"])
      user.value = .init(id: 2)
      #expect(orders.value == nil)
      await shop.server.arrived(2)
      shop.server.answer(call: 2, with: .success(["a pen"]))
      await orders.settled()
      #expect(orders.value == ["a pen"])
      #expect(shop.server.arguments() == [1, 2])
    }

    @Test("a dependency with the value of a resource is called on any thread")
    func client() async throws {
      let client = TaskSamples.ArticlesClient(AsyncResource { ["Rain"] })
      #expect(try await Task.detached { try await client.articles() }.value == ["Rain"])
    }

    @Test("a child that two steps have in common stays, and the last step is the last")
    func wizard() {
      let (address, payment, summary) = (Form(), Form(), Form())
      let checkout = TaskSamples.Checkout(address: address, payment: payment, summary: summary)
      checkout.steps.appear(animated: false)
      checkout.next()
      #expect((address.isVisible, payment.isVisible, summary.isVisible) == (true, true, false))
      checkout.next()
      checkout.next()
      #expect((address.isVisible, payment.isVisible, summary.isVisible) == (false, false, true))
      #expect(checkout.steps.currentState == .summary)
    }

    @Test("the former enum follows the resource")
    func migrating() async {
      let service = Gated()
      let model = TaskSamples.TitlesModel(service: service)
      #expect(model.phase == .loading)
      let load = model.titles.start()
      await service.server.arrived(1)
      service.server.answer(call: 1, with: .success(["One"]))
      await load.outcome()
      #expect(model.phase == .loaded(["One"]))
      model.titles.reload()
      #expect(model.phase == .loading)
      model.titles.cancel()
      #expect(model.phase == .loaded(["One"]))
    }
  }
}
