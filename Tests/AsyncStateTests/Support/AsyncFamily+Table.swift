// SPDX-License-Identifier: MIT
@testable import AsyncState

// What tests look at, and do, in the table of a family.

extension AsyncFamily {
  /// The resource of a key if the family has it. No entry is made.
  func existing(_ key: Key) -> AsyncResource<Value>? { table.present(key)?.resource }

  /// Releases unused entries, the least recently used first.
  ///
  /// - Returns: The number of entries that were released.
  @discardableResult
  func trim(toIdle count: Int? = nil) -> Int { table.sweep(toIdle: count) }
}
