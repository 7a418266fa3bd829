// SPDX-License-Identifier: MIT
#if DATABASE
  import AsyncState
  import AsyncStateTesting
  import Foundation
  import GRDB
  import Stores
  import Testing

  @Suite("19 a database's observation as live values", .timeLimit(.minutes(5)))
  @MainActor
  struct ObservationTests {
    @Test("19.1 what others write into the database arrives by itself, and no observer of another key is notified")
    func observed() async throws {
      let place = try TemporaryPlace()
      let database = try DatabasePool(path: place.path(.database))
      try StoreSchema.prepare(database)
      let store = DatabaseStore<Int, String>(database, family: "texts")
      let texts = AsyncFamily<Int, String> { key in .live { store.values(of: key) } }
      try await store.save([1: StoredValue("one")], removing: [], isolation: #isolation)
      let text = texts[1]
      #expect(try await text.get() == "one")
      var seen: [String?] = []
      let token = text.observed.map(\.value).observe { seen.append($0) }
      try await store.save([2: StoredValue("elsewhere")], removing: [], isolation: #isolation)
      try await store.save([1: StoredValue("two")], removing: [], isolation: #isolation)
      for await snapshot in text.observed.values where snapshot.value == "two" { break }
      #expect(seen == ["one", "two"] && !text.isStale)
      // What nothing is stored for waits for its first value.
      let other = texts[3]
      let first = Task { try await other.get() }
      try await store.save([3: StoredValue("three")], removing: [], isolation: #isolation)
      #expect(try await first.value == "three")
      withExtendedLifetime(token) {}
    }

    @Test("12.4 an operation that writes its database is a source of truth: what cannot be stored is not displayed")
    func truth() async throws {
      let place = try TemporaryPlace()
      let database = try DatabasePool(path: place.path(.database))
      try StoreSchema.prepare(database)
      let store = DatabaseStore<Int, String>(database, family: "texts")
      var isOpen = true
      let texts = AsyncFamily<Int, String> { key in
        let text = "text \(key)"
        guard isOpen else { throw CocoaError(.fileWriteUnknown) }
        try await store.save([key: StoredValue(text, age: .zero)], removing: [], isolation: #isolation)
        return text
      }
      let (first, second) = (texts[1], texts[2])
      await first.load()
      #expect(try await store.read(1, isolation: #isolation)?.value == first.value)
      isOpen = false
      await second.load()
      #expect(try await store.read(2, isolation: #isolation) == nil)
      #expect(second.value == nil && second.error != nil)
    }
  }
#endif
