// SPDX-License-Identifier: MIT
import AsyncState

/// What the store of a tested family is to it, as an argument of a test.
enum StoreRole: Hashable {
  case cache
  case truth

  /// The store with this role; nil without a store.
  func of<Key, Value>(_ store: (any ValueStore<Key, Value>)?) -> FamilyStore<Key, Value>? {
    switch self {
    case .cache: store.map { .cache($0) }
    case .truth: store.map { .truth($0) }
    }
  }
}
