// SPDX-License-Identifier: MIT
// A resource whose operation depends on a key that changes: the text of a search field, or the selected account.

extension AsyncResource {
  /// A resource of the main actor that requests its value anew when a key changes.
  ///
  /// ```swift
  /// let results = AsyncResource(following: query, delay: .milliseconds(300), former: .untilAnswered) { text in
  ///   try await catalogue.entries(matching: text)
  /// }
  /// ```
  ///
  /// Nothing is requested before the first load. From then on a change of the key removes everything that belongs to the
  /// former key, supersedes its load, and starts another. A nil key has no data, and nothing is requested for it.
  ///
  /// Create it in an initializer or a method: in the initial value of a lazy property the compiler rejects a key that is
  /// another property beside an operation that leaves the main actor.
  ///
  /// - Parameters:
  ///   - key: What the value depends on. An equal key is no change.
  ///   - delay: How long a key must stand before it is requested. Meanwhile no load is running. An explicit call does not
  ///     wait. Without a delay the request starts before the write of the key returns.
  ///   - former: What is displayed of the former key while there is nothing of the new one.
  ///   - options: How long answers are fresh, and how values are requested.
  ///   - operation: Gets the value for a key; nil: there is none. It runs on the main actor.
  public convenience init<Key: Equatable & Sendable>(
    following key: Observed<Key?>, delay: Duration = .zero, former: FormerValue = .hidden,
    options: LoadOptions = LoadOptions(),
    operation: @escaping @MainActor (Key) async throws -> Value?
  ) {
    self.init(following: key, delay: delay, former: former, options: options) { key, _ in try await operation(key) }
  }

  /// A resource of the main actor that requests its value anew when a key changes, with an operation that yields values,
  /// reports progress, or watches other resources.
  ///
  /// - Parameters:
  ///   - key: What the value depends on. An equal key is no change.
  ///   - delay: How long a key must stand before it is requested. Meanwhile no load is running. An explicit call does not
  ///     wait. Without a delay the request starts before the write of the key returns.
  ///   - former: What is displayed of the former key while there is nothing of the new one.
  ///   - options: How long answers are fresh, and how values are requested.
  ///   - operation: Gets the value for a key; nil: there is none. It runs on the main actor.
  public convenience init<Key: Equatable & Sendable>(
    following key: Observed<Key?>, delay: Duration = .zero, former: FormerValue = .hidden,
    options: LoadOptions = LoadOptions(),
    operation: @escaping @MainActor (Key, LoadReporter<Value>) async throws -> Value?
  ) {
    let followed = FollowedKey(key)
    self.init(
      AsyncData(options: options), MainActor.shared,
      { followed.current.map { key in operationOnMainActor { try await operation(key, $0) } } },
      following: KeyFollower(followed, delay: delay, former: former, clock: options.clock))
  }

  /// A resource of any actor that requests its value anew when a key changes.
  ///
  /// Nothing is requested before the first load. From then on a change of the key removes everything that belongs to the
  /// former key, supersedes its load, and starts another. A nil key has no data, and nothing is requested for it.
  ///
  /// - Parameters:
  ///   - isolation: The actor that the resource and the key belong to. It is not kept alive.
  ///   - key: What the value depends on. An equal key is no change.
  ///   - delay: How long a key must stand before it is requested. Meanwhile no load is running. An explicit call does not
  ///     wait. Without a delay the request starts before the write of the key returns.
  ///   - former: What is displayed of the former key while there is nothing of the new one.
  ///   - options: How long answers are fresh, and how values are requested.
  ///   - operation: Gets the value for a key; nil: there is none. It runs on the resource's actor.
  public convenience init<Key: Equatable & Sendable>(
    isolation: isolated any Actor, following key: Observed<Key?>, delay: Duration = .zero,
    former: FormerValue = .hidden,
    options: LoadOptions = LoadOptions(), operation: @escaping (Key) async throws -> Value?
  ) {
    self.init(isolation: isolation, following: key, delay: delay, former: former, options: options) { key, _ in
      try await operation(key)
    }
  }

