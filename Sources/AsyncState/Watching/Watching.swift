// SPDX-License-Identifier: MIT
// Data that is made of other data: the inputs that its operation reads with `reporter.get` are watched.
//
// The resources that an operation has read are the inputs of its value when its load has answered. A change of an input marks
// the data before any observer is notified; that mark in turn marks the data that is made of it, in the same round, so the
// stack does not grow with the length of a chain. Then data that is in use is requested again. Its operation finds its own
// inputs marked, and awaits them. So each value is made once, of inputs that belong together, in the order of the
// dependencies.

/// The sources of the value of data, and those that the operation of the running load has read so far.
final class Watching<Value>: DataFeature, InputWatcher {
  /// The data whose inputs these are.
  private weak var data: AsyncData<Value>?
  /// The inputs of the value, as the last load read them, and those of further pages.
  private var inputs: [any WatchedInput] = []
  private var reads: [any WatchedInput] = []
  /// Those that the failed attempts of the running load have read.
  private var readsOfFailedAttempts: [any WatchedInput] = []
  /// The load whose operation has made the `reads`.
  private weak var load: LoadRun?

  /// The inputs that operations await, each with its load, which may end before the wait.
  private var pending: [(load: LoadRun, input: any AwaitedInput)] = []

  /// An input changed after the operation read it: another load takes the place of this one.
  private var isOutdated = false
  /// An input changed after the value was made, or was invalidated.
  private(set) var isBehind = false
  /// An input was forgotten or reset, or an input of that, and so on. Its next value is a reason to request this again. Noted
  /// at each change, so that no chain is walked.
  var restsOnForgotten: Bool { forgottenInput != nil }
  /// One of these inputs: while it is forgotten, the others need no check.
  private var forgottenInput: (any WatchedInput)?
  /// A request follows when the round that marks everything has ended.
  private var isRequestDue = false
  /// The value was removed with an input, and is requested again with it.
  private var hasLostValue = false
  /// True during an event that removes the value with an input. The inputs are still watched after it.
  private var isLosingValue = false
  /// A load has ended without an answer since observers were notified.
  private var hasEndedUnanswered = false
  /// Released when all observers have been notified: an input may be the user's.
  private var former: [any WatchedInput] = []
  /// The requests that the operation of a superseded load has made. They are wanted until the next operation has made its own.
  private var held: [FollowingCall] = []
  private var formerlyHeld: [FollowingCall] = []

  // The parts of a request for the value.
  private var id: Int?
  private weak var home: (any Actor)?
  private var operation: LoadOperation<Value>?
  /// Released when all observers have been notified: it is the user's.
  private var formerOperation: LoadOperation<Value>?

  init(_ data: AsyncData<Value>) {
    self.data = data
  }

  deinit {
    guard let home else { return }
    for call in held + formerlyHeld { ActorBound(call, to: home).send { $0.leave() } }
  }

  var place: FeaturePlace { .watching }

  // MARK: The operation

  /// Begins with the reads of a load whose operation is called, perhaps again.
  func begin(_ load: LoadRun) {
    guard load.isCurrent, load.edge == nil else { return }
    former += reads
    forgetReads()
    self.load = load
  }

  /// Notes that the operation is about to read an input.
  func use(_ reporter: LoadReporter<Value>) {
    // The operation of a further page cannot request the list again.
    guard reporter.load.edge == nil else { return }
    if load !== reporter.load { begin(reporter.load) }
    (id, home, operation) = (reporter.load.id, reporter.home, reporter.body)
  }

  /// Notes that the operation of a load awaits an input.
  func wait(for input: any AwaitedInput, by load: LoadRun) { pending.append((load, input)) }

  /// Ends the wait of an operation, whose load may have ended before.
  func stopWaiting(for input: any AwaitedInput, by load: LoadRun) {
    if let index = pending.firstIndex(where: { $0.load === load && $0.input === input }) { pending.remove(at: index) }
  }

  /// Watches an input that the operation has read.
  ///
  /// - Parameter run: Its load.
  func add(_ input: any WatchedInput, of data: AsyncData<Value>, for run: LoadRun) {
    // Each source is observed once, even if many pages have it as an input.
    if run.edge != nil, inputs.contains(where: { $0.source === input.source }) { return }
    input.observe { [weak data] input, round in data?.watching?.inputDidChange(input, of: data, in: round) }
    reads.append(input)
  }

  /// True if the value, or the one that is being loaded, is made of other data.
  var isMadeOfOthers: Bool { !inputs.isEmpty || !reads.isEmpty }

  /// True if an input was forgotten or reset, or an input of that, and so on.
  private var hasForgottenInput: Bool { inputs.contains(where: isForgotten) }

