// SPDX-License-Identifier: MIT
// Resources whose value follows a stream: a socket, the observation of a database, a location.

extension AsyncResource {
  /// A resource of the main actor whose value follows a stream.
  ///
  /// ```swift
  /// let messages = AsyncResource(live: { try await socket.messages() })
  /// ```
  ///
  /// The first request connects. The first element is its answer, and each further one is one change. While the stream is
  /// open the value is fresh: every call except ``reload(isolation:)`` and `refresh(superseding: true)` returns at once, on
  /// every screen. The stream ends with a cancel, a reset, another load, or the release of the resource. When it ends by
  /// itself the value stays, and is stale; after an error the resource connects again, by the retry policy of the options.
  ///
  /// - Parameters:
  ///   - seed: Displayed before the first element, and again after a reset. It is provisional, and no answer.
  ///   - options: The options of connections. The timeout limits the wait for the first element of each.
  ///   - connect: Returns the elements of one connection. It runs on the main actor.
  public convenience init<Elements: AsyncSequence>(
    seed: Value? = nil, options: LoadOptions = LoadOptions(),
    live connect: @escaping @MainActor () async throws -> Elements
  ) where Elements.Element == Value {
    let connect = operationOnMainActor { (_: LoadReporter<Value>) in try await connect() }
    let operation = Self.following(connect)
    self.init(AsyncData(seed: seed, options: options), MainActor.shared, { operation })
    data.setLive()
  }

  /// A resource of any actor whose value follows a stream.
  ///
  /// - Parameters:
  ///   - isolation: The actor that the resource belongs to. It is not kept alive.
  ///   - seed: Displayed before the first element, and again after a reset. It is provisional, and no answer.
  ///   - options: The options of connections. The timeout limits the wait for the first element of each.
  ///   - connect: Returns the elements of one connection. It runs on the resource's actor.
  public convenience init<Elements: AsyncSequence>(
    isolation: isolated any Actor, seed: Value? = nil, options: LoadOptions = LoadOptions(),
    live connect: @escaping () async throws -> Elements
  ) where Elements.Element == Value {
    let operation = Self.following { (_: LoadReporter<Value>) in try await connect() }
    self.init(AsyncData(seed: seed, options: options), isolation, { operation })
    data.setLive()
  }

  /// A resource of the main actor whose value follows a stream, and another one when a key changes.
  ///
  /// - Parameters:
  ///   - key: The key that the stream depends on. An equal key is no change.
  ///   - delay: The time for which a key must stay the same before it is connected.
  ///   - former: The display of the former key's value while the new key has none.
  ///   - options: The options of connections. The timeout limits the wait for the first element of each.
  ///   - connect: Returns the elements of one connection for a key. It runs on the main actor.
  public convenience init<Key: Equatable & Sendable, Elements: AsyncSequence>(
    following key: Observed<Key?>, delay: Duration = .zero, former: FormerValue = .hidden,
    options: LoadOptions = LoadOptions(), live connect: @escaping @MainActor (Key) async throws -> Elements
  ) where Elements.Element == Value {
    let followed = FollowedKey(key)
    let connect = operationOnMainActor(connect)
    self.init(
      AsyncData(options: options), MainActor.shared, { followed.current.map { Self.following(connect, $0) } },
      following: KeyFollower(followed, delay: delay, former: former, clock: options.clock))
    data.setLive()
  }

  /// A resource of any actor whose value follows a stream, and another one when a key changes.
  ///
  /// - Parameters:
  ///   - isolation: The actor that the resource and the key belong to. It is not kept alive.
  ///   - key: The key that the stream depends on. An equal key is no change.
  ///   - delay: The time for which a key must stay the same before it is connected.
  ///   - former: The display of the former key's value while the new key has none.
  ///   - options: The options of connections. The timeout limits the wait for the first element of each.
  ///   - connect: Returns the elements of one connection for a key. It runs on the resource's actor.
  public convenience init<Key: Equatable & Sendable, Elements: AsyncSequence>(
    isolation: isolated any Actor, following key: Observed<Key?>, delay: Duration = .zero,
    former: FormerValue = .hidden,
    options: LoadOptions = LoadOptions(), live connect: @escaping (Key) async throws -> Elements
  ) where Elements.Element == Value {
    let followed = FollowedKey(key)
    self.init(
      AsyncData(options: options), isolation, { followed.current.map { Self.following(connect, $0) } },
      following: KeyFollower(followed, delay: delay, former: former, clock: options.clock))
    data.setLive()
  }

  // Here, and not inside `map`: there the compiler infers the type of the closure, and a closure with an inferred type has left
  // its caller's actor (Swift 6.3.1).
  private static func following<Elements: AsyncSequence>(
    _ connect: @escaping (LoadReporter<Value>) async throws -> Elements
  ) -> Operation where Elements.Element == Value {
    { reporter in
      try await reporter.firstElement(of: SequenceElements(sequence: try await connect(reporter)))
    }
  }

  private static func following<Key, Elements: AsyncSequence>(
    _ connect: @escaping (Key) async throws -> Elements, _ key: Key
  ) -> Operation where Elements.Element == Value {
    following { _ in try await connect(key) }
  }
}
