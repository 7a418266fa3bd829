// SPDX-License-Identifier: MIT
// The operation of a call belongs to the actor on which it is written, so it may capture what is that actor's, in each way.
// also with: -default-isolation MainActor
// also with: -enable-upcoming-feature NonisolatedNonsendingByDefault
// also with: -enable-upcoming-feature NonisolatedNonsendingByDefault -default-isolation MainActor

import AsyncState

nonisolated final class Model {
  var count = 0
}

actor Session {
  private let data = AsyncData<Int>(seed: 1)
  private let list = AsyncData<Paged<Int, Int>>()
  private let model = Model()
  private let number = 1
  private var counts: AsyncResource<Int>?

  func run() async {
    data.start { [model] in model.count }
    data.start { [self, model] in model.count + count() }
    data.start { [weak self] in await self?.count() }
    data.start { [unowned self] (reporter: LoadReporter<Int>) in
      try reporter.yield(count())
      return model.count
    }
    await data.load { [number] in number }
    await data.load { [model] reporter in
      reporter.report(progress: 0.5)
      return model.count
    }
    await data.mutate { [number] in
      $0 += number
    } commit: { [model] in
      model.count += 1
    }
    await list.load { [model] in Paged(first: .init(items: [model.count])) }
    let local = model
    await data.load { local.count }
  }

  func keep() {
    counts = AsyncResource(isolation: self) { [weak self] in .value { await self?.count() } }
    counts?.start()
    counts = AsyncResource(isolation: self) { [model] in
      .value {
        model.count += 1
        return model.count
      }
    }
    // At the closure that makes the source, the compiler does not take this one.
    counts = AsyncResource(isolation: self) {
      .value { [unowned self] in
        model.count += 1
        return count()
      }
    }
  }

  private func count() -> Int { model.count }
}

@MainActor
final class Screen {
  private let data = AsyncData<Int>(seed: 1)
  private let model = Model()

  func run() async {
    data.start { [weak self] in self?.model.count }
    await data.load { [model] in model.count }
    await data.mutate({ $0 += 1 }, commit: { [self] in model.count += 1 })
  }

  /// An operation of the caller's is passed on.
  func load(_ operation: @escaping () async throws -> Int) async {
    await data.load(operation: operation)
    await data.load { try await operation() }
  }
}
