// SPDX-License-Identifier: MIT
// Families whose keys are requested together.

extension AsyncFamily {
  /// A family of the main actor that requests several keys together.
  ///
  /// ```swift
  /// let authors = AsyncFamily(batching: 50) { ids in try await service.authors(ids) }
  /// ```
  ///
  /// The keys that are requested in one turn of the actor, such as by the rows that appear together, are one request, or as
  /// many as the limit requires. Each key is an entry like any other: it has its own status, error, age and tags, and it is
  /// joined, cancelled and invalidated by itself. The operation is cancelled when none of its keys is wanted any more.
  ///
  /// A batch is one request: it has one room at the ``LoadGate``, and interceptors are called once. The keys of a batch that
  /// has failed are tried again together if the retry policy allows it. The timeout is that of each key.
  ///
  /// - Parameters:
  ///   - seed: Returns the value to display for a key before its first answer, and again after a reset; nil: nothing. It is
  ///     provisional, and no answer. Called on the family's actor when an entry is made, at a reset, and at each request while
  ///     there is no value and no answer; not when it is forgotten.
  ///   - options: The options of requests, and the time for which answers are fresh.
  ///   - keepIdle: The number of entries to keep that are not in use, and the time for which each is kept.
  ///   - board: Invalidates entries by tag.
  ///   - tags: Returns the tags that an entry depends on. Called on the family's actor with the key alone, and again with each
  ///     confirmed value.
  ///   - store: The store that keeps values beyond the memory, as a cache or as the source of truth; nil: none.
  ///   - limit: The largest number of keys of one request, at least one.
  ///   - operation: Gets the values of some keys, each of them once. A key that the answer lacks has no data; an error is that
  ///     of each key. It runs on the main actor.
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
  ///   - seed: Returns the value to display for a key before its first answer, and again after a reset; nil: nothing. It is
  ///     provisional, and no answer. Called on the family's actor when an entry is made, at a reset, and at each request while
  ///     there is no value and no answer; not when it is forgotten.
  ///   - options: The options of requests, and the time for which answers are fresh.
  ///   - keepIdle: The number of entries to keep that are not in use, and the time for which each is kept.
  ///   - board: Invalidates entries by tag.
  ///   - tags: Returns the tags that an entry depends on. Called on the family's actor with the key alone, and again with each
  ///     confirmed value.
  ///   - store: The store that keeps values beyond the memory, as a cache or as the source of truth; nil: none.
  ///   - limit: The largest number of keys of one request, at least one.
  ///   - operation: Gets the values of some keys, each of them once. A key that the answer lacks has no data; an error is that
  ///     of each key. It runs on the family's actor.
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
