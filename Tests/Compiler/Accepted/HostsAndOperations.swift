// SPDX-License-Identifier: MIT
// A host in the initial value of a property, pacers and animators in initial values and default arguments, and operations that are
// kept in variables, or are methods of a service.
// also with: -default-isolation MainActor
// also with: -enable-upcoming-feature NonisolatedNonsendingByDefault

import AsyncState

nonisolated struct Service: Sendable {
  func articles() async throws -> [String] { ["news"] }
  func articles(about topic: String) async throws -> [String]? { [topic] }
}

final class Page: ChildController {}

@MainActor
final class Screen {
  private let spinner = Page()
  private let stored = AsyncHost(AsyncResource { try await Service().articles() }, pacer: DisplayPacer())
  private let withChildren = AsyncHost(AsyncResource { try await Service().articles() }) { status in
    status.kind == .loading ? [Page()] : []
  }
  private let articles = AsyncResource { try await Service().articles() }
  private let weather = AsyncResource { "Sun" }
  private let animator = ClockAnimator()
  private lazy var both = AsyncHost(zip(articles, weather), animator: animator) { [spinner] status in
    status.kind == .loading ? [spinner] : []
  }
  private let wizard: StateContainer<Int>
  private let requested: AsyncHost<[String]>

  init(pacer: DisplayPacer = DisplayPacer(), animator: any TransitionAnimator = ClockAnimator()) {
    wizard = StateContainer(initialState: 1, animator: animator) { _ in [Page()] }
    requested = AsyncHost(
      pacer: pacer, request: { data, mode in data.start(mode) { try await Service().articles() } })
  }

  func appear() {
    stored.start()
    withChildren.start()
    both.start()
    requested.start()
    wizard.appear(animated: false)
  }
}

@MainActor
final class TopicScreen {
  private let data = AsyncData<[String]>()
  private let service = Service()
  private let fetch: @MainActor () async throws -> [String]? = { ["news"] }
  private lazy var kept = AsyncResource(operation: fetch)
  private lazy var method = AsyncResource(operation: service.articles)
  private let topic = Input<String?>(nil)
  private var following: AsyncResource<[String]>?

  func appear() async {
    following = AsyncResource(following: topic, operation: service.articles(about:))
    data.start(operation: fetch)
    data.start(.refresh, operation: service.articles)
    await data.load(operation: fetch)
    let local = { try await Service().articles() }
    await data.load(operation: local)
    kept.start()
    method.start()
  }
}

actor Session {
  private let data = AsyncData<[String]>()
  private let service = Service()
  private lazy var method = AsyncResource(isolation: self) { [service] in .value(service.articles) }

  func run() async {
    await data.load(operation: service.articles)
    await method.load()
  }
}