  /// True if an input that the running operation has read was forgotten or reset, or an input of that.
  private var hasForgottenRead: Bool { reads.contains(where: isForgotten) }

  private func isForgotten(_ input: any WatchedInput) -> Bool { input.isForgotten || input.restsOnForgotten }

  // MARK: Events of the data

  func take(_ event: DataEvent, _ ends: DataEnds, of request: LoadRun?, _ record: DataRecord, in step: inout DataStep) {
    if request?.edge != nil, case .request(let ending) = ends {
      // A further page leaves the inputs of the list as they are, and adds its own.
      if case .answered = ending { inputs += reads } else { former += reads }
      return forgetReads()
    }
    switch ends {
    case .request(.answered):
      former += inputs + readsOfFailedAttempts
      inputs = reads
      (isBehind, forgottenInput) = (false, nil)
      endOperation()
    case .request(.failed), .request(.ended(.cancelled)):
      // It is requested again when an input of the value changes, or one of the failed load.
      keepReads()
      hasEndedUnanswered = true
      endOperation()
    case .everything:
      if isLosingValue {
        inputs += readsOfFailedAttempts + reads
      } else {
        former += inputs + readsOfFailedAttempts + reads
        inputs = []
        // The operation may be that of another key.
        formerOperation = operation
        operation = nil
      }
      hasLostValue = isLosingValue
      (isBehind, forgottenInput) = (false, nil)
      endOperation()
    case .request, .requests:
      former += readsOfFailedAttempts + reads
      if case .began = event {
        // A request by this data has the name of its last load, so that calls with that name join it.
        id = request?.id ?? id
        hasLostValue = false
        endAttempts()
      } else {
        hasEndedUnanswered = true
        endOperation()
      }
    case .nothing:
      // What a failed attempt has read is read again by the next one.
      guard case .retried = event else { return }
      readsOfFailedAttempts = lastReads(readsOfFailedAttempts + reads)
      forgetReads()
    }
  }

  /// Adds the reads of all attempts to the inputs.
  private func keepReads() {
    inputs = lastReads(inputs + readsOfFailedAttempts + reads)
  }

  /// Each resource once, as it was read last. The others are watched no more.
  private func lastReads(_ all: [any WatchedInput]) -> [any WatchedInput] {
    var sources: Set<ObjectIdentifier> = []
    var last: [any WatchedInput] = []
    for input in all.reversed() {
      if sources.insert(ObjectIdentifier(input.source)).inserted { last.append(input) } else { former.append(input) }
    }
    return last.reversed()
  }

  private func endOperation() {
    endAttempts()
    formerlyHeld += held
    held = []
  }

  private func endAttempts() {
    readsOfFailedAttempts = []
    forgetReads()
  }

  private func forgetReads() {
    reads = []
    pending = []
    load = nil
    isOutdated = false
  }

  func didNotify() {
    guard let data else { return }
    let (former, formerlyHeld) = (former, formerlyHeld)
    (self.former, self.formerlyHeld) = ([], [])
    if hasEndedUnanswered {
      hasEndedUnanswered = false
      let isOutdated = inputs.contains { $0.hasChanged }
      // The request that has just failed was made for these changes. To request again would never end.
      for input in inputs { input.renew() }
      if isOutdated, data.context.validity == .valid, data.context.isValueSet { data.invalidate() }
    }
    for call in formerlyHeld { call.leave() }
    withExtendedLifetime((former, formerOperation.take())) {}
  }

  // MARK: Changes of the inputs

  private func inputDidChange(_ input: any WatchedInput, of data: AsyncData<Value>?, in round: EarlyRound) {
    guard let data else { return }
    switch input.noteChange() {
    case .none: if hasLostValue, !data.hasRunningLoad { followLostInput(data, in: round) }
    case .value: follow(input, data, in: round)
    case .removed(let isRequestExpected): loseValue(data, isRequestExpected: isRequestExpected, in: round)
    }
  }

  /// Follows an input that has another value, or whose value is stale.
  private func follow(_ input: any WatchedInput, _ data: AsyncData<Value>, in round: EarlyRound) {
    isBehind = true
    noteForgotten(input)
    // It is to bring the change: for what displays the value, whatever becomes of the call that has begun it.
    if data.context.isSettled, data.isHeld, let load = data.state.core.order.whole {
      // Or it is over, because that call has left.
      data.changing(in: round) { _ = load.joinIfWanted(isPinned: true, forHolders: true) }
    }
    let wasValid = data.context.validity == .valid
    mark(data, in: round)
    if data.hasRunningLoad {
      guard !isOutdated else { return }
      guard reads.contains(where: { $0 === input }) else {
        // Inputs that the running load has not read yet will be read up to date. A mark with another reason stays.
        return wasValid ? data.state.core.compareInvalidation(withLoad: .older) : ()
      }
      isOutdated = true
      data.state.core.compareInvalidation(withLoad: .newer)
      supersede(data, in: round)
    } else if !restsOnForgotten {
      request(data, in: round)
    }
  }

