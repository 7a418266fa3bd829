// SPDX-License-Identifier: MIT
// A resource in every position in which one is created: without any option, in a module whose default isolation is the
// main actor, and in one whose async functions run on their caller's actor.
// also with: -default-isolation MainActor
// also with: -enable-upcoming-feature NonisolatedNonsendingByDefault -enable-upcoming-feature InferIsolatedConformances
// also with: -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility

import AsyncState

nonisolated struct Service: Sendable {
  func articles() async throws -> [String] { ["news"] }
}

/// A value that must not leave its actor.
nonisolated final class Model {
  var name = ""
}

@MainActor
final class Screen {
  let service = Service()
  private(set) var count = 0

  let stored = AsyncResource { try await Service().articles() }
  let typed: AsyncResource<[String]> = AsyncResource(options: LoadOptions(retry: .exponential(), timeout: .seconds(3)))
  {
    let service = Service()
    return try await service.articles()
  }
  let yielding = AsyncResource<Int>(.value { reporter in reporter.current })
  let model = AsyncResource { Model() }
  lazy var delayed = AsyncResource { [service] in try await service.articles() }
  lazy var own = AsyncResource { [unowned self] in
    count += 1
    return try await service.articles()
  }
  let initialised: AsyncResource<[String]>
  let text = Input<String?>(nil)
  let following: AsyncResource<[String]>
  let pacer = DisplayPacer()
  lazy var host = AsyncHost(stored, pacer: pacer)
  lazy var display = PacedStatus(stored, pacer: pacer)

  init(service: Service) {
    initialised = AsyncResource { try await service.articles() }
    following = AsyncResource(following: text, delay: .milliseconds(300), previous: .untilAnswered) { key in
      try await service.articles().filter { $0.hasPrefix(key) }
    }
  }

  func appear() async {
    host.start()
    let local = AsyncResource { self.count }
    local.start()
    await delayed.load()
    own.refresh()
    initialised.reload()
    model.start()
    following.start()
  }
}

actor Session {
  let service = Service()
  private var count = 0
  lazy var rates = AsyncResource(isolation: self) { [service] in .value { try await service.articles() } }
  lazy var model = AsyncResource(isolation: self) { .value { Model() } }

  func run() async -> [String]? {
    let local = AsyncResource(isolation: self) { .value { self.next() } }
    local.start()
    model.start()
    return try? await rates.load().get()
  }

  private func next() -> Int {
    count += 1
    return count
  }
}
