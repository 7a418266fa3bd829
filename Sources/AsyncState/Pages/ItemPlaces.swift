// SPDX-License-Identifier: MIT
// The identities of the items of a list, and where these are.

/// What makes two items the same: their `id`, where they are `Identifiable`. Found at run time, so that a list in generic
/// code behaves as one whose type is known.
struct ItemIdentity<Item> {
  let hash: (Item) -> Int
  let areSame: (Item, Item) -> Bool

  /// Nil where the items are not `Identifiable`.
  static var known: Self? { (Item.self as? any Identifiable.Type).flatMap { byID($0) as? Self } }

  // `Known` is `Item` under another name, so the cast above cannot fail.
  private static func byID<Known: Identifiable>(_: Known.Type) -> Any {
    ItemIdentity<Known>(hash: { $0.id.hashValue }, areSame: { $0.id == $1.id })
  }
}

/// Where the items of a list are, by the hashes of their identities: a list may be `Sendable` though these are not.
struct ItemPlaces: Sendable {
  /// Less than these are the indices by `offset`, so that all of them can move together.
  private var indices: [Int: Int] = [:]
  /// Those of items whose hash is also that of an item above: few, or none.
  private var collisions: [Int] = []
  private var offset = 0

  /// The index of an item by its hash.
  ///
  /// - Parameter isThere: Whether the item at an index is the one.
  func index(_ hash: Int, where isThere: (Int) -> Bool) -> Int? {
    if let place = indices[hash], isThere(place - offset) { return place - offset }
    return collisions.first { isThere($0 - offset) }.map { $0 - offset }
  }

  mutating func insert(_ index: Int, hash: Int) {
    if indices[hash] == nil { indices[hash] = index + offset } else { collisions.append(index + offset) }
  }

  mutating func remove(_ index: Int, hash: Int) {
    if indices[hash] == index + offset {
      indices[hash] = nil
    } else {
      collisions.removeAll { $0 == index + offset }
    }
  }

  /// The items from an index on have moved by a distance.
  mutating func shift(from index: Int, by distance: Int) {
    let first = index + offset
    indices = indices.mapValues { $0 < first ? $0 : $0 + distance }
    collisions = collisions.map { $0 < first ? $0 : $0 + distance }
  }

  /// All items have moved by a distance.
  mutating func move(by distance: Int) {
    offset -= distance
  }
}
