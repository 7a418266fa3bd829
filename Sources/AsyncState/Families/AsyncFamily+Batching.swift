// SPDX-License-Identifier: MIT
// Families whose keys are requested together.

extension AsyncFamily {
  /// A family of the main actor that requests several keys together.
  ///
  /// ```swift
  /// let authors = AsyncFamily(batching: 50) { ids in try await service.authors(ids) }
  /// ```
  ///
  /// The keys that are requested in one turn of the actor, as by the rows that appear together, are one request, or as many as
  /// the limit requires. Each key is an entry like any other: it has its own status, error, age and tags, and it is joined,
  /// cancelled and invalidated by itself. The operation is cancelled when none of its keys is wanted any more.
  ///
  /// A batch is one request: it has one room at the ``LoadGate``, and interceptors are called once. The keys of a batch that has
  /// failed, and that the retry policy tries again, are tried again together. The timeout is that of each key.
  ///
  /// - Parameters:
  ///   - seed: Displayed for a key before its first answer, and again after a reset; nil: nothing. It is provisional, and
  ///     no answer. It is called when an entry is made, at a reset, and at each request while nothing is known; not when it
  ///     is forgotten.
  ///   - options: How long answers are fresh, and how values are requested.
  ///   - keepIdle: How many entries to keep that are not in use, and for how long.
  ///   - board: Invalidates entries by tag.
  ///   - tags: What an entry depends on. It is called with the key alone, and again with each confirmed value.
  ///   - store: Where values are kept beyond the memory, and what that is to the family; nil: nowhere.
  ///   - limit: The largest number of keys of one request, at least one.
  ///   - operation: Gets the values of some keys, which are different ones. A key that the answer lacks has no data; an error is
  ///     that of each key. It runs on the main actor.
  public convenience init(
    seed: ((Key) -> Value?)? = nil, options: LoadOptions = LoadOptions(), keepIdle: IdleLimit = 50,
    board: AsyncTagBoard? = nil,
    tags: @escaping (Key, Value?) -> Set<AsyncTag> = { _, _ in [] }, store: FamilyStore<Key, Value>? = nil,
    batching limit: Int, operation: @escaping @MainActor ([Key]) async throws -> [Key: Value]
  ) {
    let batches = KeyBatches(
      limit: limit, options: options, home: MainActor.shared, operationOnMainActor(operation))
    self.init(
      FamilySettings(
        home: MainActor.shared, isAtHome: false, options: options, seed: seed, board: board, tags: tags, store: store,
        source: .batches(batches)), keepIdle: keepIdle)
  }

  /// A family of any actor that requests several keys together.
  ///
  /// - Parameters:
  ///   - isolation: The actor that the family belongs to. It is not kept alive.
  ///   - seed: Displayed for a key before its first answer, and again after a reset; nil: nothing. It is provisional, and
  ///     no answer. It is called when an entry is made, at a reset, and at each request while nothing is known; not when it
  ///     is forgotten.
  ///   - options: How long answers are fresh, and how values are requested.
  ///   - keepIdle: How many entries to keep that are not in use, and for how long.
  ///   - board: Invalidates entries by tag.
  ///   - tags: What an entry depends on. It is called with the key alone, and again with each confirmed value.
  ///   - store: Where values are kept beyond the memory, and what that is to the family; nil: nowhere.
  ///   - limit: The largest number of keys of one request, at least one.
  ///   - operation: Gets the values of some keys, which are different ones. A key that the answer lacks has no data; an error is
  ///     that of each key. It runs on the family's actor.
  public convenience init(
    isolation: isolated any Actor, seed: ((Key) -> Value?)? = nil, options: LoadOptions = LoadOptions(),
    keepIdle: IdleLimit = 50, board: AsyncTagBoard? = nil,
    tags: @escaping (Key, Value?) -> Set<AsyncTag> = { _, _ in [] },
    store: FamilyStore<Key, Value>? = nil, batching limit: Int,
    operation: @escaping ([Key]) async throws -> [Key: Value]
  ) {
    let batches = KeyBatches(limit: limit, options: options, home: isolation, operation)
    self.init(
      FamilySettings(
        home: isolation, isAtHome: true, options: options, seed: seed, board: board, tags: tags, store: store,
        source: .batches(batches)), keepIdle: keepIdle)
  }
}
