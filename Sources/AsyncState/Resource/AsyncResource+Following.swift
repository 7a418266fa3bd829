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
    noteKey()
    catchUp()
    following.isRequested = true
    following.alarm?.cancel()
  }

  /// Something is written, or changed: it is of this key. From now on another one removes it, and is requested only when the
  /// resource has been.
  func noteKey() {
    guard let following, following.token == nil else { return }
    _ = following.key.isOutdated
    following.key.take()
    following.token = following.key.observe { [weak self] in self?.catchUp(in: $0) }
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
    if !following.isRequested, data.isUnwritten { return following.key.take() }
    let hasKey = following.isRequested && following.key.isNextKnown
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
    guard following.isRequested, alarm == nil else { return }
    round.deliver { [weak self] in self?.requestKey(since: endCount, in: round) }
  }

  /// Everything that belongs to the former key has been removed, and observers have been notified. They may have changed the
  /// key again, requested it themselves, or ended what follows, as they end a delay.
  private func requestKey(since endCount: UInt32, in round: EarlyRound) {
    guard let following, following.key.isKnown, data.state.core.endCount == endCount else { return }
    data.changing(in: round) { startFollowed() }
  }

  /// The delay of the next key, which begins now; nil without one.
  private func alarm() -> Alarm? {
    guard let following, following.isRequested, following.delay > .zero, following.key.isNextKnown, let home = actor
    else { return nil }
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

/// What data knows of the key that its resource follows: the delay of the next request, and that the key counts from the first
/// write on.
private final class KeyFeature: DataFeature {
  /// The data does not hold it.
  weak var alarm: Alarm?
  /// Is to note the key when something is written; nil when it has.
  private weak var resource: (any KeyedResource)?

  init(of resource: any KeyedResource) {
    self.resource = resource
  }

  var place: FeaturePlace { .key }

  func didNotify() {
    guard let resource else { return }
    self.resource = nil
    resource.noteKey()
  }

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

/// A resource that follows a key, without the type of its value.
private protocol KeyedResource: AnyObject {
  func noteKey()
}

extension AsyncResource: KeyedResource {
  /// Its data is written perhaps before anything is requested.
  func attachKey() {
    if following != nil { data.state.core.features.set(KeyFeature(of: self)) }
  }
}

extension AsyncData {
  /// Nothing was requested, written or changed.
  fileprivate var isUnwritten: Bool { context.isUntouched && !hasOpenChanges }

  /// The delay of a key begins; nil: there is none.
  fileprivate func setDelay(_ alarm: Alarm?) {
    features.feature(at: .key, as: KeyFeature.self)?.alarm = alarm
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
  /// Nil before the first load, and before anything was written.
  var token: ObservedToken?
  /// A first load was called, so that the next keys are requested.
  var isRequested = false
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
