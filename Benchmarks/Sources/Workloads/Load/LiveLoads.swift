// SPDX-License-Identifier: MIT
import AsyncState

/// An element of an open stream, from where it is sent to its display.
final class LiveElement: Work {
  private var resource: AsyncResource<Int>?
  private var elements: AsyncStream<Int>.Continuation?
  private var last: (element: Int, continuation: CheckedContinuation<Void, Never>)?
  private var token: ObservedToken?

  func run(_ count: Int, on home: isolated any Actor) async {
    if resource == nil { await open(on: home) }
    await withCheckedContinuation { continuation in
      last = (count, continuation)
      for element in 1...count { elements?.yield(element) }
    }
  }

  private func open(on home: isolated any Actor) async {
    let (stream, elements) = AsyncStream<Int>.makeStream()
    self.elements = elements
    let resource = AsyncResource<Int>(isolation: home) { .live { stream } }
    self.resource = resource
    elements.yield(0)
    await resource.load()
    token = resource.observed.observe { [weak self] snapshot in
      guard let last = self?.last, snapshot.value == last.element else { return }
      self?.last = nil
      last.continuation.resume()
    }
  }
}

/// Values that the operation of one load reports before its answer.
final class YieldedValues: Work {
  private var resource: AsyncResource<Int>?
  private var count = 0

  func run(_ count: Int, on home: isolated any Actor) async {
    self.count = count
    let resource = self.resource ?? make(on: home)
    self.resource = resource
    await resource.load()
  }

  private func make(on home: isolated any Actor) -> AsyncResource<Int> {
    AsyncResource(isolation: home) {
      .value { (reporter: LoadReporter<Int>) in
        _ = home
        for value in 0..<self.count { try reporter.yield(value) }
        return -1
      }
    }
  }
}

/// An invalidation of data that has a value, and no observer.
final class Invalidated: SynchronousWork {
  private let data = AsyncData<Int>()

  init() {
    data.value = 1
  }

  func run(_ count: Int) {
    for _ in 0..<count { data.invalidate() }
  }
}

/// A change of a resource, until what is made of it is made again.
final class WatchedChange: Work {
  private var source: AsyncResource<Int>?
  private var watcher: AsyncResource<Int>?
  private var turn = 0
  private let tally = Tally()

  func run(_ count: Int, on home: isolated any Actor) async {
    if watcher == nil { await begin(on: home) }
    for _ in 0..<count {
      turn += 1
      source?.data.value = turn
      if case .success(let value?) = await watcher?.load(when: .stale) { tally.add(value) }
    }
  }

  private func begin(on home: isolated any Actor) async {
    let source = AsyncResource<Int>(isolation: home) { .value { 0 } }
    let watcher = AsyncResource<Int>(isolation: home) {
      .of(source) { value in
        _ = home
        return value
      }
    }
    await watcher.load()
    (self.source, self.watcher) = (source, watcher)
  }
}
