// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting

/// A backend with numbered rows, in pages of three: a cursor is the number of the row that a page begins with.
@MainActor
final class PageBackend {
  struct Row: Identifiable, Equatable, Sendable {
    let id: Int
    var text = ""
  }

  typealias List = Paged<Row, Int>

  var rows = 0..<100
  /// The row with which the first page begins.
  var begins = 0
  private(set) var requested: [Int?] = []
  let gate = ManualServer<Void>()
  /// Requests wait for the test from this one on.
  var waitsFrom = Int.max
  var failing: Set<Int> = []
  /// The cursor of a page that is not there any more.
  var gone: Int?
  /// Cursors that have been forgotten, each until it is requested.
  var expired: Set<Int> = []
  /// Each cursor is forgotten at once.
  var forgetsAtOnce = false
  /// Each page says at which cursor it is.
  var namesOwn = false
  /// A page names the one behind it.
  var hasNext = true

  func page(at cursor: Int?) async throws -> List.Page {
    requested.append(cursor)
    if let cursor, expired.remove(cursor) != nil || forgetsAtOnce { throw ExpiredCursorError() }
    if requested.count >= waitsFrom { try await gate.wait() }
    if let cursor, cursor == gone { throw NoDataError() }
    let first = cursor ?? begins
    if failing.contains(first) { throw Failure() }
    let page = (first..<first + 3).clamped(to: rows)
    return List.Page(
      items: page.map { Row(id: $0) },
      next: hasNext && page.upperBound < rows.upperBound ? page.upperBound : nil,
      previous: page.lowerBound > rows.lowerBound ? max(page.lowerBound - 3, rows.lowerBound) : nil,
      own: namesOwn ? page.lowerBound : nil)
  }

  func takeRequested() -> [Int?] {
    defer { requested = [] }
    return requested
  }

  /// A list with the first of these pages.
  func feed(pages: Int = 1) async -> AsyncResource<List> {
    let feed = AsyncResource(.pages { [self] page in try await self.page(at: page.cursor) })
    await feed.load()
    for _ in 1..<pages { await feed.loadNext() }
    requested = []
    return feed
  }
}

extension AsyncResource where Value == PageBackend.List {
  var ids: [Int] { value?.items.map(\.id) ?? [] }
}