  /// A resource of any actor that requests its value anew when a key changes, with an operation that yields values, reports
  /// progress, or watches other resources.
  ///
  /// - Parameters:
  ///   - isolation: The actor that the resource and the key belong to. It is not kept alive.
  ///   - key: What the value depends on. An equal key is no change.
  ///   - delay: How long a key must stand before it is requested. Meanwhile no load is running. An explicit call does not
  ///     wait. Without a delay the request starts before the write of the key returns.
  ///   - former: What is displayed of the former key while there is nothing of the new one.
  ///   - options: How long answers are fresh, and how values are requested.
  ///   - operation: Gets the value for a key; nil: there is none. It runs on the resource's actor.
  public convenience init<Key: Equatable & Sendable>(
    isolation: isolated any Actor, following key: Observed<Key?>, delay: Duration = .zero,
    former: FormerValue = .hidden,
    options: LoadOptions = LoadOptions(), operation: @escaping (Key, LoadReporter<Value>) async throws -> Value?
  ) {
    let followed = FollowedKey(key)
    self.init(
      AsyncData(options: options), isolation,
      { followed.current.map { Self.operation(operation, for: $0) } },
      following: KeyFollower(followed, delay: delay, former: former, clock: options.clock))
  }

  // Here, and not inside `map`: there the compiler infers the type of the closure, and an inferred one has left its caller's
  // actor (Swift 6.3.1).
  private static func operation<Key>(
    _ operation: @escaping (Key, LoadReporter<Value>) async throws -> Value?, for key: Key
  ) -> Operation {
    { try await operation(key, $0) }
  }

  // MARK: Following

  /// Follows the key from now on. An explicit call does not wait for the delay.
  func followKey() {
    guard let following else { return }
    if following.token == nil {
      _ = following.key.isOutdated
      following.key.take()
      following.token = following.key.observe { [weak self] in self?.catchUp(in: $0) }
    }
    catchUp()
    following.alarm?.cancel()
  }

  /// Leaves the former key if the key is another by now: everything that belongs to it is removed in the same change.
  ///
  /// Called before anything is computed that is derived from the key, and when the resource is read before.
  ///
  /// - Parameter early: Delivers what is changed; nil: it is delivered before this returns.
  func catchUp(in early: EarlyRound? = nil) {
    guard let following, following.token != nil, following.key.isOutdated else { return }
    let round = early ?? EarlyRound()
    leaveFormerKey(following, in: round)
    if early == nil { round.finish() }
  }

  private func leaveFormerKey(_ following: KeyFollower, in round: EarlyRound) {
    let hasKey = following.key.isNextKnown
    following.changes &+= 1
    let change = following.changes
    // Before the observers are notified: what they request, cancel or write ends the delay.
    let formerAlarm = following.alarm
    let alarm = alarm()
    following.alarm = alarm
    data.changing(in: round) {
      data.changeKey(hasKey: hasKey, former: following.former) {
        following.key.take()
        data.setDelay(alarm)
      } if: {
        // A reader that reads the resource leaves the key before.
        following.changes == change
      }
    }
    withExtendedLifetime(formerAlarm) {}
    let endCount = data.state.core.endCount
    if alarm == nil { round.deliver { [weak self] in self?.requestKey(since: endCount, in: round) } }
  }

  /// Everything that belongs to the former key has been removed, and observers have been notified. They may have changed the
  /// key again, requested it themselves, or ended what follows, as they end a delay.
  private func requestKey(since endCount: UInt32, in round: EarlyRound) {
    guard let following, following.key.isKnown, data.state.core.endCount == endCount else { return }
    data.changing(in: round) { startFollowed() }
  }

