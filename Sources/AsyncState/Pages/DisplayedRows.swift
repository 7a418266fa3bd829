// SPDX-License-Identifier: MIT
/// The rows that were reported as displayed, by the indices of their items.
struct DisplayedRows {
  /// The range from the first row to the last one. A row behind the items, such as a footer, counts as one of the last.
  private(set) var range: Range<Int>
  /// The rows, if they were reported one by one: the outermost one may be scrolled away, and the others stay.
  private var single: Set<Int>?

  /// A list that reports one by one displays no more rows than this. A larger range, such as one to `Int.max`, is of another
  /// report.
  private static let mostSingle = 10_000

  /// Rows that were reported together. Within these bounds no calculation overflows.
  init(_ range: Range<Int> = 0..<0) {
    self.range = range.clamped(to: -Int.max / 4..<Int.max / 4)
  }

  private init(_ rows: Set<Int>) {
    self.init((rows.min() ?? 0)..<(rows.max() ?? -1) + 1)
    single = rows
  }

  /// These rows, and one more.
  func inserting(_ row: Int) -> Self {
    let bounded = min(max(row, -Int.max / 4), Int.max / 4 - 1)
    return Self(one.union([bounded]))
  }

  /// These rows without one.
  func removing(_ row: Int) -> Self { Self(one.subtracting([row])) }

  private var one: Set<Int> { single ?? (range.count > Self.mostSingle ? [] : Set(range)) }

  /// The rows after the items have moved.
  ///
  /// - Parameter index: Returns the new index of a row; nil: the row was removed.
  func moved(to index: (Int) -> Int?) -> Self {
    if let single { return Self(Set(single.compactMap(index))) }
    // The outermost rows that are left, without a look at those between: there may be as many as there are numbers.
    let left = [range.first { index($0) != nil }, range.last { index($0) != nil }].compactMap { $0.flatMap(index) }
    return Self(Self(Set(left)).range)
  }
}
