// SPDX-License-Identifier: MIT
// Families of lists that are loaded in pages.

extension AsyncFamily {
  /// A family of the main actor whose values are lists that are loaded in pages.
  ///
  /// ```swift
  /// let folders = AsyncFamily(pages: { (folder: String, page) in
  ///   try await service.files(in: folder, at: page.cursor)
  /// })
  /// ```
  ///
  /// A list that is invalidated while a screen holds it is requested again with as many pages as it has, so it keeps its
  /// length and its position.
  ///
  /// - Parameters:
  ///   - seed: Returns the value to display for a key before its first answer, and again after a reset; nil: nothing. It is
  ///     provisional, and no answer. Called on the family's actor when an entry is made, and at a reset.
  ///   - options: The options of requests, and the time for which lists are fresh.
  ///   - keepIdle: The number of entries to keep that are not in use.
  ///   - board: Invalidates entries by tag.
  ///   - tags: Returns the tags that an entry depends on. Called on the family's actor with the key alone, and again with each
  ///     confirmed value.
  ///   - store: The store that keeps a copy of the lists beyond the memory; nil: none.
  ///   - pages: Returns the requested page of a key, by its cursor; nil: the first one. It runs on the main actor.
  public convenience init<Item, Cursor>(
    seed: ((Key) -> Value?)? = nil, options: LoadOptions = LoadOptions(), keepIdle: Int = 50,
    board: AsyncTagBoard? = nil,
    tags: @escaping (Key, Value?) -> Set<AsyncTag> = { _, _ in [] }, store: (any ValueStore<Key, Value>)? = nil,
    pages: @escaping @MainActor (Key, PageRequest<Item, Cursor>) async throws -> Paged<Item, Cursor>.Page
  ) where Value == Paged<Item, Cursor> {
    let settings = FamilySettings<Key, Value>(
      home: MainActor.shared, isAtHome: false, options: options, seed: seed, board: board, tags: tags, store: store,
      source: Self.sources(operationOnMainActor(pages)))
    self.init(settings, keepIdle: keepIdle)
  }

  /// A family of any actor whose values are lists that are loaded in pages.
  ///
  /// - Parameters:
  ///   - isolation: The actor that the family belongs to. It is not kept alive.
  ///   - seed: Returns the value to display for a key before its first answer, and again after a reset; nil: nothing. It is
  ///     provisional, and no answer. Called on the family's actor when an entry is made, and at a reset.
  ///   - options: The options of requests, and the time for which lists are fresh.
  ///   - keepIdle: The number of entries to keep that are not in use.
  ///   - board: Invalidates entries by tag.
  ///   - tags: Returns the tags that an entry depends on. Called on the family's actor with the key alone, and again with each
  ///     confirmed value.
  ///   - store: The store that keeps a copy of the lists beyond the memory; nil: none.
  ///   - pages: Returns the requested page of a key, by its cursor; nil: the first one. It runs on the family's actor.
  public convenience init<Item, Cursor>(
    isolation: isolated any Actor, seed: ((Key) -> Value?)? = nil, options: LoadOptions = LoadOptions(),
    keepIdle: Int = 50, board: AsyncTagBoard? = nil,
    tags: @escaping (Key, Value?) -> Set<AsyncTag> = { _, _ in [] },
    store: (any ValueStore<Key, Value>)? = nil,
    pages: @escaping (Key, PageRequest<Item, Cursor>) async throws -> Paged<Item, Cursor>.Page
  ) where Value == Paged<Item, Cursor> {
    let settings = FamilySettings<Key, Value>(
      home: isolation, isAtHome: true, options: options, seed: seed, board: board, tags: tags, store: store,
      source: Self.sources(pages))
    self.init(settings, keepIdle: keepIdle)
  }

  private static func sources<Item, Cursor>(
    _ fetch: @escaping (Key, PageRequest<Item, Cursor>) async throws -> Paged<Item, Cursor>.Page
  ) -> FamilySettings<Key, Value>.Source where Value == Paged<Item, Cursor> {
    .pages { key in AsyncResource.pages(fetch, of: key) }
  }
}
