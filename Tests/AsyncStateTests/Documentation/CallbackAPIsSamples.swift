// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

/// The samples of the article CallbackAPIs.
enum CallbackAPIsSamples {
  @MainActor
  protocol ArticleRequests: AnyObject {
    func fetchArticles(_ completion: @escaping @MainActor (Result<[String], any Error>) -> Void)
  }

  @MainActor
  final class ArticlesModel {
    let articles = AsyncData<[String]>()
    private let service: any ArticleRequests

    init(service: any ArticleRequests) { self.service = service }

    func load(_ mode: LoadMode = .reload) {
      let load = articles.begin(mode)
      service.fetchArticles { result in
        switch result {
        case .success(let articles): load.succeed(with: articles)
        case .failure(let error): load.fail(with: error)
        }
      }
    }
  }

  @MainActor
  final class ArticlesScreen {
    let host: AsyncHost<[String]>

    init(service: any ArticleRequests) {
      host = AsyncHost(request: { data, mode in
        let load = data.begin(mode)
        service.fetchArticles { result in
          switch result {
          case .success(let articles): load.succeed(with: articles)
          case .failure(let error): load.fail(with: error)
          }
        }
      })
    }
  }

  protocol ArticleService: Sendable {
    func fetchArticles(_ completion: @escaping @Sendable (Result<[String], any Error>) -> Void)
    func makeRequest() -> any ArticleRequest
  }

  protocol ArticleRequest: Sendable {
    func start(_ completion: @escaping @Sendable (Result<[String], any Error>) -> Void)
    func cancel()
  }

  @MainActor
  final class AnyThreadModel {
    let articles: AsyncResource<[String]>

    init(service: any ArticleService) {
      articles = AsyncResource(options: LoadOptions(retry: .exponential())) {
        try await withCheckedThrowingContinuation { continuation in
          service.fetchArticles { continuation.resume(with: $0) }
        }
      }
    }
  }

  @MainActor
  final class CancellableModel {
    let articles: AsyncResource<[String]>

    init(service: any ArticleService) {
      articles = AsyncResource {
        let request = service.makeRequest()
        return try await withTaskCancellationHandler {
          try await withCheckedThrowingContinuation { continuation in
            request.start { continuation.resume(with: $0) }
          }
        } onCancel: {
          request.cancel()
        }
      }
    }
  }

  @MainActor
  protocol LocatorDelegate: AnyObject {
    func locatorDidMove(to place: String)
    func locatorDidFinish(at place: String)
    func locatorDidFail(with error: any Error)
  }

  @MainActor
  protocol Locator: AnyObject {
    var delegate: (any LocatorDelegate)? { get set }
    func start()
  }

  @MainActor
  final class PositionModel: @MainActor LocatorDelegate {
    let position = AsyncData<String>()
    private let locator: any Locator
    private var load: PendingLoad<String>?

    init(locator: any Locator) { self.locator = locator }

    func locate() {
      load = position.begin(.refresh)
      locator.delegate = self
      locator.start()
    }

    func locatorDidMove(to place: String) { load?.yield(place) }
    func locatorDidFinish(at place: String) { load?.succeed(with: place) }
    func locatorDidFail(with error: any Error) { load?.fail(with: error) }
  }
}

@MainActor
private final class HeldRequests: CallbackAPIsSamples.ArticleRequests {
  var completions: [@MainActor (Result<[String], any Error>) -> Void] = []
  func fetchArticles(_ completion: @escaping @MainActor (Result<[String], any Error>) -> Void) {
    completions.append(completion)
  }
}

/// Calls back on other threads, with what its server is answered with.
private struct ThreadedService: CallbackAPIsSamples.ArticleService {
  struct Request: CallbackAPIsSamples.ArticleRequest {
    let server: ManualServer<[String]>
    let cancellations: AsyncStream<Void>.Continuation

    func start(_ completion: @escaping @Sendable (Result<[String], any Error>) -> Void) {
      Task.detached {
        do { completion(.success(try await server.wait())) } catch { completion(.failure(error)) }
      }
    }

