// SPDX-License-Identifier: MIT
// Families of live values.

extension AsyncFamily {
  /// A family of the main actor whose values follow streams.
  ///
  /// ```swift
  /// let rooms = AsyncFamily(live: { (room: Room.ID) in try await socket.messages(in: room) })
  /// ```
  ///
  /// The stream of an entry, also one that is connected again, ends when nothing outside of the family holds the entry. A
  /// reference that is released calls nothing: this is noticed at the next element, before another connection, when the family
  /// is used, and by ``trim(toIdle:)``.
  ///
  /// - Parameters:
  ///   - seed: Displayed for a key before its first element, and again after a reset; nil: nothing.
  ///   - options: How to connect. The timeout is that of the first element, `silence` that of others.
  ///   - keepIdle: How many entries to keep that are not in use, and for how long.
  ///   - board: Invalidates entries by tag. An entry that is invalidated connects again.
  ///   - tags: What an entry depends on. It is called with the key alone, and again with each element.
  ///   - store: Where the newest elements are kept beyond the memory; nil: nowhere.
  ///   - connect: Returns the elements of one connection for a key. It runs on the main actor.
  public convenience init<Elements: AsyncSequence>(
    seed: ((Key) -> Value?)? = nil, options: LoadOptions = LoadOptions(), keepIdle: IdleLimit = 50,
    board: AsyncTagBoard? = nil, tags: @escaping (Key, Value?) -> Set<AsyncTag> = { _, _ in [] },
    store: FamilyStore<Key, Value>? = nil, live connect: @escaping @MainActor (Key) async throws -> Elements
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
  ///   - seed: Displayed for a key before its first element, and again after a reset; nil: nothing.
  ///   - options: How to connect. The timeout is that of the first element, `silence` that of others.
  ///   - keepIdle: How many entries to keep that are not in use, and for how long.
  ///   - board: Invalidates entries by tag. An entry that is invalidated connects again.
  ///   - tags: What an entry depends on. It is called with the key alone, and again with each element.
  ///   - store: Where the newest elements are kept beyond the memory; nil: nowhere.
  ///   - connect: Returns the elements of one connection for a key. It runs on the family's actor.
  public convenience init<Elements: AsyncSequence>(
    isolation: isolated any Actor, seed: ((Key) -> Value?)? = nil, options: LoadOptions = LoadOptions(),
    keepIdle: IdleLimit = 50, board: AsyncTagBoard? = nil,
    tags: @escaping (Key, Value?) -> Set<AsyncTag> = { _, _ in [] }, store: FamilyStore<Key, Value>? = nil,
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
