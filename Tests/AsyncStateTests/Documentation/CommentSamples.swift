// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

/// The samples in the comments of public types, and the one on the landing page.
enum CommentSamples {
  struct Article: Sendable, Equatable {
    var title = ""
  }

  protocol Service: Sendable {
    func articles() async throws -> [Article]
    func weather() async throws -> Int
  }

  final class Child: ChildController {
    let text: String
    init(_ text: String) { self.text = text }
  }

  final class ArticleList: ChildController {
    var titles: [String] = []
    func display(_ articles: [Article]) { titles = articles.map(\.title) }
  }

  @MainActor
  static func data(_ service: any Service) -> AsyncData<[Article]> {
    let articles = AsyncData<[Article]>()
    articles.start { try await service.articles() }
    return articles
  }

  @MainActor
  static func host(_ service: any Service) -> AsyncHost<[Article]> {
    let spinner = Child("spinner")
    func Message(_ text: Any) -> Child { Child("\(text)") }
    func Retry() -> Child { Child("retry") }
    let list = ArticleList()
    let articles = AsyncResource { try await service.articles() }
    let host = AsyncHost(articles) { status in
      switch status {
      case .loading: return [spinner]
      case .error(let error): return [Message("\(error)")]
      case .noData: return [Message("Nothing here")]
      case .idle: return [Retry()]
      case .waiting: return [Message("Waiting for a network")]
      case .data(let articles):
        list.display(articles)  // One list for all values: it keeps its scroll position.
        return [list]
      }
    }
    host.start()
    return host
  }

  @MainActor
  static func screen(
    _ articles: AsyncResource<[Article]>, _ weather: AsyncResource<String>
  ) -> AsyncHost<([Article], String)> {
    let spinner = Child("spinner")
    func Message(_ text: Any) -> Child { Child("\(text)") }
    func Retry() -> Child { Child("retry") }
    func List(_ articles: [Article]) -> Child { Child(articles.map(\.title).joined(separator: ", ")) }
    func Sky(_ weather: String) -> Child { Child(weather) }
    let host = AsyncHost(zip(articles, weather)) { status in
      switch status {
      case .loading: [spinner]
      case .error(let error): [Message("\(error)")]
      case .data((let articles, let weather)): [List(articles), Sky(weather)]
      case .noData: [Message("Nothing here")]
      case .idle: [Retry()]
      case .waiting: [Message("Waiting for a network")]
      }
    }
    return host
  }

  enum Tab {
    case feed
    case search
  }

  static func tabs(_ feed: Child, _ search: Child) -> StateContainer<Tab> {
    let container = StateContainer(initialState: Tab.feed) { tab in
      switch tab {
      case .feed: [feed]
      case .search: [search]
      }
    }
    return container
  }

  enum Step {
    case address
    case payment
  }

  final class StepPage: ChildController {
    let step: Step
    init(_ step: Step) { self.step = step }
  }

  @MainActor
  final class Wizard {
    let animator = ClockAnimator()
    lazy var container = StateContainer(initialState: Step.address, animator: animator) { step in [StepPage(step)] }
  }

  final class Indicator {
    var isAnimating = false
  }

  @MainActor
  static func bound(_ articles: AsyncData<[Article]>) -> (Observed<Int>, Box<Indicator>) {
    let count = articles.observed.map { $0.value?.count ?? 0 }
    let indicator = Box(Indicator())
    indicator.bind(\.isAnimating, to: articles.observed.isRunning)
    return (count, indicator)
  }

  final class Label {
    var text = ""
  }

  struct Index {
    func count(matching text: String) -> Int { text.count }
  }

  static func search(_ index: Index, _ label: Label) {
    let query = Input("")
    let hits = query.map { index.count(matching: $0) }
    let token = hits.observe { label.text = "\($0) found" }
    query.write("swift")
    token.cancel()
  }

  @MainActor
  static func dataHost(_ articles: AsyncData<[Article]>, _ service: any Service) -> AsyncHost<[Article]> {
    let host = AsyncHost(
      data: articles,
      request: { data, mode in
        data.start(mode) { try await service.articles() }
      })
    return host
  }

  final class CallbackService {
    var completion: ((Result<[Article], any Error>) -> Void)?
    func fetch(_ completion: @escaping (Result<[Article], any Error>) -> Void) { self.completion = completion }
  }

  @MainActor
  static func begin(_ data: AsyncData<[Article]>, _ service: CallbackService) {
    let load = data.begin()
    service.fetch { result in
      switch result {
      case .success(let value): load.succeed(with: value)
      case .failure(let error): load.fail(with: error)
      }
    }
  }
}

private typealias Article = CommentSamples.Article

extension DisplayPolicy where Value == [Article] {
  static let feed = DisplayPolicy(errors: .never, isEmpty: { $0.isEmpty })
}

