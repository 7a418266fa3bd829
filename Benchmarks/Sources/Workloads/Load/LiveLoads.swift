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
