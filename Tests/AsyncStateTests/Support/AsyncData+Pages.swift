// SPDX-License-Identifier: MIT
@testable import AsyncState

/// The pages of data without a resource: what a resource requests, with an operation for each call.
extension AsyncData {
  @discardableResult
  func loadFirst<Item, Cursor>(
    _ mode: LoadMode = .refresh, isolation: isolated any Actor = #isolation,
    @_inheritActorContext(always) fetch: sending @escaping (Cursor?) async throws -> Paged<Item, Cursor>.Page
  ) async -> AsyncOutcome<Value?> where Value == Paged<Item, Cursor> {
    await load(mode, isolation: isolation, operation: first(fetch))
  }

  private func first<Item, Cursor>(
    _ fetch: @escaping (Cursor?) async throws -> Paged<Item, Cursor>.Page
  ) -> () async throws -> Value? where Value == Paged<Item, Cursor> {
    { Paged(first: try await fetch(nil)) }
  }

  @discardableResult
  func loadNext<Item, Cursor>(
    maxPages: Int? = nil, isolation: isolated any Actor = #isolation,
    @_inheritActorContext(always) fetch: sending @escaping (Cursor) async throws -> Paged<Item, Cursor>.Page
  ) async -> AsyncOutcome<Value?> where Value == Paged<Item, Cursor> {
    await loadPage(at: .next, maxPages, isolation: isolation, fetch)
  }

  @discardableResult
  func loadPrevious<Item, Cursor>(
    maxPages: Int? = nil, isolation: isolated any Actor = #isolation,
    @_inheritActorContext(always) fetch: sending @escaping (Cursor) async throws -> Paged<Item, Cursor>.Page
  ) async -> AsyncOutcome<Value?> where Value == Paged<Item, Cursor> {
    await loadPage(at: .previous, maxPages, isolation: isolation, fetch)
  }

  private func loadPage<Item, Cursor>(
    at edge: PageEdge, _ maxPages: Int?, isolation: isolated any Actor,
    _ fetch: @escaping (Cursor) async throws -> Value.Page
  ) async -> AsyncOutcome<Value?> where Value == Paged<Item, Cursor> {
    guard !Task.isCancelled else { return .cancelled }
    let call = requestPage(at: edge, maxPages, isolation: isolation) { cursor, _ in try await fetch(cursor) }
    return await call.outcome(isolation: isolation)
  }
}