  /// Searches all inputs only if this one may change the result: many may change at once.
  private func noteForgotten(_ input: any WatchedInput) {
    if let forgottenInput, isForgotten(forgottenInput) { return }
    guard forgottenInput != nil || isForgotten(input) else { return }
    forgottenInput = inputs.first(where: isForgotten)
  }

  /// Removes the value, because an input belongs to a former key or was forgotten.
  ///
  /// - Parameter isRequestExpected: True if the input will be requested for another key.
  private func loseValue(_ data: AsyncData<Value>, isRequestExpected: Bool, in round: EarlyRound) {
    data.changing(in: round) {
      // First, because a value that is stored after this change stays.
      data.keeper?.removeLost()
      _ = isRequestExpected || data.features.perform(.forget)
      data.removeAll(isRequestExpected ? .keyChanged(.hidden) : .forgotten) { isLosingValue = $0 }
    }
  }

  /// Requests the value again that was removed with an input.
  private func followLostInput(_ data: AsyncData<Value>, in round: EarlyRound) {
    guard hasForgottenInput else { return request(data, in: round) }
    // Otherwise the request for the next key was cancelled.
    guard data.context.awaitsRequest, !inputs.contains(where: { $0.isRequestExpected }) else { return }
    data.changing(in: round) { data.apply(.cancelledAll) }
  }

  private func mark(_ data: AsyncData<Value>, in round: EarlyRound) {
    guard data.context.validity == .valid, data.context.isSettled || data.hasRunningLoad else { return }
    data.changing(in: round) { data.invalidate() }
  }

  /// Starts another load in the place of the running one, or, if that has read an input that was reset, ends it.
  private func supersede(_ data: AsyncData<Value>, in round: EarlyRound) {
    round.deliver { [weak data] in
      guard let data, let watching = data.watching, watching.isOutdated, let load = data.state.core.order.whole else {
        return
      }
      data.changing(in: round) {
        if watching.hasForgottenRead { load.cancel() } else { watching.restart(load, of: data) }
      }
    }
  }

  private func restart(_ load: LoadRun, of data: AsyncData<Value>) {
    guard let home, let operation else { return }
    let calls = pending.filter { $0.load === load }.compactMap { $0.input.hold() }
    held += calls
    data.following(.invalidation) {
      ActorBound((data, load, operation), to: home).callHere { home, bound in
        bound.0.restart(bound.1, isolation: home, bound.2.again)
      }
    }
  }

  /// Requests the value again where it is in use, once for all changes of a round, unless an input is forgotten.
  private func request(_ data: AsyncData<Value>, in round: EarlyRound) {
    guard !isRequestDue else { return }
    isRequestDue = true
    round.deliver { [weak data] in
      guard let data, let watching = data.watching else { return }
      watching.isRequestDue = false
      if !watching.hasForgottenInput { data.changing(in: round) { watching.request(data) } }
    }
  }

  private func request(_ data: AsyncData<Value>) {
    guard !data.hasRunningLoad, let home, let operation else { return }
    guard data.keeper?.requestAgain(afterLoss: hasLostValue) != true else { return }
    let id = id
    data.following(.invalidation) {
      ActorBound((data, id, operation), to: home).callHere { home, bound in
        bound.0.startAgain(bound.1, isolation: home, bound.2.again)
      }
    }
  }
}

// MARK: - Inputs

/// A change of a resource that is watched.
enum InputChange {
  case none
  /// It has another value, or its value is stale.
  case value
  /// The value was forgotten, or belongs to a former key.
  case removed(isRequestExpected: Bool)
}

/// A resource whose value an operation has read.
protocol WatchedInput: AnyObject {
  /// The data of the resource.
  var source: AnyObject { get }

  /// Calls `body` whenever the data of the resource has changed, before anything is computed that is derived from it.
  func observe(_ body: @escaping (any WatchedInput, EarlyRound) -> Void)

  /// Compares the resource with the value that was read.
  ///
  /// - Returns: The change since this was last called, or renewed.
  func noteChange() -> InputChange

  /// True if it has changed since it was read, or renewed.
  var hasChanged: Bool { get }

  /// From now on changes are those from the present value.
  func renew()

