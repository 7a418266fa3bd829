// SPDX-License-Identifier: MIT
/// The difference between two lists, in rows and in sections.
///
/// Rows are matched by identity. Of the matches within a section the longest run in order stays in place; the other
/// matched rows move. It is computed with the numbers of the rows and not with the items, so that most of this file is
/// not generic. It takes O(*n* log *n*) for *n* rows, less if both lists begin or end with the same rows.
struct ListDifference {
  private(set) var removedSections: [Int] = []
  private(set) var insertedSections: [Int] = []
  private(set) var removals: [ListPath] = []
  private(set) var insertions: [ListPath] = []
  private(set) var moves: [ListChange.Places] = []
  private(set) var updates: [ListChange.Places] = []

  var isEmpty: Bool {
    removedSections.isEmpty && insertedSections.isEmpty && removals.isEmpty && insertions.isEmpty && moves.isEmpty
      && updates.isEmpty
  }

  static func between<Item>(
    _ old: [ListSection<Item>], _ new: [ListSection<Item>], by identity: RowIdentity<Item>
  ) -> ListDifference {
    var difference = ListDifference()
    let kept = difference.matchSections(
      old: old.map(\.id), new: new.map(\.id), oldSizes: old.map(\.items.count), newSizes: new.map(\.items.count))
    let oldRows = kept.old.count == 1 ? old[kept.old[0]].items : kept.old.flatMap { old[$0].items }
    let newRows = kept.new.count == 1 ? new[kept.new[0]].items : kept.new.flatMap { new[$0].items }
    let origins = identity.origins(oldRows, newRows)
    difference.matchRows(kept, origins) { identity.isSame(oldRows[$0], newRows[$1]) }
    return difference
  }

  private mutating func matchSections(
    old: [AnyHashable], new: [AnyHashable], oldSizes: [Int], newSizes: [Int]
  ) -> KeptSections {
    let origins = matches(of: new, in: old) { $0 }
    let isKept = longestAscent(in: origins[...])
    var kept = KeptSections()
    for (section, origin) in origins.enumerated() {
      if isKept[section] {
        kept.old.append(origin)
        kept.new.append(section)
      } else {
        insertedSections.append(section)
      }
    }
    let keptOld = Set(kept.old)
    removedSections = old.indices.filter { !keptOld.contains($0) }
    kept.oldRows = RowNumbering(sizes: kept.old.map { oldSizes[$0] })
    kept.newRows = RowNumbering(sizes: kept.new.map { newSizes[$0] })
    return kept
  }

  /// - Parameter origins: For each row of the new list, the number of the same row in the previous one, or ``noRow``.
  private mutating func matchRows(
    _ kept: KeptSections, _ origins: [Int], isSame: (_ old: Int, _ new: Int) -> Bool
  ) {
    assert(origins.count == kept.newRows.count, "each row of the new list has an origin, or none")
    var targets = [Int](repeating: noRow, count: kept.oldRows.count)
    for index in kept.new.indices {
      let (oldRange, newRange) = (kept.oldRows.range(of: index), kept.newRows.range(of: index))
      // A row from another section always moves.
      let staying = longestAscent(in: origins[newRange], within: oldRange)
      for (row, number) in newRange.enumerated() {
        let origin = origins[number]
        let path = ListPath(section: kept.new[index], row: row)
        if origin == noRow {
          insertions.append(path)
        } else {
          assert(targets[origin] == noRow, "a row of the former list becomes one row of the new list")
          targets[origin] = number
          if !staying[row] { moves.append(.init(from: kept.oldPath(of: origin), to: path)) }
        }
      }
    }
    for index in kept.old.indices {
      for (row, number) in kept.oldRows.range(of: index).enumerated() {
        let target = targets[number]
        if target == noRow {
          removals.append(ListPath(section: kept.old[index], row: row))
        } else if !isSame(number, target) {
          updates.append(.init(from: ListPath(section: kept.old[index], row: row), to: kept.newPath(of: target)))
        }
      }
    }
  }
}

/// An exchange of the order of sections alone: those that two lists have in common stand in the order of the new one.
struct SectionOrder {
  /// The indices of the former sections, as they stand then.
  private(set) var order: [Int]
  /// As few as possible. The other sections follow each other as before.
  private(set) var moves: [ListChange.SectionMove] = []

  init(of old: [AnyHashable], in new: [AnyHashable]) {
    let origins = matches(of: new, in: old) { $0 }.filter { $0 != noRow }
    let isStaying = longestAscent(in: origins[...])
    let moved = Set(zip(origins, isStaying).lazy.filter { !$1 }.map(\.0))
    order = old.indices.filter { !moved.contains($0) }
    var former: Int?
    // Each section that moves follows the one that is before it in the new list.
    for origin in origins {
      if moved.contains(origin) {
        order.insert(origin, at: former.flatMap { order.firstIndex(of: $0) }.map { $0 + 1 } ?? 0)
      }
      former = origin
    }
    moves = order.indices.filter { moved.contains(order[$0]) }.map { .init(from: order[$0], to: $0) }
  }
}

/// Sections that stay in their order, with their indices in both lists.
private struct KeptSections {
  var old: [Int] = []
  var new: [Int] = []
  /// The rows of these sections, numbered through all of them.
  var oldRows = RowNumbering(sizes: [Int]())
  var newRows = RowNumbering(sizes: [Int]())

  func oldPath(of row: Int) -> ListPath {
    let path = oldRows.path(of: row)
    return ListPath(section: old[path.section], row: path.row)
  }

  func newPath(of row: Int) -> ListPath {
    let path = newRows.path(of: row)
    return ListPath(section: new[path.section], row: path.row)
  }
}

