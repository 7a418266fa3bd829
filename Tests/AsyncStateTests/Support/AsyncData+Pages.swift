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
    isolation: isolated any Actor = #isolation,
    @_inheritActorContext(always) fetch: sending @escaping (Cursor) async throws -> Paged<Item, Cursor>.Page
  ) async -> AsyncOutcome<Value?> where Value == Paged<Item, Cursor> {
    await loadPage(at: .next, isolation: isolation, fetch)
  }

  @discardableResult
  func loadPrevious<Item, Cursor>(
    isolation: isolated any Actor = #isolation,
    @_inheritActorContext(always) fetch: sending @escaping (Cursor) async throws -> Paged<Item, Cursor>.Page
  ) async -> AsyncOutcome<Value?> where Value == Paged<Item, Cursor> {
    await loadPage(at: .previous, isolation: isolation, fetch)
  }

  private func loadPage<Item, Cursor>(
    at edge: PageEdge, isolation: isolated any Actor,
    _ fetch: @escaping (Cursor) async throws -> Value.Page
  ) async -> AsyncOutcome<Value?> where Value == Paged<Item, Cursor> {
    guard !Task.isCancelled else { return .cancelled }
    let (load, ticket) = requestPage(at: edge, forRows: false, isolation: isolation) { cursor, _, _ in
      .page(try await fetch(cursor).ending(whereRequestedAt: cursor, at: edge))
    }
    await load.wait(as: ticket, isolation: isolation)
    return load.outcome
  }
}
