// SPDX-License-Identifier: MIT
// A host in the initial value of a property, and pacers and animators in initial values and default arguments.
// also with: -default-isolation MainActor
// also with: -enable-upcoming-feature NonisolatedNonsendingByDefault

import AsyncState

nonisolated struct Service: Sendable {
  func articles() async throws -> [String] { ["news"] }
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
