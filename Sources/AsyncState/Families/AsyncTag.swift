// SPDX-License-Identifier: MIT
/// Something that entries of families depend on: an object of a server, a table, an account.
///
/// ```swift
/// let articles = AsyncFamily(board: board, tags: { id, _ in ["articles", AsyncTag("article", id)] }) { id in
///   try await service.article(id)
/// }
/// ```
public struct AsyncTag: Hashable, Sendable, ExpressibleByStringLiteral {
  private let name: TagName

  /// A tag made from any value. Tags of equal values are equal.
  public init(_ name: some Hashable & Sendable) {
    self.name = TagName(name)
  }

  /// A tag for one object of a kind. Invalidating `AsyncTag("article")` does not reach it.
  public init(_ kind: String, _ id: some Hashable & Sendable) {
    name = TagName(TagOfKind(kind: kind, id: id))
  }

  /// A tag made from a string literal.
  public init(stringLiteral value: String) {
    self.init(value)
  }
}

extension AsyncTag: CustomStringConvertible {
  /// The name and the object that the tag was made from: `article 5`.
  public var description: String { name.description }
}

/// Any hashable value. Two are equal when the values are.
private struct TagName: Hashable, Sendable, CustomStringConvertible {
  private let value: any Hashable & Sendable

  init(_ value: some Hashable & Sendable) {
    self.value = value
  }

  static func == (left: TagName, right: TagName) -> Bool { AnyHashable(left.value) == AnyHashable(right.value) }

  func hash(into hasher: inout Hasher) { AnyHashable(value).hash(into: &hasher) }

  var description: String { "\(value)" }
}

private struct TagOfKind<ID: Hashable & Sendable>: Hashable, Sendable, CustomStringConvertible {
  let kind: String
  let id: ID

  var description: String { "\(kind) \(id)" }
}

/// The last invalidation of each tag, in bounded memory: a tag that does not fit any more counts as invalidated.
struct TagLog {
  /// The number of invalidations.
  private(set) var count: UInt64 = 0

  private let capacity: Int
  /// The last invalidation of each tag that is remembered.
  private var last: [AsyncTag: UInt64] = [:]
  /// The same in order, with some entries that were replaced.
  private var order: [(tag: AsyncTag, number: UInt64)] = []
  /// The number of entries of `order`, from its beginning, that are forgotten or were replaced.
  private var forgotten = 0
  /// The last invalidation of a forgotten tag: every tag that is not in `last` may have been invalidated up to this one.
  private var floor: UInt64 = 0

  /// The number of records.
  var size: Int { order.count }

  init(capacity: Int) {
    self.capacity = max(capacity, 0)
  }

  mutating func note(_ tags: some Sequence<AsyncTag>) {
    count += 1
    for tag in tags {
      last[tag] = count
      order.append((tag, count))
    }
    if order.count > 2 * last.count + 8 {
      order.removeAll { last[$0.tag] != $0.number }
      forgotten = 0
    }
    while last.count > capacity {
      let entry = order[forgotten]
      forgotten += 1
      guard last[entry.tag] == entry.number else { continue }
      last[entry.tag] = nil
      floor = entry.number
    }
  }

  /// True if one of the tags was invalidated, or may have been, after the invalidation with this number.
  func hasInvalidated(_ tags: some Sequence<AsyncTag>, since number: UInt64) -> Bool {
    guard count > number else { return false }
    return tags.contains { (last[$0] ?? floor) > number }
  }
}
