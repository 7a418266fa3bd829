// SPDX-License-Identifier: MIT
/// Resources by key, shared by everything that needs them: one resource for each key, kept as long as it is in use.
///
/// ```swift
/// let articles = AsyncFamily(options: .app) { id in try await service.article(id) }
/// // On each screen that displays the article:
/// let article = articles[5]
/// article.start(when: .stale)
/// ```
///
/// An entry is in use while something holds its resource, a request runs, or a change is unconfirmed. Of the others the family
/// keeps those that were used last: it looks for them when it has twice as many entries as the last time, and releases those
/// beyond `keepUnused`, by default 50. The age of an answer decides whether to request it, and never whether to keep it.
///
/// A family belongs to the main actor or to the actor that it names when it is created, and its operation always runs
/// there. It does not keep that actor alive. When it is released its loads are cancelled; resources that are held
/// elsewhere continue without it.
public final class AsyncFamily<Key: Hashable, Value> {
  let table: FamilyTable<Key, Value>

  /// A family of the main actor.
  ///
  /// It can be the initial value of a stored or lazy property. One with a board or a store that is another property is
  /// created in an initializer or a method: the compiler rejects it in an initial value, beside an operation that leaves
  /// the main actor.
  ///
  /// - Parameters:
  ///   - seed: Returns the value to display for a key before its first answer, and again after a reset; nil: nothing. It is
  ///     provisional, and no answer. Called on the family's actor when an entry is made, and at a reset.
  ///   - options: The options of requests, and the time for which answers are fresh.
  ///   - keepUnused: The number of entries to keep that are not in use.
  ///   - board: Invalidates entries by tag.
  ///   - tags: Returns the tags that an entry depends on. Called on the family's actor with the key alone, and again with each
  ///     confirmed value.
  ///   - store: The store that keeps a copy of the values beyond the memory; nil: none.
  ///   - operation: Gets the value of a key; nil: there is none. It runs on the main actor.
  public convenience init(
    seed: ((Key) -> Value?)? = nil, options: LoadOptions = LoadOptions(), keepUnused: Int = 50,
    board: AsyncTagBoard? = nil,
    tags: @escaping (Key, Value?) -> Set<AsyncTag> = { _, _ in [] }, store: (any ValueStore<Key, Value>)? = nil,
    operation: @escaping @MainActor (Key) async throws -> Value?
  ) {
    let operation = operationOnMainActor(operation)
    self.init(
      FamilySettings(
        home: MainActor.shared, isAtHome: false, options: options, seed: seed, board: board, tags: tags, store: store,
        source: .values { (key: Key, _: LoadReporter<Value>) in try await operation(key) }), keepUnused: keepUnused)
  }

  /// A family of the main actor whose keys have sources: lists in pages, streams, or operations that report while they run.
  ///
  /// ```swift
  /// let rooms = AsyncFamily { (room: Room.ID) in .live { try await socket.messages(in: room) } }
  /// ```
  ///
  /// - Parameters:
  ///   - seed: Returns the value to display for a key before its first answer, and again after a reset; nil: nothing. It is
  ///     provisional, and no answer. Called on the family's actor when an entry is made, and at a reset.
  ///   - options: The options of requests, and the time for which answers are fresh.
  ///   - keepUnused: The number of entries to keep that are not in use.
  ///   - board: Invalidates entries by tag.
  ///   - tags: Returns the tags that an entry depends on. Called on the family's actor with the key alone, and again with each
  ///     confirmed value.
  ///   - store: The store that keeps a copy of the values beyond the memory; nil: none.
  ///   - source: Makes the way in which the value of a key is got. It is called on the main actor, once for each entry, and only
  ///     makes the source.
  public convenience init(
    seed: ((Key) -> Value?)? = nil, options: LoadOptions = LoadOptions(), keepUnused: Int = 50,
    board: AsyncTagBoard? = nil,
    tags: @escaping (Key, Value?) -> Set<AsyncTag> = { _, _ in [] }, store: (any ValueStore<Key, Value>)? = nil,
    source: @escaping @MainActor (Key) -> AsyncSource<Value>
  ) {
    let make = makingOnMainActor { (key: Key) in source(key).kind }
    self.init(
      FamilySettings(
        home: MainActor.shared, isAtHome: false, options: options, seed: seed, board: board, tags: tags, store: store,
        source: .sources(make)), keepUnused: keepUnused)
  }

  /// A family of any actor whose keys have sources.
  ///
  /// As a property of an actor it is lazy, so that the actor can be named, or created in a method:
  ///
  /// ```swift
  /// lazy var rates = AsyncFamily(isolation: self) { [bank] (currency: String) in
  ///   .value { try await bank.rate(of: currency) }
  /// }
  /// ```
  ///
  /// A capture list stands at the closure that makes the source, as there.
  ///
  /// - Parameters:
  ///   - isolation: The actor that the family belongs to. It is not kept alive.
  ///   - seed: Returns the value to display for a key before its first answer, and again after a reset; nil: nothing. It is
  ///     provisional, and no answer. Called on the family's actor when an entry is made, and at a reset.
  ///   - options: The options of requests, and the time for which answers are fresh.
  ///   - keepUnused: The number of entries to keep that are not in use.
  ///   - board: Invalidates entries by tag.
  ///   - tags: Returns the tags that an entry depends on. Called on the family's actor with the key alone, and again with each
  ///     confirmed value.
  ///   - store: The store that keeps a copy of the values beyond the memory; nil: none.
  ///   - source: Makes the way in which the value of a key is got. It is called on the family's actor, once for each entry, and
  ///     only makes the source.
  public convenience init(
    isolation: isolated any Actor, seed: ((Key) -> Value?)? = nil, options: LoadOptions = LoadOptions(),
    keepUnused: Int = 50, board: AsyncTagBoard? = nil,
    tags: @escaping (Key, Value?) -> Set<AsyncTag> = { _, _ in [] }, store: (any ValueStore<Key, Value>)? = nil,
    source: @escaping (Key) -> ActorSource<Value>
  ) {
    self.init(
      FamilySettings(
        home: isolation, isAtHome: true, options: options, seed: seed, board: board, tags: tags, store: store,
        source: .sources { (key: Key) in source(key).kind }), keepUnused: keepUnused)
  }

  init(_ settings: FamilySettings<Key, Value>, keepUnused: Int) {
    table = FamilyTable(settings, keepUnused: keepUnused)
  }

  deinit {
    table.settings.release()
    // If it is not certain which actor uses the family, nothing is called; then none of its requests runs, either.
    guard table.settings.isAtHome, let home = table.settings.home else { return }
    perform(on: home) { [table] in table.dissolve() }
  }
}

extension AsyncFamily: CustomStringConvertible {
  /// The type and the number of entries, as in `AsyncFamily<Int, String>: 2 entries`.
  ///
  /// Call it on the actor of the family.
  public var description: String { "\(Self.self): \(table.count == 1 ? "1 entry" : "\(table.count) entries")" }
}