private struct GatedService: CommentSamples.Service {
  let server = ManualServer<[CommentSamples.Article]>()
  func articles() async throws -> [CommentSamples.Article] { try await server.wait() }
  func weather() async throws -> Int { 20 }
}

extension AllTests {
  @MainActor
  struct CommentSampleTests {
    private let service = GatedService()

    @Test("data loads what the service answers")
    func data() async {
      let articles = CommentSamples.data(service)
      await service.server.arrived(1)
      service.server.answer(call: 1, with: .success([.init(title: "Rain")]))
      await articles.settled()
      #expect(articles.value == [.init(title: "Rain")])
    }

    @Test("a host shows the spinner, and then the list")
    func host() async {
      let host = CommentSamples.host(service)
      #expect(host.container.children.map { ($0 as? CommentSamples.Child)?.text } == ["spinner"])
      await service.server.arrived(1)
      service.server.answer(call: 1, with: .success([.init(title: "Rain"), .init(title: "Sun")]))
      await host.settled()
      #expect(host.container.children.map { ($0 as? CommentSamples.ArticleList)?.titles } == [["Rain", "Sun"]])
    }

    @Test("a host of two resources shows both when both are there")
    func screen() async {
      let host = CommentSamples.screen(AsyncResource { [.init(title: "Rain")] }, AsyncResource { "blue" })
      host.start()
      #expect(host.container.children.map { ($0 as? CommentSamples.Child)?.text } == ["spinner"])
      await host.settled()
      #expect(host.container.children.map { ($0 as? CommentSamples.Child)?.text } == ["Rain", "blue"])
    }

    @Test("a container shows the children of its state")
    func container() {
      let (feed, search) = (CommentSamples.Child("feed"), CommentSamples.Child("search"))
      let container = CommentSamples.tabs(feed, search)
      container.willAppear(animated: false)
      container.didAppear(animated: false)
      #expect(container.children.count == 1)
      #expect(container.children.first === feed)
      container.setNeedsTransition(to: .search, animated: false)
      #expect(container.children.first === search)
    }

    @Test("a wizard's container has an animator of its own, which keeps nothing")
    func wizard() {
      let wizard = CommentSamples.Wizard()
      wizard.container.appear(animated: false)
      #expect((wizard.container.children.first as? CommentSamples.StepPage)?.step == .address)
    }

    @Test("a count and an indicator follow the data")
    func bound() {
      let articles = AsyncData<[CommentSamples.Article]>()
      let (count, indicator) = CommentSamples.bound(articles)
      let load = articles.begin()
      #expect(indicator.unbox.isAnimating)
      load.succeed(with: [.init(), .init()])
      #expect(!indicator.unbox.isAnimating)
      #expect(count.current == 2)
    }

    @Test("a label follows a query until its token is cancelled")
    func search() {
      let label = CommentSamples.Label()
      CommentSamples.search(CommentSamples.Index(), label)
      #expect(label.text == "5 found")
    }

    @Test("a host of data requests them with its closure")
    func dataHost() async {
      let host = CommentSamples.dataHost(AsyncData(), service)
      let load = host.start()
      await service.server.arrived(1)
      service.server.answer(call: 1, with: .success([]))
      guard case .success(let articles) = await load.outcome() else { return #expect(Bool(false)) }
      #expect(articles == [])
    }

    @Test("of two callbacks only the newest load's is written")
    func begin() {
      let data = AsyncData<[CommentSamples.Article]>()
      let service = CommentSamples.CallbackService()
      CommentSamples.begin(data, service)
      let first = service.completion
      CommentSamples.begin(data, service)
      service.completion?(.success([.init(title: "new")]))
      first?(.success([.init(title: "old")]))
      #expect(data.value == [.init(title: "new")])
    }

    @Test("data is settled when the operation has returned")
    func settled() async {
      let server = ManualServer<[String]>()
      let data = AsyncData<[String]>()
      data.start { try await server.wait() }
      await server.arrived(1)
      server.answer(call: 1, with: .success(["Rain", "Sun"]))
      await data.settled()
      #expect(data.value == ["Rain", "Sun"])
    }

    @Test("a recorder compares a container's trace")
    func recorder() {
      let recorder = Recorder()
      let container = StateContainer(initialState: 1, children: recorder.children { [recorder.child("page \($0)")] })
      recorder.record(container)
      container.willAppear(animated: false)
      container.didAppear(animated: false)
      let expected = "W(1,f) K(1) page1+ cwa page1 page1.wa A(page1) page1.da cda page1 page1+! D(nil,f)"
      #expect(recorder.difference(from: expected) == nil)
    }

    @Test("a policy is a constant: an empty feed is no data, and an error replaces no data")
    func policy() {
      let feed = AsyncData<[CommentSamples.Article]>()
      feed.value = []
      #expect(feed.snapshot.status(policy: .feed).kind == .noData)
    }
  }
}
