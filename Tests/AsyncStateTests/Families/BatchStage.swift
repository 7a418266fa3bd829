// SPDX-License-Identifier: MIT
import AsyncStateTesting
import Testing

@testable import AsyncState

/// A family whose keys are requested together, and whose requests are answered by hand.
@MainActor
final class BatchStage {
  let clock = ManualClock()
  let server: Gate<[Int: Int]>
  /// One requests again what is held when a gate opens.
  let board: AsyncTagBoard?
  let store: MemoryStore<Int, Int>?
  private(set) var family: AsyncFamily<Int, Int>!
  private var held: [AsyncResource<Int>] = []

  init(
    _ limit: Int = 50, retry: RetryPolicy = .never, timeout: Duration? = nil, gate: LoadGate? = nil,
    interceptors: [any LoadInterceptor] = [], board: AsyncTagBoard? = nil, role: StoreRole? = nil,
    ignoresCancellation: Bool = false
  ) {
    self.board = board
    server = Gate(ignoresCancellation: ignoresCancellation)
    store = role == nil ? nil : MemoryStore(clock: clock)
    let options = LoadOptions(
      staleAfter: .seconds(60), retry: retry, timeout: timeout, clock: clock,
      interceptors: interceptors, gate: gate)
    family = AsyncFamily(
      options: options, keepIdle: .all, board: board,
      tags: { key, _ in [AsyncTag("key", key), "all"] },
      store: role?.of(store), batching: limit
    ) { [server] keys in try await server.wait(for: keys) }
  }

  func release() { family = nil }

  /// Entries that are held as long as the stage is.
  @discardableResult
  func hold(_ keys: some Sequence<Int>) -> [AsyncResource<Int>] {
    let entries = keys.map { family[$0] }
    held += entries
    return entries
  }

  /// Starts entries in one turn.
  @discardableResult
  func start(_ keys: some Sequence<Int>) -> [AsyncResource<Int>] {
    let entries = hold(keys)
    for entry in entries { entry.start() }
    return entries
  }

  /// The keys of each request so far, when each task that was begun so far has gone as far as it could.
  func requests() async -> [[Int]] {
    for _ in 0..<20 { await afterReleases() }
    return server.arguments()
  }

  /// Each key has ten times itself.
  func answer(_ keys: [Int]) {
    server.answer(
      for: keys, with: .success(Dictionary(uniqueKeysWithValues: keys.map { ($0, 10 * $0) })))
  }

  func fail(_ keys: [Int], with error: any Error = Failure()) {
    server.answer(for: keys, with: .failure(error))
  }
}
