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
  }

  final class Child: ChildController {
    let text: String
    init(_ text: String) { self.text = text }
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
    func List(_ articles: [Article]) -> Child { Child(articles.map(\.title).joined(separator: ", ")) }
    let articles = AsyncResource { try await service.articles() }
    let host = AsyncHost(articles) { status in
      switch status {
      case .loading: [spinner]
      case .error(let error): [Message("\(error)")]
      case .data(let articles): [List(articles)]
      case .noData: [Message("Nothing here")]
      }
    }
    host.load()
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
}

private struct GatedService: CommentSamples.Service {
  let gate = Gate<[CommentSamples.Article]>()
  func articles() async throws -> [CommentSamples.Article] { try await gate.wait() }
}

@Suite("Samples in the comments of public types", .timeLimit(.minutes(1)))
@MainActor
struct CommentSampleTests {
  private let service = GatedService()

  @Test("data load what the service answers")
  func data() async {
    let articles = CommentSamples.data(service)
    await service.gate.arrived(1)
    service.gate.answer(call: 1, with: .success([.init(title: "Rain")]))
    await service.gate.ended(1)
    #expect(articles.value == [.init(title: "Rain")])
  }

  @Test("a host shows the spinner, and then the list")
  func host() async {
    let host = CommentSamples.host(service)
    #expect(host.container.children.map { ($0 as? CommentSamples.Child)?.text } == ["spinner"])
    await service.gate.arrived(1)
    service.gate.answer(call: 1, with: .success([.init(title: "Rain"), .init(title: "Sun")]))
    await service.gate.ended(1)
    #expect(host.container.children.map { ($0 as? CommentSamples.Child)?.text } == ["Rain, Sun"])
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
}