    func cancel() { cancellations.yield() }
  }

  let server = ManualServer<[String]>()
  let cancellations = AsyncStream<Void>.makeStream()

  func makeRequest() -> any CallbackAPIsSamples.ArticleRequest {
    Request(server: server, cancellations: cancellations.continuation)
  }

  func fetchArticles(_ completion: @escaping @Sendable (Result<[String], any Error>) -> Void) {
    makeRequest().start(completion)
  }
}

@MainActor
private final class HeldLocator: CallbackAPIsSamples.Locator {
  weak var delegate: (any CallbackAPIsSamples.LocatorDelegate)?
  func start() {}
}

private struct Broken: Error {}

extension AllTests {
  @MainActor
  struct CallbackAPIsSampleTests {
    @Test("of two requests the newer one wins, in whatever order their handlers are called")
    func newestWins() {
      let service = HeldRequests()
      let model = CallbackAPIsSamples.ArticlesModel(service: service)
      model.load()
      model.load()
      service.completions[1](.success(["new"]))
      service.completions[0](.success(["old"]))
      #expect(model.articles.value == ["new"])
      model.load()
      service.completions[2](.failure(Broken()))
      #expect(model.articles.error is Broken)
    }

    @Test("a handler that is released without being called ends its load")
    func forgotten() async {
      let service = HeldRequests()
      let model = CallbackAPIsSamples.ArticlesModel(service: service)
      model.load()
      #expect(model.articles.isRunning)
      service.completions = []
      await model.articles.settled()
      #expect(!model.articles.isRunning)
    }

    @Test("a host requests with a handler, and a reload supersedes")
    func host() {
      let service = HeldRequests()
      let screen = CallbackAPIsSamples.ArticlesScreen(service: service)
      let presenter = Presenter()
      screen.host.presenter = presenter
      screen.host.start()
      screen.host.reload()
      service.completions[1](.success(["new"]))
      service.completions[0](.success(["old"]))
      #expect(screen.host.status == .data(["new"]))
    }

    private final class Presenter: AsyncStatusPresenter {
      func transitionToLoading(animated: Bool) {}
      func transitionToError(_ error: any Error, animated: Bool) {}
      func transitionToNoData(animated: Bool) {}
      func transitionToIdle(animated: Bool) {}
      func transitionToWaiting(animated: Bool) {}
      func transitionToData(_ value: [String], animated: Bool) {}
    }

    @Test("a handler on any thread answers the load of a resource")
    func anyThread() async throws {
      let service = ThreadedService()
      let model = CallbackAPIsSamples.AnyThreadModel(service: service)
      service.server.answer(call: 1, with: .success(["Rain"]))
      #expect(try await model.articles.load().get() == ["Rain"])
    }

    @Test("a request is cancelled with its load")
    func cancelled() async {
      let service = ThreadedService()
      let model = CallbackAPIsSamples.CancellableModel(service: service)
      model.articles.start()
      await service.server.arrived(1)
      model.articles.cancel()
      #expect(!model.articles.isRunning)
      var cancellations = service.cancellations.stream.makeAsyncIterator()
      await cancellations.next(isolation: #isolation)
      service.server.answer(call: 1, with: .success(["late"]))
      await model.articles.settled()
      #expect(model.articles.value == nil)
    }

    @Test("a delegate's calls are yielded, and the last one is the answer")
    func delegate() {
      let locator = HeldLocator()
      let model = CallbackAPIsSamples.PositionModel(locator: locator)
      model.locate()
      locator.delegate?.locatorDidMove(to: "near")
      #expect(model.position.value == "near")
      #expect(model.position.snapshot.isProvisional)
      locator.delegate?.locatorDidFinish(at: "here")
      #expect(model.position.value == "here")
      #expect(!model.position.isRunning)
      model.locate()
      locator.delegate?.locatorDidFail(with: Broken())
      #expect(model.position.error is Broken)
    }
  }
}
