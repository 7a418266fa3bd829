// SPDX-License-Identifier: MIT
// A source of each kind in every position in which one is written, with keys, values and cursors that must not leave their actor.
// also with: -default-isolation MainActor
// also with: -enable-upcoming-feature NonisolatedNonsendingByDefault -enable-upcoming-feature InferIsolatedConformances
// also with: -enable-upcoming-feature NonisolatedNonsendingByDefault -default-isolation MainActor
// also with: -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility

import AsyncState

nonisolated struct Service: Sendable {
  func number() async throws -> Int { 1 }
  func number(of key: Int) async throws -> Int? { key }
  func page(after cursor: Int?) async throws -> Paged<Int, Int>.Page { .init(items: [1], next: nil) }
  func page(of key: Int, after cursor: Int?) async throws -> Paged<Int, Int>.Page { .init(items: [key], next: nil) }
  func numbers() async throws -> AsyncStream<Int> { AsyncStream { $0.finish() } }
  func numbers(of key: Int) async throws -> AsyncThrowingStream<Int, any Error> { AsyncThrowingStream { $0.finish() } }
}

/// What must not leave its actor.
nonisolated final class Model: Hashable {
  var count = 0
  static func == (left: Model, right: Model) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

@MainActor protocol Screenlike {}

struct View: Screenlike {
  private let number = AsyncResource { try await Service().number() }
  private let feed = AsyncResource(.pages { page in try await Service().page(after: page.cursor) })
  private let live = AsyncResource(.live { try await Service().numbers() })
  private let rooms = AsyncFamily { (key: Int) in .live { try await Service().numbers(of: key) } }
}

@MainActor let shared = AsyncFamily { (key: Int) in
  .pages { page in try await Service().page(of: key, after: page.cursor) }
}

@MainActor
final class Screen {
  private let service = Service()
  private var count = 0
  let stored = AsyncResource(
    seed: 1, options: LoadOptions(timeout: .seconds(3)), .value { try await Service().number() })
  let parts = AsyncResource<Int?>(
    .value { reporter in
      try reporter.yield(nil)
      reporter.report(progress: 0.5)
      return reporter.current
    })
  let typed: AsyncFamily<Int, Paged<Int, Int>> = AsyncFamily { key in
    .pages { page in try await Service().page(of: key, after: page.cursor) }
  }
  lazy var delayed = AsyncResource(.pages { [service] page in try await service.page(after: page.cursor) })
  lazy var own = AsyncFamily { [unowned self] (key: Int) in
    .value {
      self.count += 1
      return self.count + key
    }
  }
  // Families of operations, of which no source is written.
  let plain = AsyncFamily { id in try await Service().number(of: id) }
  let objects = AsyncFamily<Model, Model>(keepUnused: 5) { key in
    key.count += 1
    return Model()
  }
  lazy var counted = AsyncFamily<Int, Int>(
    options: LoadOptions(staleAfter: .seconds(60)), tags: { id, _ in [AsyncTag(id)] }
  ) { [unowned self] id in
    count += 1
    return id + count
  }
  lazy var weakly = AsyncFamily { [weak self] (key: Int) in .value { try await self?.service.number(of: key) } }
  let selection = Input<Int?>(nil)
  let detail: AsyncResource<Int>

  init(_ service: Service) {
    // One key is followed by a stream, and another one is not.
    detail = AsyncResource(following: selection, previous: .untilAnswered) { key in
      if key.isMultiple(of: 2) { return .live { try await service.numbers(of: key) } }
      return .value { try await service.number(of: key) }
    }
  }

  func appear() {
    let model = Model()
    let local = AsyncFamily<Model, Model>(keepUnused: 5) { key in
      model.count += 1
      return .value {
        key.count += model.count
        return key
      }
    }
    local[model].start()
    detail.start()
    delayed.start()
    own[1].start()
    plain.prefetch(1)
    objects[model].start()
    counted[1].start()
  }
}

actor Session {
  private let service = Service()
  private let model = Model()
  private var count = 0
  private let key = Input<Int?>(nil)
  lazy var feed = AsyncResource(isolation: self) { [service] in
    .pages { page in try await service.page(after: page.cursor) }
  }
  lazy var objects = AsyncFamily<Int, Model>(isolation: self) { [model] key in
    .value {
      model.count += key
      return model
    }
  }
  lazy var rooms = AsyncFamily(isolation: self, keepUnused: 5) { [service] (key: Int) in
    .live { try await service.numbers(of: key) }
  }
  lazy var found = AsyncResource(isolation: self, following: key, delay: .seconds(1)) { [service] key in
    key > 0 ? .live { try await service.numbers(of: key) } : .value { try await service.number(of: key) }
  }
  lazy var reporting = AsyncResource<Int>(isolation: self) { [model] in
    .value { reporter in
      try reporter.yield(model.count)
      return 2
    }
  }

  func make() {
    let own = AsyncResource(isolation: self) { .value { self.next() } }
    own.start()
    let several = AsyncFamily<Int, Int>(isolation: self) { [model] key in
      let first = model.count
      return .value { first + key }
    }
    several[1].start()
    let pairs = AsyncFamily<Model, Model>(isolation: self) { _ in .value { Model() } }
    pairs[Model()].start()
    found.start()
  }

  private func next() -> Int {
    count += 1
    return count
  }
}

nonisolated func isSame<Key: Hashable, Value>(_ family: AsyncFamily<Key, Value>, _ key: Key) -> Bool {
  family[key] === family[key]
}
