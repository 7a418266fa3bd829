// SPDX-License-Identifier: MIT
import AsyncState

/// A load whose operation throws.
final class FailingLoad: Work {
  private struct Failure: Error {}

  private let data = AsyncData<Int>()
  private let tally = Tally()

  func run(_ count: Int, on home: isolated any Actor) async {
    for _ in 0..<count {
      let outcome = await data.load { throw Failure() }
      if case .failure = outcome { tally.add(1) }
    }
  }
}

/// A page of a list of a resource: the first one, again and again, or one after another.
final class PageLoads: Work {
  private let isFurther: Bool
  private var feed: AsyncResource<Paged<Int, Int>>?
  private let tally = Tally()

  /// - Parameter isFurther: The page after the last one is loaded, or else the first one.
  init(isFurther: Bool) {
    self.isFurther = isFurther
  }

  func run(_ count: Int, on home: isolated any Actor) async {
    let feed = self.feed ?? make(on: home)
    self.feed = feed
    if feed.value == nil { await feed.load() }
    for _ in 0..<count {
      let outcome = isFurther ? await feed.loadNext() : await feed.load()
      if case .success = outcome { tally.add(1) }
    }
  }

  private func make(on home: isolated any Actor) -> AsyncResource<Paged<Int, Int>> {
    let items = Array(0..<20)
    return AsyncResource(isolation: home) {
      .pages { (request: PageRequest<Int, Int>) in Paged.Page(items: items, next: (request.cursor ?? 0) + 1) }
    }
  }
}

/// A load that would be tried again and that must not take too long, and answers at once.
final class GuardedLoad: Work {
  private let data = AsyncData<Int>(
    options: LoadOptions(retry: .exponential(), timeout: .seconds(30), clock: StandingClock()))
  private let tally = Tally()

  func run(_ count: Int, on home: isolated any Actor) async {
    for turn in 0..<count {
      let outcome = await data.load { turn }
      if case .success(let value?) = outcome { tally.add(value) }
    }
  }
}

/// A load that passes an open gate, and answers at once.
final class GatedLoad: Work {
  private let data = AsyncData<Int>(options: LoadOptions(gate: LoadGate()))
  private let tally = Tally()

  func run(_ count: Int, on home: isolated any Actor) async {
    for turn in 0..<count {
      let outcome = await data.load { turn }
      if case .success(let value?) = outcome { tally.add(value) }
    }
  }
}

/// A call that finds a fresh value, and so requests nothing, of a resource that has the options of an app.
final class FreshResource: Work {
  private let isAwaited: Bool
  private var resource: AsyncResource<Int>?
  private let tally = Tally()

  /// - Parameter isAwaited: By `load`, or else `start` is called.
  init(isAwaited: Bool) {
    self.isAwaited = isAwaited
  }

  func run(_ count: Int, on home: isolated any Actor) async {
    let resource = self.resource ?? make(on: home)
    self.resource = resource
    for _ in 0..<count {
      if isAwaited {
        if case .notRequested(let value?) = await resource.load(when: .stale) { tally.add(value) }
      } else {
        resource.start(when: .stale)
      }
    }
  }

  private func make(on home: isolated any Actor) -> AsyncResource<Int> {
    let options = LoadOptions(staleAfter: .seconds(3_600))
    let resource = AsyncResource<Int>(isolation: home, options: options) { .value { 0 } }
    resource.data.value = 1
    return resource
  }
}

/// A change that is displayed at once and confirmed.
final class Mutation: Work {
  private let data = AsyncData<Int>()
  private let tally = Tally()

  init() {
    data.value = 0
  }

  func run(_ count: Int, on home: isolated any Actor) async {
    for turn in 0..<count {
      let outcome = await data.mutate({ $0 = turn }) {}
      if case .success(let value?) = outcome { tally.add(value) }
    }
  }
}

/// A command, from `perform` to its outcome.
final class Command: Work {
  private let isDisplayed: Bool
  private var mutation: AsyncMutation<Int, Int>?
  private let tally = Tally()

  /// - Parameter isDisplayed: It changes a resource at once.
  init(isDisplayed: Bool) {
    self.isDisplayed = isDisplayed
  }

  func run(_ count: Int, on home: isolated any Actor) async {
    let mutation = self.mutation ?? make(on: home)
    self.mutation = mutation
    for turn in 0..<count {
      let outcome = await mutation.perform(turn).outcome()
      if case .success(let value) = outcome { tally.add(value) }
    }
  }

  private func make(on home: isolated any Actor) -> AsyncMutation<Int, Int> {
    let mutation = AsyncMutation<Int, Int>(isolation: home) { (input: Int) in input }
    guard isDisplayed else { return mutation }
    let resource = AsyncResource<Int>(isolation: home) { .value { 0 } }
    resource.value = 0
    return mutation.changing({ _ in resource }) { $0 = $1 }
  }
}

/// A clock that stands still: a sleep ends only when it is cancelled, and no timer of the system runs for it.
private struct StandingClock: Clock {
  struct Instant: InstantProtocol {
    let offset: Duration

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
  }

  var now: Instant { Instant(offset: .zero) }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    for await _ in AsyncStream<Never>.makeStream().stream {}
    throw CancellationError()
  }
}
