// SPDX-License-Identifier: MIT
#if DATABASE
  import Foundation
  import GRDB

  extension DatabaseStore {
    /// The value that is stored for a key, and each later one, whatever writes it through the same pool: another family, an
    /// import, a synchronization. While nothing is stored there is no element.
    ///
    /// ```swift
    /// let drafts = AsyncFamily { id in .live { store.values(of: id) } }
    /// ```
    ///
    /// The sequence ends with an error when the database cannot be read, or what is stored cannot be decoded.
    public func values(of key: Key) -> some AsyncSequence<Value, any Error> {
      let (family, key) = (family, key.description)
      let observation = ValueObservation.tracking { database in
        try Data.fetchOne(
          database, sql: "SELECT value FROM storedValue WHERE family = ? AND key = ?", arguments: [family, key])
      }
      return observation.removeDuplicates().values(in: database)
        .compactMap { data in try data.map { try JSONDecoder().decode(Value.self, from: $0) } }
    }
  }
#endif
