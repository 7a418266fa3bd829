// SPDX-License-Identifier: MIT
// Changes of the items of a list, such as optimistic changes. The pages keep their cursors.

extension Paged {
  /// The item at an index of ``items``. It can be changed in place. If the new item has the identity of another row,
  /// that row is removed.
  public subscript(index: Int) -> Item {
    get { items[index] }
    set {
      guard let identity = ItemIdentity<Item>.known, !identity.areSame(items[index], newValue) else {
        return items[index] = newValue
      }
      var index = index
      let hash = identity.hash(newValue)
      if let other = places.index(hash, where: { identity.areSame(items[$0], newValue) }) {
        remove(at: other)
        if other < index { index -= 1 }
      }
      places.remove(index, hash: identity.hash(items[index]))
      places.insert(index, hash: hash)
      items[index] = newValue
    }
  }

  /// Inserts an item among the loaded ones, such as one that is being created. An `Identifiable` item that is in the list
  /// already is replaced in its place instead.
  ///
  /// At index 0 it is the first of the loaded items, and at `items.count` the last one: pages that arrive are added beyond it. For
  /// an item that belongs beyond them, at an end of the list where pages are not loaded yet, there are `append(_:)` and
  /// `prepend(_:)`.
  ///
  /// - Complexity: Linear in the number of all items.
  public mutating func insert(_ item: Item, at index: Int) {
    guard !replace(item) else { return }
    // Before, behind, or among the items that belong beyond pages.
    if index < beyond.first { beyond.first += 1 }
    if index > items.count - beyond.last { beyond.last += 1 }
    place(item, at: index)
  }

  /// Adds an item at the end of the list. An `Identifiable` item that is in the list already is replaced in its place instead.
  ///
  /// While there is a ``next`` cursor, the item stays behind the pages that arrive, until the page that has it, or the last one.
  /// Items without identity are not recognised in a page.
  public mutating func append(_ item: Item) {
    guard !replace(item) else { return }
    if next != nil { beyond.last += 1 }
    place(item, at: items.count)
  }

  /// Adds an item at the beginning of the list. An `Identifiable` item that is in the list already is replaced in its place instead.
  ///
  /// While there is a ``previous`` cursor, the item stays before the pages that arrive, until the page that has it, or the first one.
  /// Items without identity are not recognised in a page.
  ///
  /// - Complexity: Linear in the number of all items.
  public mutating func prepend(_ item: Item) {
    guard !replace(item) else { return }
    if previous != nil { beyond.first += 1 }
    place(item, at: 0)
  }

  /// Removes an item, and returns it. A page without items stays, with its cursors.
  ///
  /// - Complexity: Linear in the number of all items.
  @discardableResult
  public mutating func remove(at index: Int) -> Item {
    if index < beyond.first { beyond.first -= 1 }
    if index >= items.count - beyond.last { beyond.last -= 1 }
    return take(at: index)
  }

  // MARK: Items

  /// Replaces the item with the same identity.
  ///
  /// - Returns: False if there is none.
  private mutating func replace(_ item: Item) -> Bool {
    guard let index = index(ofSameAs: item) else { return false }
    items[index] = item
    return true
  }

  private mutating func place(_ item: Item, at index: Int) {
    if let identity = ItemIdentity<Item>.known {
      places.shift(from: index, by: 1)
      places.insert(index, hash: identity.hash(item))
    }
    items.insert(item, at: index)
  }

  private mutating func take(at index: Int) -> Item {
    if let identity = ItemIdentity<Item>.known {
      places.remove(index, hash: identity.hash(items[index]))
      places.shift(from: index + 1, by: -1)
    }
    return items.remove(at: index)
  }

  // MARK: Items beyond pages that are not loaded yet

  /// Takes out the items that belong beyond a page that is about to be added.
  mutating func takeBeyond(at edge: PageEdge) -> [Item] {
    switch edge {
    case .next:
      defer { beyond.last = 0 }
      return (0..<beyond.last).map { _ in take(at: items.count - 1) }.reversed()
    case .previous:
      defer { beyond.first = 0 }
      return (0..<beyond.first).map { _ in take(at: 0) }
    }
  }

  /// The list without them: the pages that are loaded.
  var loaded: Self {
    guard beyond != (0, 0) else { return self }
    var loaded = self
    for edge in PageEdge.allCases { _ = loaded.takeBeyond(at: edge) }
    return loaded
  }

  /// Adds them again, unless the page has them.
  mutating func putBack(_ outer: [Item], at edge: PageEdge) {
    switch edge {
    case .next: for item in outer where index(ofSameAs: item) == nil { append(item) }
    case .previous: for item in outer.reversed() where index(ofSameAs: item) == nil { prepend(item) }
    }
  }
}

extension Paged {
  /// The index of the item with the identity of another one; nil: there is none, or items have no identity.
  func index(ofSameAs item: Item) -> Int? {
    guard let identity = ItemIdentity<Item>.known else { return nil }
    return places.index(identity.hash(item)) { identity.areSame(items[$0], item) }
  }
}

extension Paged where Item: Identifiable {
  /// The item with an identity; nil: it is not in the list.
  ///
  /// It can be changed in place, as in `pages[id: 5]?.isFavourite = true`. Setting nil removes it. Setting an item that
  /// is not in the list adds it at the end, as `append(_:)` does.
  ///
  /// - Complexity: Constant on average for reading and replacing. Adding and removing take as long as ``insert(_:at:)``
  ///   and ``remove(at:)``.
  public subscript(id id: Item.ID) -> Item? {
    get { index(of: id).map { items[$0] } }
    set {
      switch (index(of: id), newValue) {
      case (let index?, let item?): self[index] = item
      case (let index?, nil): remove(at: index)
      case (nil, let item?): append(item)
      case (nil, nil): break
      }
    }
  }

  private func index(of id: Item.ID) -> Int? { places.index(id.hashValue) { items[$0].id == id } }
}
