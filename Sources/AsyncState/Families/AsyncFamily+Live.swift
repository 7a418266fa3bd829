// SPDX-License-Identifier: MIT
// Families of live values.

extension AsyncFamily {
  /// A family of the main actor whose values follow streams.
  ///
  /// ```swift
  /// let rooms = AsyncFamily(live: { (room: Room.ID) in try await socket.messages(in: room) })
  /// ```
  ///
  /// The stream of an entry ends when only the family holds the entry. Releasing a reference calls nothing, so this is noticed at
  /// the next element, before another connection, and when the family releases the entry.
  ///
  /// - Parameters:
  ///   - seed: Returns the value to display for a key before its first element, and again after a reset; nil: nothing. Called
  ///     on the family's actor.
  ///   - options: The options of connections. The timeout limits the wait for the first element of each.
  ///   - keepIdle: The number of entries to keep that are not in use.
  ///   - board: Invalidates entries by tag. An entry that is invalidated connects again.
  ///   - tags: Returns the tags that an entry depends on. Called on the family's actor with the key alone, and again with each
  ///     element.
  ///   - store: The store that keeps the newest elements beyond the memory; nil: none.
  ///   - connect: Returns the elements of one connection for a key. It runs on the main actor.
  public convenience init<Elements: AsyncSequence>(
    seed: ((Key) -> Value?)? = nil, options: LoadOptions = LoadOptions(), keepIdle: Int = 50,
    board: AsyncTagBoard? = nil, tags: @escaping (Key, Value?) -> Set<AsyncTag> = { _, _ in [] },
    store: (any ValueStore<Key, Value>)? = nil, live connect: @escaping @MainActor (Key) async throws -> Elements
  ) where Elements.Element == Value {
    let settings = FamilySettings<Key, Value>(
      home: MainActor.shared, isAtHome: false, options: options, seed: seed, board: board, tags: tags, store: store,
      source: Self.streams(operationOnMainActor(connect)))
    self.init(settings, keepIdle: keepIdle)
  }

  /// A family of any actor whose values follow streams.
  ///
  /// - Parameters:
  ///   - isolation: The actor that the family belongs to. It is not kept alive.
  ///   - seed: Returns the value to display for a key before its first element, and again after a reset; nil: nothing. Called
  ///     on the family's actor.
  ///   - options: The options of connections. The timeout limits the wait for the first element of each.
  ///   - keepIdle: The number of entries to keep that are not in use.
  ///   - board: Invalidates entries by tag. An entry that is invalidated connects again.
  ///   - tags: Returns the tags that an entry depends on. Called on the family's actor with the key alone, and again with each
  ///     element.
  ///   - store: The store that keeps the newest elements beyond the memory; nil: none.
  ///   - connect: Returns the elements of one connection for a key. It runs on the family's actor.
  public convenience init<Elements: AsyncSequence>(
    isolation: isolated any Actor, seed: ((Key) -> Value?)? = nil, options: LoadOptions = LoadOptions(),
    keepIdle: Int = 50, board: AsyncTagBoard? = nil,
    tags: @escaping (Key, Value?) -> Set<AsyncTag> = { _, _ in [] }, store: (any ValueStore<Key, Value>)? = nil,
    live connect: @escaping (Key) async throws -> Elements
  ) where Elements.Element == Value {
    let settings = FamilySettings<Key, Value>(
      home: isolation, isAtHome: true, options: options, seed: seed, board: board, tags: tags, store: store,
      source: Self.streams(connect))
    self.init(settings, keepIdle: keepIdle)
  }

  private static func streams<Elements: AsyncSequence>(
    _ connect: @escaping (Key) async throws -> Elements
  ) -> FamilySettings<Key, Value>.Source where Elements.Element == Value {
    .live { key in SequenceElements(sequence: try await connect(key)) }
  }
}
