// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

/// Data on a manual clock, with requests answered by hand; and the check that every load test ends with.
@MainActor
final class LoadStage {
  let clock = ManualClock()
  /// A request that ends when its task is cancelled.
  let gate = ManualServer<Int?>()
  /// A request that ignores its cancel.
  let deaf = ManualServer<Int?>(ignoresCancellation: true)
  let recorder: DataRecorder<Int>
  private(set) var data: AsyncData<Int>!
  private let census = Census()

  init(seed: Int? = nil, staleAfter: Duration? = nil) {
    data = AsyncData(seed: seed, options: LoadOptions(staleAfter: staleAfter, clock: clock))
    recorder = DataRecorder(data)
  }

  /// Releases the data.
  func release() {
    data = nil
  }

  /// An operation that waits at a gate, and is known to be alive until its task releases it.
  func waits(at gate: ManualServer<Int?>? = nil) -> () async throws -> Int? {
    let gate = gate ?? self.gate
    return operation { try await gate.wait() }
  }

  /// An operation that is known to be alive until its task releases it.
  func operation(_ body: @escaping @MainActor () async throws -> Int?) -> () async throws -> Int? {
    let life = census.newLife()
    return {
      defer { withExtendedLifetime(life) {} }
      return try await body()
    }
  }

  /// A resource on the same clock.
  func resource(_ operation: @escaping () async throws -> Int?) -> AsyncResource<Int> {
    AsyncResource(isolation: MainActor.shared, options: LoadOptions(clock: clock)) { .value(operation) }
  }

  /// Every task has ended and the clock has no sleeper. Call it when every deaf request is answered.
  func nothingIsLeft(sourceLocation: SourceLocation = #_sourceLocation) async {
    await census.isEmpty()
    expectEqual(clock.sleeperCount, 0, sourceLocation: sourceLocation)
  }
}

extension AsyncOutcome where Success == Int? {
  /// The outcome as a word.
  var word: String {
    switch self {
    case .success(let value): value.map { "value \($0)" } ?? "nothing"
    case .failure(let error): "failure \(error)"
    case .cancelled: "cancelled"
    case .superseded: "superseded"
    case .notRequested(let value): value.map { "fresh \($0)" } ?? "fresh, nothing"
    }
  }
}
