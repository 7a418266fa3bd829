// SPDX-License-Identifier: MIT
@testable import AsyncState

// Loads of data that calls join, as those of a resource, or that have options of their own, as those of a row.
//
// - id: A running load with an equal one is joined; nil: none is.
// - options: The retries, timeout, interceptors and gate of the load; nil: the data's.
extension AsyncData {
  @discardableResult
  func start(
    _ mode: LoadMode = .refresh, id: AnyHashable? = nil, options: LoadOptions? = nil,
    isolation: isolated any Actor = #isolation,
    @_inheritActorContext(always) operation: sending @escaping () async throws -> Value?
  ) -> LoadTask<Value> {
    let call = LoadCall(mode, id?.hashValue, options.map(RequestPolicy.init) ?? policy)
    return LoadTask(request(call, isPinned: true, isolation: isolation, operation).load)
  }

  @discardableResult
  func start(
    _ mode: LoadMode = .refresh, id: AnyHashable? = nil, options: LoadOptions? = nil,
    isolation: isolated any Actor = #isolation,
    @_inheritActorContext(always) operation: sending @escaping (LoadReporter<Value>) async throws -> Value?
  ) -> LoadTask<Value> {
    let call = LoadCall(mode, id?.hashValue, options.map(RequestPolicy.init) ?? policy)
    return LoadTask(request(call, isPinned: true, isolation: isolation, reporting: operation).load)
  }

  @discardableResult
  func load(
    _ mode: LoadMode = .refresh, id: AnyHashable? = nil, options: LoadOptions? = nil,
    isolation: isolated any Actor = #isolation,
    @_inheritActorContext(always) operation: sending @escaping () async throws -> Value?
  ) async -> AsyncOutcome<Value?> {
    guard !Task.isCancelled else { return .cancelled }
    let call = LoadCall(mode, id?.hashValue, options.map(RequestPolicy.init) ?? policy)
    let (load, ticket) = request(call, isPinned: false, isolation: isolation, operation)
    return await load.outcome(as: ticket, isolation: isolation)
  }

  @discardableResult
  func load(
    _ mode: LoadMode = .refresh, id: AnyHashable? = nil, options: LoadOptions? = nil,
    isolation: isolated any Actor = #isolation,
    @_inheritActorContext(always) operation: sending @escaping (LoadReporter<Value>) async throws -> Value?
  ) async -> AsyncOutcome<Value?> {
    guard !Task.isCancelled else { return .cancelled }
    let call = LoadCall(mode, id?.hashValue, options.map(RequestPolicy.init) ?? policy)
    let (load, ticket) = request(call, isPinned: false, isolation: isolation, reporting: operation)
    return await load.outcome(as: ticket, isolation: isolation)
  }
}