  /// True if it has no data and is not being requested.
  var isForgotten: Bool { get }

  /// True if it will be requested for another key by itself.
  var isRequestExpected: Bool { get }

  /// True if one of its inputs was forgotten or reset, or an input of that, and so on.
  var restsOnForgotten: Bool { get }
}

/// A resource that an operation waits for.
protocol AwaitedInput: AnyObject {
  /// Keeps its request wanted until the call leaves. Nil if there is no request.
  func hold() -> FollowingCall?
}

/// The resource, which is held, and its value as the operation has read it.
final class WatchedData<Value>: WatchedInput {
  private let holder: AnyObject
  private let data: AsyncData<Value>
  private var value: Value?
  private var revision: DataRevision
  private var removals: UInt8
  private var isInvalidated: Bool
  private var hasFailed: Bool
  private var isConfirmed: Bool
  private var hasUndecidedChanges: Bool
  private(set) var hasChanged = false
  private var token: ObservedToken?

  /// - Parameter holder: An object that keeps the data in use.
  init(_ data: AsyncData<Value>, heldBy holder: AnyObject) {
    self.holder = holder
    self.data = data
    value = data.displayed
    revision = data.revision
    removals = data.state.core.record.removals
    isInvalidated = data.context.validity != .valid
    hasFailed = data.context.error != nil
    isConfirmed = data.state.core.record.isConfirmed
    hasUndecidedChanges = data.state.core.record.hasUndecidedChanges
  }

  var source: AnyObject { data }

  func observe(_ body: @escaping (any WatchedInput, EarlyRound) -> Void) {
    token = data.observed.node.observeEarly { [weak self] round in if let self { body(self, round) } }
  }

  var isForgotten: Bool { !data.context.isSettled && !data.hasRunningLoad }

  var isRequestExpected: Bool { data.context.awaitsRequest }

  var restsOnForgotten: Bool { data.watching?.restsOnForgotten == true }

  func noteChange() -> InputChange {
    let former = (
      revision: revision, value: value, isInvalidated: isInvalidated, hasFailed: hasFailed, isConfirmed: isConfirmed,
      hasUndecidedChanges: hasUndecidedChanges
    )
    let record = data.state.core.record
    isInvalidated = record.context.validity != .valid
    if removals != record.removals {
      removals = record.removals
      look()
      hasChanged = true
      return .removed(isRequestExpected: record.context.isRequestExpected)
    }
    if isInvalidated, !former.isInvalidated {
      hasChanged = true
      return .value
    }
    // A value that a load has yielded is not its answer, even if the load has ended without one.
    guard !record.context.isValueSet || record.isConfirmed else { return .none }
    look()
    // What a server makes of it knows the change only now.
    let isDecided = former.hasUndecidedChanges && !hasUndecidedChanges
    guard revision != former.revision || hasFailed != former.hasFailed || isDecided else {
      hasUndecidedChanges = former.hasUndecidedChanges
      return .none
    }
    // An answer after a reset is a change, also if it is equal to the seed, or there is no data.
    let isSame =
      revision.key == former.revision.key && (hasFailed || !former.hasFailed) && (!isConfirmed || former.isConfirmed)
      && (revision.value == former.revision.value || data.isSame(former.value, value))
    // A change that alters nothing here is none when it is decided, either.
    if isSame, !former.hasUndecidedChanges { hasUndecidedChanges = false }
    if isSame, !isDecided { return .none }
    hasChanged = true
    return .value
  }

  func renew() {
    look()
    hasChanged = false
  }

  private func look() {
    // Read only if it was written, because patches may have to be applied to it.
    if data.revision != revision { value = data.displayed }
    revision = data.revision
    isInvalidated = data.context.validity != .valid
    hasFailed = data.context.error != nil
    isConfirmed = data.state.core.record.isConfirmed
    hasUndecidedChanges = data.state.core.record.hasUndecidedChanges
  }
}

extension AsyncData {
  fileprivate var watching: Watching<Value>? { features.feature(at: .watching) }

  /// True if the value, or the one that is being loaded, is made of other data.
  var isMadeOfOthers: Bool { watching?.isMadeOfOthers == true }

  /// True if an input has changed since the value was made.
  var isBehind: Bool { context.validity != .valid && watching?.isBehind == true }

  /// Notes that the operation of a load is about to read an input.
  ///
  /// - Returns: The data's place among operations that await each other.
  func beginWatching(_ reporter: LoadReporter<Value>) -> LoadPlace {
    let watching = watching ?? Watching(self)
    state.core.features.set(watching)
    watching.use(reporter)
    reporter.watching = watching
    return place
  }
}
