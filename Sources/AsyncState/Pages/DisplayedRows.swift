// SPDX-License-Identifier: MIT
/// The displayed rows of one list, as indices of its items.
///
/// A row after the items, such as a footer, counts as near the end.
struct DisplayedRows {
  /// The number of rows from an edge within which a displayed row wants the page at that edge.
  var threshold: Int { didSet { threshold = Self.bounded(threshold) } }
  private var rows = Rows.range(0..<0)

  private enum Rows {
    case range(Range<Int>)
    /// The rows were reported one by one.
    case single(Set<Int>)

    /// A list that reports one by one displays no more rows than this. A larger range, such as one to `Int.max`, is of another
    /// report.
    static let mostSingle = 10_000
  }

  init(threshold: Int) {
    self.threshold = Self.bounded(threshold)
  }

  /// A caller may pass a number such as `Int.max` for all rows. Within these bounds no calculation overflows.
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
      case .range(let range): range.count > Rows.mostSingle ? [] : Set(range)
      case .single(let rows): rows
      }
    body(&single)
    rows = .single(single)
  }

  /// Moves the rows after items were added to the list or removed from it.
  ///
  /// - Parameter index: Returns the new index of a row; nil: the row was removed.
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

  /// The displayed row that is nearest to an edge; nil: no row is displayed.
  func outermost(at edge: PageEdge) -> Int? {
    switch edge {
    case .next: last
    case .previous: first
    }
  }

  /// The rows that no page may evict (9.14): those from the first to the last displayed one, and those within the
  /// threshold. An evicted row within the threshold would be requested again at once.
  var reach: Range<Int>? {
    guard let first, let last else { return nil }
    return first - threshold..<last + threshold + 1
  }
}
