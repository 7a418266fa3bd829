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
    return Self(all.union([bounded]))
  }

  /// These rows without one.
  func removing(_ row: Int) -> Self { Self(all.subtracting([row])) }

  /// The rows one by one.
  var all: Set<Int> { single ?? (range.count > Self.mostSingle ? [] : Set(range)) }

  /// The rows by which the others are found: all of them, if they were reported one by one, and else the outermost ones.
  var marks: Set<Int> { single ?? (range.isEmpty ? [] : [range.lowerBound, range.upperBound - 1]) }

  func moved(by distance: Int) -> Self {
    guard let single else { return Self(range.lowerBound + distance..<range.upperBound + distance) }
    return Self(Set(single.map { $0 + distance }))
  }

  /// The rows after their items have moved. If no mark is left, they stay where they are.
  ///
  /// - Parameter index: Returns the new index of a mark; nil: its item was removed.
  func moved(to index: (Int) -> Int?) -> Self {
    let left = Set(marks.compactMap(index))
    if left.isEmpty { return self }
    if single != nil { return Self(left) }
    let ends = (index(range.lowerBound), index(range.upperBound - 1))
    let rows =
      switch ends {
      case (let first?, let last?): min(first, last)..<max(first, last) + 1
      case (let first?, nil): first..<first + range.count
      case (nil, let last?): last + 1 - range.count..<last + 1
      case (nil, nil): range
      }
    return Self(rows)
  }
}
