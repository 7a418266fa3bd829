// SPDX-License-Identifier: MIT
// A resource whose operation depends on a key that changes: the text of a search field, or the selected account.

extension AsyncResource {
  /// A resource of the main actor that requests its value anew when a key changes.
  ///
  /// ```swift
  /// let results = AsyncResource(following: query, delay: .milliseconds(300), previous: .untilAnswered) { text in
  ///   try await catalogue.entries(matching: text)
  /// }
  /// ```
  ///
  /// Nothing is requested before the first load. From then on a change of the key removes everything that belongs to the
  /// previous key, supersedes its load, and starts another. A nil key has no data, and nothing is requested for it.
  ///
  /// Create it in an initializer or a method: in the initial value of a lazy property the compiler rejects a key that is
  /// another property beside an operation that leaves the main actor.
  ///
  /// - Parameters:
  ///   - key: The key that the value depends on. An equal key is no change.
  ///   - delay: The time for which a key must stay the same before it is requested. No load is running during the delay. An
  ///     explicit call does not wait. Without a delay the request starts before the write of the key returns.
  ///   - previous: The display of the previous key's value while the new key has none.
  ///   - options: The options of requests, and the time for which answers are fresh.
  ///   - operation: Gets the value for a key; nil: there is none. It runs on the main actor.
  public convenience init<Key: Equatable & Sendable>(
    following key: Observed<Key?>, delay: Duration = .zero, previous: PreviousValue = .hidden,
    options: LoadOptions = LoadOptions(),
    operation: @escaping @MainActor (Key) async throws -> Value?
  ) {
    let operation = operationOnMainActor(operation)
    self.init(MainActor.shared, key, delay, previous, options) { key in
      SourceKind(.value { (_: LoadReporter<Value>) in try await operation(key) })
    }
  }

  /// A resource of the main actor that requests its value anew when a key changes, from the source of that key.
  ///
  /// ```swift
  /// let price = AsyncResource(following: share) { share in
  ///   share.isTraded ? .live { try await market.prices(of: share) } : .value { try await market.lastPrice(of: share) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - key: The key that the value depends on. An equal key is no change.
  ///   - delay: The time for which a key must stay the same before it is requested. No load is running during the delay. An
  ///     explicit call does not wait. Without a delay the request starts before the write of the key returns.
  ///   - previous: The display of the previous key's value while the new key has none. Further pages are not requested while it is
  ///     displayed.
  ///   - options: The options of requests, and the time for which answers are fresh.
  ///   - source: Makes the way in which the value of a key is got. It is called on the main actor, when a key is requested first,
  ///     and only makes the source.
  public convenience init<Key: Equatable & Sendable>(
    following key: Observed<Key?>, delay: Duration = .zero, previous: PreviousValue = .hidden,
    options: LoadOptions = LoadOptions(), source: @escaping @MainActor (Key) -> AsyncSource<Value>
  ) {
    let make = makingOnMainActor { (key: Key) in source(key).kind }
    self.init(MainActor.shared, key, delay, previous, options, make)
  }

  /// A resource of any actor that requests its value anew when a key changes, from the source of that key.
  ///
  /// - Parameters:
  ///   - isolation: The actor that the resource and the key belong to. It is not kept alive.
  ///   - key: The key that the value depends on. An equal key is no change.
  ///   - delay: The time for which a key must stay the same before it is requested. No load is running during the delay. An
  ///     explicit call does not wait. Without a delay the request starts before the write of the key returns.
  ///   - previous: The display of the previous key's value while the new key has none. Further pages are not requested while it is
  ///     displayed.
  ///   - options: The options of requests, and the time for which answers are fresh.
  ///   - source: Makes the way in which the value of a key is got. It is called on the resource's actor, when a key is requested
  ///     first, and only makes the source.
  public convenience init<Key: Equatable & Sendable>(
    isolation: isolated any Actor, following key: Observed<Key?>, delay: Duration = .zero,
    previous: PreviousValue = .hidden, options: LoadOptions = LoadOptions(),
    source: @escaping (Key) -> ActorSource<Value>
  ) {
    self.init(isolation, key, delay, previous, options) { key in source(key).kind }
  }

