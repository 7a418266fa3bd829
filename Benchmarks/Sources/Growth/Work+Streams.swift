// SPDX-License-Identifier: MIT
import AsyncState

extension Work {
  /// Resources that follow streams.
  static let streams = [
    Work("n elements of one stream", 500) { n in
      let (stream, elements) = AsyncStream<Int>.makeStream()
      let resource = AsyncResource<Int>(.live { stream })
      elements.yield(0)
      await resource.load()
      return {
        for element in 1...n { elements.yield(element) }
        await resource.observed.reached { $0.value == n }
      }
    },
    Work("n resources that follow a stream each, an element of each", 100) { n in
      let streams = (0..<n).map { _ in AsyncStream<Int>.makeStream() }
      let resources = streams.map { stream in AsyncResource<Int>(.live { stream.stream }) }
      for (stream, resource) in zip(streams, resources) {
        stream.continuation.yield(0)
        await resource.load()
      }
      return {
        for stream in streams { stream.continuation.yield(1) }
        for resource in resources { await resource.observed.reached { $0.value == 1 } }
      }
    },
    Work("n live entries that no one holds any more, beside look-ups", 100) { n in
      let family = AsyncFamily<Int, Int>(keepUnused: 10) { key in .live { AsyncStream { $0.yield(key) } } }
      for key in 0..<n { await family[key].load() }
      return {
        for key in 0..<n { tally += family[key].value ?? 0 }
      }
    },
  ]

  /// Values of resources.
  static let values = [
    Work("n gets of a fresh value", 1_000) { n in
      let source = AsyncResource<Int> { 1 }.valued(1)
      return { for _ in 0..<n { tally += (try? await source.get()) ?? 0 } }
    },
    Work("n interceptors of one load", 250) { n in
      let options = LoadOptions(interceptors: (0..<n).map { _ in Passing() })
      let resource = AsyncResource<Int>(options: options) { 1 }
      return { await resource.load() }
    },
  ]

  private struct Passing: LoadInterceptor {
    func intercept<Value>(_ attempt: LoadAttempt<Value>, isolation: isolated (any Actor)?) async throws -> Value {
      try await attempt()
    }
  }
}

extension AsyncResource {
  fileprivate func valued(_ value: Value) -> AsyncResource {
    data.value = value
    return self
  }
}

extension Observed {
  /// Suspends until the condition holds.
  @MainActor
  fileprivate func reached(_ condition: @escaping (Value) -> Bool) async {
    var token: ObservedToken?
    await withCheckedContinuation { continuation in
      var open: CheckedContinuation<Void, Never>? = continuation
      let check = { (value: Value) in if condition(value) { open.take()?.resume() } }
      token = observe(check)
    }
    token?.cancel()
  }
}
