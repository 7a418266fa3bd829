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
  /// Where an item was when so many shifts had been made.
  private struct Place {
    /// Less than this is the index by `offset`, so that all of them can move together.
    var position: Int
    var shiftCount: Int
  }

  private var places: [Int: Place] = [:]
  /// Those of items whose hash is also that of an item above: few, or none.
  private var collisions: [Place] = []
  private var offset = 0
  /// The shifts that the places do not contain. So few that they are soon applied to one place, and so many that all places
  /// are seldom changed.
  private var shifts: [(first: Int, distance: Int)] = []

  private func index(of place: Place) -> Int {
    var position = place.position
    for shift in shifts[place.shiftCount...] where position >= shift.first { position += shift.distance }
    return position - offset
  }

  private func place(of index: Int) -> Place { Place(position: index + offset, shiftCount: shifts.count) }

  /// The index of an item by its hash.
  ///
  /// - Parameter isThere: Whether the item at an index is the one.
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

  /// The items from an index on have moved by a distance.
  mutating func shift(from index: Int, by distance: Int) {
    if shifts.count == 32 {
      let present = { [self] place in Place(position: self.index(of: place) + offset, shiftCount: 0) }
      places = places.mapValues(present)
      collisions = collisions.map(present)
      shifts = []
    }
    shifts.append((index + offset, distance))
  }

  /// All items have moved by a distance.
  mutating func move(by distance: Int) {
    offset -= distance
  }
}
