// SPDX-License-Identifier: MIT
import AsyncState

/// The rules for two rows being the same row, and for their items being the same.
///
/// The rules are found at run time, once for each list, so that a list in generic code behaves like one whose type is
/// known.
struct RowIdentity<Item> {
  /// Returns, for each row of the new list, the index of the same row in the previous one, or ``noRow``.
  private(set) var origins: (_ old: [Item], _ new: [Item]) -> [Int] = { _, new in
    Array(repeating: noRow, count: new.count)
  }

  /// Returns true if two items are of the same row.
  private(set) var isSameRow: (_ former: Item, _ new: Item) -> Bool = sameness(of: Item.self)

  /// Returns true if a row that is in both lists has the same item in them.
  private(set) var isSame = sameness(of: Item.self)

  /// Rows are matched by `id` if the item is `Identifiable`, by `==` if it is only `Hashable`, and otherwise never.
  init() {
    // Each type below is `Item` under another name, so the casts cannot fail.
    if let row = Item.self as? any Identifiable.Type {
      self = Self.byID(row) as! Self
    } else if let row = Item.self as? any Hashable.Type {
      self = Self.byValue(row) as! Self
    }
  }

  private init(_: Void) {}

  private static func byID<Row: Identifiable>(_: Row.Type) -> Any {
    var identity = RowIdentity<Row>(())
    identity.origins = { old, new in matches(of: new, in: old, id: { $0.id }) }
    identity.isSameRow = { $0.id == $1.id }
    return identity
  }

  private static func byValue<Row: Hashable>(_: Row.Type) -> Any {
    var identity = RowIdentity<Row>(())
    identity.origins = { old, new in matches(of: new, in: old, id: { $0 }) }
    return identity
  }
}
