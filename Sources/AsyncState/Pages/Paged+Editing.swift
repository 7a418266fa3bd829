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

  /// Inserts an item that is in no page, such as one that is being created. An `Identifiable` item that is in the list
  /// already is replaced in its place instead.
  ///
  /// The item belongs to the page of the item that was at the index, or to the last page. An item between two pages
  /// stays as long as one of them.
  ///
  /// - Complexity: Linear in the number of all items.
  public mutating func insert(_ item: Item, at index: Int) {
    if let identity = ItemIdentity<Item>.known {
      let hash = identity.hash(item)
      if let present = places.index(hash, where: { identity.areSame(items[$0], item) }) { return items[present] = item }
      places.shift(from: index, by: 1)
      places.insert(index, hash: hash)
    }
    items.insert(item, at: index)
    noteInsertion(at: index)
  }

  /// Removes an item, and returns it. A page without items stays, with its cursors.
  ///
  /// - Complexity: Linear in the number of all items.
  @discardableResult
  public mutating func remove(at index: Int) -> Item {
    if let identity = ItemIdentity<Item>.known {
      places.remove(index, hash: identity.hash(items[index]))
      places.shift(from: index + 1, by: -1)
    }
    noteRemoval(at: index)
    return items.remove(at: index)
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
  /// is not in the list adds it at the end.
  ///
  /// - Complexity: Constant on average for reading and replacing. Adding and removing take as long as ``insert(_:at:)``
  ///   and ``remove(at:)``.
  public subscript(id id: Item.ID) -> Item? {
    get { index(of: id).map { items[$0] } }
    set {
      switch (index(of: id), newValue) {
      case (let index?, let item?): self[index] = item
      case (let index?, nil): remove(at: index)
      case (nil, let item?): insert(item, at: items.count)
      case (nil, nil): break
      }
    }
  }

  private func index(of id: Item.ID) -> Int? { places.index(id.hashValue) { items[$0].id == id } }
}