  /// The delay of the next key, which begins now; nil without one.
  private func alarm() -> Alarm? {
    guard let following, following.delay > .zero, following.key.isNextKnown, let home = actor else { return nil }
    let alarm = Alarm(following.timeline)
    alarm.set(at: alarm.now + following.delay, on: home) { [weak self] in self?.startFollowed() }
    return alarm
  }

  private func startFollowed() {
    guard let home = actor else { return }
    data.following(.keyChange) {
      ActorBound(self, to: home).callHere { home, resource in resource.start(isolation: home) }
    }
  }
}

/// The delay of a followed key, after which it is requested. The data does not hold it.
private final class KeyDelay: DataFeature {
  weak var alarm: Alarm?

  var place: FeaturePlace { .key }

  var isRequestComing: Bool { alarm?.isSet == true }

  func take(_ event: DataEvent, _ ends: DataEnds, of request: LoadRun?, _ record: DataRecord, in step: inout DataStep) {
    switch ends {
    case .nothing, .request, .requestAndEvicted: break
    case .requests, .everything: if let alarm { step.lose(alarm) }
    }
  }
}

extension Alarm: LostPart {
  func finish() { cancel() }
}

extension AsyncData {
  /// The delay of a key begins; nil: there is none.
  fileprivate func setDelay(_ alarm: Alarm?) {
    if let delay = features.feature(at: .key, as: KeyDelay.self) { return delay.alarm = alarm }
    guard let alarm else { return }
    let delay = KeyDelay()
    delay.alarm = alarm
    state.core.features.set(delay)
  }
}

/// The key that a resource follows, and the action when it changes.
final class KeyFollower {
  let key: any KeySource
  let delay: Duration
  let former: FormerValue
  let timeline: Timeline
  /// Ends the delay of the present key. The data cancels it when its requests end.
  var alarm: Alarm?
  /// Nil before the first load.
  var token: ObservedToken?
  /// How often the key has changed.
  var changes = 0

  init(_ key: any KeySource, delay: Duration, former: FormerValue, clock: any Clock<Duration>) {
    self.key = key
    self.delay = delay.bounded
    self.former = former
    timeline = Timeline(clock)
  }
}

/// A key without its type.
protocol KeySource: AnyObject {
  /// Whether there is a key that the data belongs to.
  var isKnown: Bool { get }
  /// Whether the key is not the one that the data belongs to.
  var isOutdated: Bool { get }
  /// Whether the key, as it is by now, is not nil.
  var isNextKnown: Bool { get }
  /// From now on the data belongs to the key that ``isOutdated`` has compared.
  func take()
  func observe(_ body: @escaping (EarlyRound) -> Void) -> ObservedToken
}

/// The key that the data belongs to, beside the one that is followed.
final class FollowedKey<Key: Equatable>: KeySource {
  private let source: Observed<Key?>
  private var next: Key?
  private(set) var current: Key?

  init(_ source: Observed<Key?>) {
    self.source = source
    next = Self.key(of: source)
  }

  var isKnown: Bool { current != nil }
  var isNextKnown: Bool { next != nil }

  var isOutdated: Bool {
    next = Self.key(of: source)
    return next != current
  }

  /// The key as it is by now. One that is not equal to itself is none: each look would find another key.
  private static func key(of source: Observed<Key?>) -> Key? {
    guard let key = source.current else { return nil }
    if isEqualToItself(key) { return key }
    assertionFailure(
      """
      AsyncState: the key that an AsyncResource follows, of type \(Key.self), is not equal to itself. Each look would find \
      another key, and another request. Use a key with a complete ==; of numbers, one that is never NaN. A release build \
      takes it as nil: nothing is requested.
      """)
    return nil
  }

  func take() {
    // The former key stays in `next` for a while: releasing it here could run a user's `deinit` during the change.
    swap(&current, &next)
  }

  func observe(_ body: @escaping (EarlyRound) -> Void) -> ObservedToken {
    source.node.observeEarly(body)
  }
}
