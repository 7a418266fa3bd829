// SPDX-License-Identifier: MIT
#if DATABASE
  import AsyncState
  import AsyncStateTesting
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
      let texts = AsyncFamily<Int, String>(live: { key in store.values(of: key) })
      try await store.write(StoredValue("one"), for: 1, isolation: #isolation)
      let text = texts[1]
      #expect(try await text.get() == "one")
      var seen: [String?] = []
      let token = text.observed.map(\.value).observe { seen.append($0) }
      try await store.write(StoredValue("elsewhere"), for: 2, isolation: #isolation)
      try await store.write(StoredValue("two"), for: 1, isolation: #isolation)
      for await snapshot in text.observed.values where snapshot.value == "two" { break }
      #expect(seen == ["one", "two"] && !text.isStale)
      // What nothing is stored for waits for its first value.
      let other = texts[3]
      let first = Task { try await other.get() }
      try await store.write(StoredValue("three"), for: 3, isolation: #isolation)
      #expect(try await first.value == "three")
      withExtendedLifetime(token) {}
    }
  }
#endif
