// SPDX-License-Identifier: MIT

/// Compares two items by their `id` if they are `Identifiable`. The conformance is looked up at run time, so that a
/// list in generic code behaves like one whose type is known.
struct ItemIdentity<Item> {
  let hash: (Item) -> Int
  let areSame: (Item, Item) -> Bool

  /// Nil if the items are not `Identifiable`.
  static var known: Self? { (Item.self as? any Identifiable.Type).flatMap { byID($0) as? Self } }

  // `Known` is `Item` under another name, so the cast above cannot fail.
  private static func byID<Known: Identifiable>(_: Known.Type) -> Any {
    ItemIdentity<Known>(hash: { $0.id.hashValue }, areSame: { $0.id == $1.id })
  }
}

/// The indices of the items of a list, by the hashes of their identities. Hashes are stored because a list may be
/// `Sendable` although the identities are not.
struct ItemPlaces: Sendable {
  /// The position of an item after the first `shiftCount` shifts.
  private struct Place {
    /// The index plus `offset`, so that a change of the offset moves all items.
    var position: Int
    var shiftCount: Int
  }

  private var places: [Int: Place] = [:]
  /// The places of items whose hash is in `places` already. There are few of them, or none.
  private var collisions: [Place] = []
  private var offset = 0
  /// The shifts that are not applied to all places yet. There are so few that one place is found fast, and so many that
  /// all places are rewritten seldom.
  private var shifts: [(first: Int, distance: Int)] = []

  private func index(of place: Place) -> Int {
    var position = place.position
    for shift in shifts[place.shiftCount...] where position >= shift.first { position += shift.distance }
    return position - offset
  }

  private func place(of index: Int) -> Place { Place(position: index + offset, shiftCount: shifts.count) }

  /// The index of an item by its hash.
  ///
  /// - Parameter isThere: Returns true if the item at an index is the wanted one.
  func index(_ hash: Int, where isThere: (Int) -> Bool) -> Int? {
    if let index = places[hash].map(index(of:)), isThere(index) { return index }
    return collisions.lazy.map(index(of:)).first(where: isThere)
  }

  mutating func insert(_ index: Int, hash: Int) {
    if places[hash] == nil { places[hash] = place(of: index) } else { collisions.append(place(of: index)) }
  }

  mutating func remove(_ index: Int, hash: Int) {
    if places[hash].map(self.index(of:)) == index {
      places[hash] = nil
    } else {
      collisions = collisions.filter { self.index(of: $0) != index }
    }
  }

  /// Notes that the items from an index on have moved by a distance.
  mutating func shift(from index: Int, by distance: Int) {
    if shifts.count == 32 {
      let present = { [self] place in Place(position: self.index(of: place) + offset, shiftCount: 0) }
      places = places.mapValues(present)
      collisions = collisions.map(present)
      shifts = []
    }
    shifts.append((index + offset, distance))
  }

  /// Notes that all items have moved by a distance, in constant time.
  mutating func move(by distance: Int) {
    offset -= distance
  }
}
