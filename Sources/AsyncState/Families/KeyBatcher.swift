// SPDX-License-Identifier: MIT
/// Requests keys together that are needed in one turn of an actor, such as by the rows that appear together.
///
/// ```swift
/// let batcher = KeyBatcher<Int, Author>(limit: 50) { ids in
///   try await service.authors(ids).mapValues { .success($0) }
/// }
/// let authors = AsyncFamily { id in try await batcher.value(for: id) }
/// ```
///
/// It knows neither families nor data, and any operation may use it. Retries, time limits and gates are those of the callers.
/// It belongs to the main actor or to the actor that it names.
public final class KeyBatcher<Key: Hashable, Value> {
  /// Returns the values of some keys, each of them once. A key that it lacks has no value.
  typealias Operation = ([Key]) async throws -> [Key: Result<Value, any Error>]

  private let limit: Int
  private let operation: Operation
  /// The request that further keys of this turn are added to.
  private var open: KeyBatch<Key, Value>?
  /// The full requests that are not sent yet.
  private var full: [KeyBatch<Key, Value>] = []

  /// A batcher of the main actor.
  ///
  /// - Parameters:
  ///   - limit: The largest number of keys of one request, at least one.
  ///   - operation: Gets the values of some keys, or the error of each; one that it throws is that of all. A key that its answer
  ///     lacks has no value. It runs on the main actor, and its task is cancelled when no caller is left.
  public init(
    limit: Int = .max, operation: @escaping @MainActor ([Key]) async throws -> [Key: Result<Value, any Error>]
  ) {
    self.limit = max(limit, 1)
    self.operation = operationOnMainActor(operation)
  }

  /// A batcher of any actor.
  ///
  /// - Parameters:
  ///   - isolation: The actor that the batcher belongs to. It is not kept alive.
  ///   - limit: The largest number of keys of one request, at least one.
  ///   - operation: Gets the values of some keys, as above. It runs on the batcher's actor.
  public init(
    isolation: isolated any Actor, limit: Int = .max,
    operation: @escaping ([Key]) async throws -> [Key: Result<Value, any Error>]
  ) {
    self.limit = max(limit, 1)
    self.operation = operation
  }

  /// Requests the value of a key together with the others of this turn, and waits for it.
  ///
  /// When the calling task is cancelled its key is not requested, unless another caller wants it. The request of keys that no
  /// caller wants any more is cancelled.
  ///
  /// - Parameters:
  ///   - key: The key of the value.
  ///   - isolation: The actor that the batcher belongs to.
  /// - Returns: The value; nil: there is none.
  /// - Throws: The error of the key, or of the whole request.
  public func value(for key: Key, isolation: isolated any Actor = #isolation) async throws -> Value? {
    try Task.checkCancellation()
    let batch = batch(for: key, isolation: isolation)
    let call = KeyCall(key, of: batch)
    batch.add(call)
    if open === batch, batch.count >= limit {
      full.append(batch)
      open = nil
    }
    let (bound, hasLeft) = (ActorBound(call as any LeavingCall, to: isolation), call.hasLeft)
    await untilResumed(isolation: isolation) {
      call.suspend($0)
    } onCancel: {
      hasLeft.set()
      bound.send { $0.leave() }
    }
    return try call.result?.get()
  }

  /// The request of this turn that a key is wanted of, or else one with room.
  private func batch(for key: Key, isolation: isolated any Actor) -> KeyBatch<Key, Value> {
    if let batch = full.first(where: { $0.isWanted(key) }) { return batch }
    // One that no caller wants any more is cancelled.
    if let open, open.count > 0 { return open }
    return begin(isolation: isolation)
  }

  private func begin(isolation: isolated any Actor) -> KeyBatch<Key, Value> {
    let batch = KeyBatch<Key, Value>()
    open = batch
    // A task begins when the actor is free: calls that already wait for it run before.
    batch.task = Task {
      _ = isolation
      await send(batch, isolation: isolation)
    }
    return batch
  }

  private func send(_ batch: KeyBatch<Key, Value>, isolation: isolated any Actor) async {
    if open === batch { open = nil }
    full.removeAll { $0 === batch }
    batch.removeLeft()
    guard batch.count > 0 else { return }
    do {
      batch.end(try await operation(batch.keys))
    } catch {
      batch.fail(error)
    }
  }
}

/// A call, independent of the types of keys and values.
private protocol LeavingCall: AnyObject {
  /// Ends the call, whose task was cancelled.
  func leave()
}

/// A call that waits for the value of a key.
private final class KeyCall<Key: Hashable, Value>: LeavingCall {
  let key: Key
  private let batch: KeyBatch<Key, Value>
  let hasLeft = Flag()
  private(set) var result: Result<Value?, any Error>?
  private var waiter: SuspendedCall?

  init(_ key: Key, of batch: KeyBatch<Key, Value>) {
    self.key = key
    self.batch = batch
  }

  func suspend(_ call: SuspendedCall) {
    if result == nil { waiter = call } else { call.resume() }
  }

  func leave() {
    end(.failure(CancellationError()))
    batch.remove(self)
  }

  func end(_ result: Result<Value?, any Error>) {
    guard self.result == nil else { return }
    self.result = result
    waiter.take()?.resume()
  }
}

/// A request of several keys, and the calls that wait for each.
private final class KeyBatch<Key: Hashable, Value> {
  /// The keys in the order of the calls, also those that no caller wants any more.
  private var order: [Key] = []
  private var calls: [Key: [KeyCall<Key, Value>]] = [:]
  /// The number of keys that callers want.
  private(set) var count = 0
  var task: Task<Void, Never>?

  /// The keys that callers want.
  var keys: [Key] { order.filter(isWanted) }

  func isWanted(_ key: Key) -> Bool { calls[key]?.isEmpty == false }

  func add(_ call: KeyCall<Key, Value>) {
    if calls[call.key] == nil { order.append(call.key) }
    if !isWanted(call.key) { count += 1 }
    calls[call.key, default: []].append(call)
  }

  func remove(_ call: KeyCall<Key, Value>) {
    guard let index = calls[call.key]?.firstIndex(where: { $0 === call }) else { return }
    calls[call.key]?.remove(at: index)
    guard calls[call.key]?.isEmpty == true else { return }
    count -= 1
    if count == 0 { task?.cancel() }
  }

  /// Removes the calls whose tasks were cancelled in this turn.
  func removeLeft() {
    for call in calls.values.joined() where call.hasLeft.isSet { call.leave() }
  }

  func end(_ results: [Key: Result<Value, any Error>]) {
    for (key, calls) in takeCalls() {
      for call in calls { call.end(results[key].map { $0.map(Optional.some) } ?? .success(nil)) }
    }
  }

  func fail(_ error: any Error) {
    for call in takeCalls().values.joined() { call.end(.failure(error)) }
  }

  /// The calls, which hold the batch, so it forgets them when they end.
  private func takeCalls() -> [Key: [KeyCall<Key, Value>]] {
    defer { calls = [:] }
    return calls
  }
}
