// SPDX-License-Identifier: MIT
// The ways in which a value is got, one declaration for each. Initialisers of resources and families take a source, so another way
// is a function here, and a case of `SourceKind.Way`.

/// A way to get a value on the main actor: of a resource, of a key of a family, or of a followed key.
///
/// ```swift
/// let feed = AsyncResource(.pages { page in try await service.posts(at: page.cursor) })
/// let prices = AsyncFamily { (id: Int) in .live { try await service.prices(of: id) } }
/// ```
///
/// A plain operation needs none: `AsyncResource { try await service.articles() }`.
public struct AsyncSource<Value> {
  let kind: SourceKind<Value>

  /// A value that is got whole.
  ///
  /// - Parameter operation: Gets the value; nil: there is none. It runs on the main actor.
  public static func value(_ operation: @escaping @MainActor () async throws -> Value?) -> AsyncSource {
    AsyncSource(
      kind: SourceKind(.value { (_: LoadReporter<Value>) in try await onMainActor(isolation: #isolation, operation) }))
  }

  /// A value whose operation yields parts of it, or reports progress, while it runs.
  ///
  /// - Parameter operation: Gets the value; nil: there is none. It runs on the main actor.
  public static func value(
    _ operation: @escaping @MainActor (LoadReporter<Value>) async throws -> Value?
  ) -> AsyncSource {
    AsyncSource(kind: SourceKind(.value(operationOnMainActor(operation))))
  }

  /// A list that is loaded in pages.
  ///
  /// A load requests the first page; a refresh requests as many pages as there are, by default. The time limit and the retries of a
  /// refresh are those of all its pages together. ``AsyncResource/loadNext(isolation:)`` and
  /// ``AsyncResource/loadPrevious(isolation:)`` extend the list.
  ///
  /// - Parameter fetch: Returns the page that is requested, by its cursor; nil: the first one. It runs on the main actor.
  public static func pages<Item, Cursor>(
    _ fetch: @escaping @MainActor (PageRequest<Item, Cursor>) async throws -> Paged<Item, Cursor>.Page
  ) -> AsyncSource where Value == Paged<Item, Cursor> {
    AsyncSource(kind: SourceKind(.pages(Pages(fetch: operationOnMainActor(fetch)))))
  }

  /// A value that follows a stream.
  ///
  /// The first request connects. The first element is its answer, and each further one is one change. While the stream is
  /// open the value is fresh: every call except ``AsyncResource/reload(isolation:)`` and `refresh()` returns at
  /// once, on every screen. The stream ends with a cancel, a reset, another load, or the release of the resource; that of a
  /// family's entry also when only the family holds it, which is noticed at the next element. When it ends by itself the value
  /// stays, and is stale; after an error the resource connects again, by the retry policy of the options. Their timeout limits the
  /// wait of each connection for its first element.
  ///
  /// - Parameter connect: Returns the elements of one connection. It runs on the main actor.
  public static func live<Elements: AsyncSequence>(
    _ connect: @escaping @MainActor () async throws -> Elements
  ) -> AsyncSource where Elements.Element == Value {
    AsyncSource(
      kind: SourceKind(
        .live { (reporter: LoadReporter<Value>) in
          let elements = try await onMainActor(isolation: #isolation) { try await connect() }
          return try await reporter.firstElement(of: elements)
        }))
  }

  /// The same, with the time for which each answer is fresh, in the place of `staleAfter`: for tokens, signed links, and answers of
  /// a server that say it.
  ///
  /// ```swift
  /// let token = AsyncResource(.value { try await auth.token() }.fresh { $0.lifetime })
  /// ```
  ///
  /// - Parameter time: The time from the answer on; nil: that of the options. It is called on the main actor whenever the
  ///   age is compared, with the value and the changes that are displayed on it, and computes nothing else.
  public func fresh(for time: @escaping @MainActor (Value) -> Duration?) -> AsyncSource {
    AsyncSource(kind: kind.fresh(for: makingOnMainActor(time)))
  }
}

/// A way to get a value on the actor of its resource or family, which calls a closure to make it.
///
/// ```swift
/// lazy var feed = AsyncResource(isolation: self) { [bank] in
///   .pages { page in try await bank.posts(at: page.cursor) }
/// }
/// ```
///
/// A capture list stands at the closure that makes the source, as there: an operation with a list of its own that does not name
/// `self` leaves the actor (https://github.com/swiftlang/swift/issues/87097, before Swift 6.3.3).
public struct ActorSource<Value> {
  let kind: SourceKind<Value>

  /// A value that is got whole.
  ///
  /// - Parameter operation: Gets the value; nil: there is none. It runs on the actor.
  public static func value(_ operation: @escaping () async throws -> Value?) -> ActorSource {
    ActorSource(kind: SourceKind(.value { (_: LoadReporter<Value>) in try await operation() }))
  }

  /// A value whose operation yields parts of it, or reports progress, while it runs.
  ///
  /// - Parameter operation: Gets the value; nil: there is none. It runs on the actor.
  public static func value(_ operation: @escaping (LoadReporter<Value>) async throws -> Value?) -> ActorSource {
    ActorSource(kind: SourceKind(.value(operation)))
  }

  /// A list that is loaded in pages, like ``AsyncSource/pages(_:)``.
  ///
  /// - Parameter fetch: Returns the page that is requested, by its cursor; nil: the first one. It runs on the actor.
  public static func pages<Item, Cursor>(
    _ fetch: @escaping (PageRequest<Item, Cursor>) async throws -> Paged<Item, Cursor>.Page
  ) -> ActorSource where Value == Paged<Item, Cursor> {
    ActorSource(kind: SourceKind(.pages(Pages(fetch: fetch))))
  }

  /// A value that follows a stream, like ``AsyncSource/live(_:)``.
  ///
  /// - Parameter connect: Returns the elements of one connection. It runs on the actor.
  public static func live<Elements: AsyncSequence>(
    _ connect: @escaping () async throws -> Elements
  ) -> ActorSource where Elements.Element == Value {
    ActorSource(
      kind: SourceKind(
        .live { (reporter: LoadReporter<Value>) in try await reporter.firstElement(of: try await connect()) }))
  }

  /// The same, with the time for which each answer is fresh, like ``AsyncSource/fresh(for:)``.
  ///
  /// - Parameter time: The time from the answer on; nil: that of the options. It is called on the actor whenever the age is
  ///   compared, with the value and the changes that are displayed on it, and computes nothing else.
  public func fresh(for time: @escaping (Value) -> Duration?) -> ActorSource {
    ActorSource(kind: kind.fresh(for: time))
  }
}

/// A source without its actor.
struct SourceKind<Value> {
  /// Runs on the actor of its caller, which is the resource's.
  typealias Operation = (LoadReporter<Value>) async throws -> Value?

  enum Way {
    case value(Operation)
    case pages(any PageSource<Value>)
    /// Its operation follows a stream from its first element on.
    case live(Operation)
    /// Its operation gets its parts with `LoadReporter.parts`.
    case madeOf(Operation)
  }

  let way: Way
  /// The time for which an answer is fresh; nil: that of the options.
  private(set) var lifetime: ((Value) -> Duration?)?

  init(_ way: Way) { self.way = way }

  /// The same, whose answers say for how long they are fresh.
  func fresh(for time: @escaping (Value) -> Duration?) -> SourceKind {
    var source = self
    source.lifetime = time
    return source
  }

  /// The operation of a load.
  var operation: Operation {
    switch way {
    case .value(let operation), .live(let operation), .madeOf(let operation): operation
    case .pages(let pages): pages.operation
    }
  }

  var pages: (any PageSource<Value>)? { if case .pages(let pages) = way { pages } else { nil } }

  var isLive: Bool { if case .live = way { true } else { false } }

  var isMadeOfOthers: Bool { if case .madeOf = way { true } else { false } }
}