  private convenience init<Key: Equatable & Sendable>(
    _ home: any Actor, _ key: Observed<Key?>, _ delay: Duration, _ previous: PreviousValue, _ options: LoadOptions,
    _ source: @escaping (Key) -> SourceKind<Value>
  ) {
    let data = AsyncData<Value>(options: options)
    let key = FollowedKey(key)
    let sources = FollowedSources(of: key) { key in data.computing { source(key) } }
    self.init(
      data, home, { sources.current?.operation },
      following: KeyFollower(key, delay: delay, previous: previous, clock: options.clock),
      pages: { sources.current?.pages }
    )
    sources.didMake = { [weak self] in self?.use($0) }
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

  /// Notes the present key when something is written or changed, which belongs to this key. From now on another key removes it,
  /// and is requested only if the resource has been.
  func noteKey() {
    guard let following, following.token == nil else { return }
    _ = data.computing { following.key.isOutdated }
    following.key.take()
    following.token = following.key.observe { [weak self] in self?.catchUp(in: $0) }
  }

  /// Suspends while there is no key and what the key is derived from is being requested.
  ///
  /// - Returns: True if there is a key by now.
  func untilKeyIsKnown(isolation: isolated (any Actor)?) async -> Bool {
    guard let following else { return false }
    let waiters = ConditionWaiters()
    // Called when the key may be another one, also if it is still none.
    let token = following.key.observe { _ in waiters.resume() }
    await waiters.wait(until: { hasKey || !following.key.isBeingRequested }, isolation: isolation)
    return withExtendedLifetime(token) { hasKey && !Task.isCancelled }
  }

  /// Leaves the previous key if the key has changed: everything that belongs to it is removed in the same change.
  ///
  /// Called before any value is computed that is derived from the key, and when the resource is read before that.
  ///
  /// - Parameter early: Delivers the changes; nil: they are delivered before this returns.
  func catchUp(in early: EarlyRound? = nil) {
    guard let following, following.token != nil, data.computing({ following.key.isOutdated }) else { return }
    EarlyRound.within(early) { leaveFormerKey(following, in: $0) }
  }

  private func leaveFormerKey(_ following: KeyFollower, in round: EarlyRound) {
    if !following.isRequested, data.isUnwritten { return following.key.take() }
    let hasKey = following.isRequested && following.key.isNextKnown
    following.changes &+= 1
    let change = following.changes
    let alarm = alarm()
    data.bringDisplayUpToDate()
    // A clock, or a patch, that reads the resource leaves the key first.
    guard following.changes == change else { return alarm?.cancel() ?? () }
    // Before the observers are notified: a request, a cancel or a write of theirs ends the delay.
    let formerAlarm = following.alarm
    following.alarm = alarm
    data.changing(in: round) {
      data.changeKey(hasKey: hasKey, previous: following.previous) {
        following.key.take()
        data.setDelay(alarm)
      }
    }
    withExtendedLifetime(formerAlarm) {}
    let endCount = data.state.core.endCount
    guard following.isRequested, alarm == nil else { return }
    round.deliver { [weak self] in self?.requestKey(since: endCount, in: round) }
  }

  /// Requests the value of the new key, after everything of the previous key has been removed and observers have been notified.
  /// They may have changed the key again, requested it themselves, or ended the request that follows, as they end a delay.
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

/// The part of data that its resource's key needs: the delay of the next request, the call that notes the key at the first write,
/// and whether there is one.
private final class KeyFeature: DataFeature {
  /// The data does not hold it.
  weak var alarm: Alarm?
  private weak var resource: (any KeyedResource)?

  init(of resource: any KeyedResource) {
    self.resource = resource
  }

  var place: FeaturePlace { .key }

  /// Before an observer is notified, who may change the key: what was written belongs to the present one.
  func didBecomeConsistent() { resource?.noteKey() }

  /// Without a key a reset expects no request.
  func perform(_ verb: DataVerb) -> Bool {
    if case .reset = verb { resource?.noteKey() }
    return false
  }

  var lacksKey: Bool { resource?.lacksKey == true }

  var isRequestComing: Bool { alarm?.isSet == true }

  func take(_ event: DataEvent, _ ends: DataEnds, of request: LoadRun?, _ record: DataRecord, in step: inout DataStep) {
    switch ends {
    case .nothing, .request: break
    case .requests, .everything: if let alarm { step.lose(alarm) }
    }
  }
}

extension Alarm: LostPart {
  func finish() { cancel() }
}

/// A resource that follows a key, without the type of its value.
private protocol KeyedResource: AnyObject {
  var lacksKey: Bool { get }
  func noteKey()
}

extension AsyncResource: KeyedResource {
  fileprivate var lacksKey: Bool { following?.key.isKnown == false }

  /// Adds the feature of the key before the first request, because the data may be written before it.
  func attachKey() {
    if following != nil { data.state.core.features.set(KeyFeature(of: self)) }
  }
}

extension AsyncData {
  /// True if nothing was requested, written or changed.
  fileprivate var isUnwritten: Bool { context.isUntouched && !hasOpenChanges }

  /// Sets the delay of a key, which begins now; nil: there is none.
  fileprivate func setDelay(_ alarm: Alarm?) {
    features.feature(at: .key, as: KeyFeature.self)?.alarm = alarm
  }
}

/// The key that a resource follows, and the action when it changes.
final class KeyFollower {
  let key: any KeySource
  let delay: Duration
  let previous: PreviousValue
  let timeline: Timeline
  /// Ends the delay of the present key. The data cancels it when its requests end.
  var alarm: Alarm?
  /// Follows the key. Nil before the first load, and before the first write.
  var token: ObservedToken?
  /// True after the first load was requested, so that the next keys are requested.
  var isRequested = false
  /// The number of changes of the key.
  var changes = 0

  init(_ key: any KeySource, delay: Duration, previous: PreviousValue, clock: any Clock<Duration>) {
    self.key = key
    self.delay = delay.bounded
    self.previous = previous
    timeline = Timeline(clock)
  }
}

/// A key without its type.
protocol KeySource: AnyObject {
  /// True if there is a key that the data belongs to.
  var isKnown: Bool { get }
  /// True if the key is not the one that the data belongs to.
  var isOutdated: Bool { get }
  /// True if the present key is not nil.
  var isNextKnown: Bool { get }
  /// True if what the key is derived from is being requested.
  var isBeingRequested: Bool { get }
  /// Makes the key that ``isOutdated`` has compared the one that the data belongs to.
  func take()
  func observe(_ body: @escaping (EarlyRound) -> Void) -> ObservedToken
}

/// The key that the data belongs to, beside the followed one.
final class FollowedKey<Key: Equatable>: KeySource {
  private let source: Observed<Key?>
  private var next: Key?
  private(set) var current: Key?
  /// The number of times that another key was taken.
  private(set) var changes: UInt32 = 0

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

  /// The present key. One that is not equal to itself counts as none: each comparison would find another key.
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

  var isBeingRequested: Bool { source.node.isBeingRequested }

  func take() {
    // The previous key stays in `next` for a while: releasing it here could run a user's `deinit` during the change.
    swap(&current, &next)
    changes &+= 1
  }

  func observe(_ body: @escaping (EarlyRound) -> Void) -> ObservedToken {
    source.node.observeEarly(body)
  }
}

/// The source of the key that the data belongs to.
private final class FollowedSources<Key: Equatable, Value> {
  private let key: FollowedKey<Key>
  private let make: (Key) -> SourceKind<Value>
  var didMake: (SourceKind<Value>) -> Void = { _ in }
  /// The last source, and the number of the change that brought its key.
  private var made: (source: SourceKind<Value>, change: UInt32)?

  init(of key: FollowedKey<Key>, _ make: @escaping (Key) -> SourceKind<Value>) {
    self.key = key
    self.make = make
  }

  /// The source of the present key, which is made if need be; nil without a key.
  var current: SourceKind<Value>? {
    guard let key = key.current else { return nil }
    let change = self.key.changes
    if let made, made.change == change { return made.source }
    let source = make(key)
    made = (source, change)
    didMake(source)
    return source
  }
}
