// SPDX-License-Identifier: MIT
/// The rows of one list that are displayed, as indices of the items.
///
/// A row behind the items, such as a footer, counts as one near the end.
struct DisplayedRows {
  /// The number of rows from an edge within which a row wants the page behind it.
  var threshold: Int { didSet { threshold = Self.bounded(threshold) } }
  private var rows = Rows.range(0..<0)

  private enum Rows {
    case range(Range<Int>)
    /// Reported row by row.
    case single(Set<Int>)
  }

  init(threshold: Int) {
    self.threshold = Self.bounded(threshold)
  }

  /// "All of them" may be said by a number that cannot be calculated with.
  private static let bounds = -Int.max / 4..<Int.max / 4

  private static func bounded(_ threshold: Int) -> Int { min(max(threshold, 0), bounds.upperBound) }

  // MARK: Reports

  mutating func replace(by range: Range<Int>) { rows = .range(range.clamped(to: Self.bounds)) }

  mutating func insert(_ row: Int) {
    change { $0.insert(min(max(row, Self.bounds.lowerBound), Self.bounds.upperBound)) }
  }

  mutating func remove(_ row: Int) { change { $0.remove(row) } }

  private mutating func change(_ body: (inout Set<Int>) -> Void) {
    var single =
      switch rows {
      case .range(let range): Set(range)
      case .single(let rows): rows
      }
    body(&single)
    rows = .single(single)
  }

  /// Rows were added to the list, or removed.
  ///
  /// - Parameter index: Where a row is by now; nil: it was removed.
  mutating func move(to index: (Int) -> Int?) {
    switch rows {
    case .range(let range):
      let staying = [range.first { index($0) != nil }, range.last { index($0) != nil }]
      let edges = staying.compactMap { $0.flatMap(index) }
      replace(by: (edges.min() ?? 0)..<(edges.max().map { $0 + 1 } ?? 0))
    case .single(let rows): self.rows = .single(Set(rows.compactMap(index)))
    }
  }

  // MARK: Reading

  private var first: Int? {
    switch rows {
    case .range(let range): range.first
    case .single(let rows): rows.min()
    }
  }

  private var last: Int? {
    switch rows {
    case .range(let range): range.last
    case .single(let rows): rows.max()
    }
  }

  /// The row that decides about an edge; nil: none is displayed.
  func outermost(at edge: PageEdge) -> Int? {
    switch edge {
    case .next: last
    case .previous: first
    }
  }

  /// The rows that must not be removed: without them, the page of a row that is displayed would be wanted at once.
  var reach: Range<Int>? {
    guard let first, let last else { return nil }
    return first - threshold..<last + threshold + 1
  }
}