/// The rows of several sections, numbered one after another.
struct RowNumbering {
  /// The number of each section's first row. The last element is the number of all rows.
  private var starts = [0]

  init(sizes: some Collection<Int>) {
    starts.reserveCapacity(sizes.count + 1)
    for size in sizes { starts.append(starts[starts.count - 1] + size) }
  }

  var count: Int { starts[starts.count - 1] }

  func range(of section: Int) -> Range<Int> { starts[section]..<starts[section + 1] }

  /// The place of a row, found in O(log *n*) for *n* sections. The number must be that of a row.
  func path(of number: Int) -> ListPath {
    assert(number >= 0 && number < count, "only rows that are there have a place")
    // The last section that starts at or before the row; empty sections before it start there, too.
    let section = partition(of: 1..<starts.count - 1) { starts[$0] > number } - 1
    return ListPath(section: section, row: number - starts[section])
  }
}

/// The number of a row that the previous list does not have.
let noRow = -1

/// Returns, for each element of `new`, the index of the same element in `old`, or ``noRow``.
///
/// Both ends are compared directly, because most changes are small. Between them, the first element with an identifier
/// is matched with the first one with the same identifier, and the second with the second.
func matches<Element, ID: Hashable>(of new: [Element], in old: [Element], id: (Element) -> ID) -> [Int] {
  let shorter = min(old.count, new.count)
  var prefix = 0
  while prefix < shorter, id(old[prefix]) == id(new[prefix]) { prefix += 1 }
  var suffix = 0
  while suffix < shorter - prefix, id(old[old.count - 1 - suffix]) == id(new[new.count - 1 - suffix]) { suffix += 1 }

  var origins = [Int](repeating: noRow, count: new.count)
  for index in 0..<prefix { origins[index] = index }
  for index in 0..<suffix { origins[new.count - 1 - index] = old.count - 1 - index }
  let oldMiddle = prefix..<(old.count - suffix)
  let newMiddle = prefix..<(new.count - suffix)
  guard !oldMiddle.isEmpty, !newMiddle.isEmpty else { return origins }

  // The shorter side is put into the table.
  if newMiddle.count <= oldMiddle.count {
    var table = Occurrences(of: newMiddle) { id(new[$0]).hashValue }
    for index in oldMiddle {
      let wanted = id(old[index])
      let match = table.takeFirst(hash: wanted.hashValue, where: { id(new[$0]) == wanted })
      if let match { origins[match] = index }
    }
  } else {
    var table = Occurrences(of: oldMiddle) { id(old[$0]).hashValue }
    for index in newMiddle {
      let wanted = id(new[index])
      origins[index] = table.takeFirst(hash: wanted.hashValue, where: { id(old[$0]) == wanted }) ?? noRow
    }
  }
  return origins
}

/// The occurrences of each hash value, in order. It is not generic, so that it is fast for every type of identifier.
private struct Occurrences {
  private let start: Int
  /// The first occurrence of each hash value. Occurrences count from `start`.
  private var heads: [Int: Int] = [:]
  /// For each occurrence, the next one of the same hash value, or ``noRow``.
  private var next: [Int]

  init(of indices: Range<Int>, hash: (Int) -> Int) {
    start = indices.lowerBound
    next = Array(repeating: noRow, count: indices.count)
    heads.reserveCapacity(indices.count)
    // From the last one to the first, because each occurrence is put before those that follow it.
    for offset in (0..<indices.count).reversed() {
      if let later = heads.updateValue(offset, forKey: hash(start + offset)) { next[offset] = later }
    }
  }

  /// Takes out the first occurrence for which `isMatch` holds.
  mutating func takeFirst(hash: Int, where isMatch: (Int) -> Bool) -> Int? {
    guard var offset = heads[hash] else { return nil }
    var before = noRow
    while offset != noRow {
      if isMatch(start + offset) {
        if before == noRow { heads[hash] = next[offset] } else { next[before] = next[offset] }
        return start + offset
      }
      (before, offset) = (offset, next[offset])
    }
    return nil
  }
}

/// Marks the longest ascending subsequence of the numbers within `range`.
private func longestAscent(in numbers: ArraySlice<Int>, within range: Range<Int> = 0..<Int.max) -> [Bool] {
  // `ends[n]` is the index of the smallest number that ends a run of n + 1; `previous` leads back along a run.
  var ends: [Int] = []
  var previous = [Int](repeating: noRow, count: numbers.count)
  let start = numbers.startIndex
  for index in numbers.indices where range.contains(numbers[index]) {
    let number = numbers[index]
    // Most rows stay in order, so the longest run is tried first.
    var length = ends.count
    if let last = ends.last, numbers[last] >= number {
      length = partition(of: 0..<ends.count) { numbers[ends[$0]] >= number }
    }
    if length > 0 { previous[index - start] = ends[length - 1] }
    if length == ends.count { ends.append(index) } else { ends[length] = index }
  }
  var isInRun = [Bool](repeating: false, count: numbers.count)
  var index = ends.last ?? noRow
  while index != noRow {
    isInRun[index - start] = true
    index = previous[index - start]
  }
  return isInRun
}

/// The first index for which `isAfter` holds, or the end of the range. It must hold for all indices after that one.
private func partition(of range: Range<Int>, _ isAfter: (Int) -> Bool) -> Int {
  var (low, high) = (range.lowerBound, max(range.lowerBound, range.upperBound))
  while low < high {
    let middle = low + (high - low) / 2
    if isAfter(middle) { high = middle } else { low = middle + 1 }
  }
  return low
}
