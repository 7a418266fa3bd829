// SPDX-License-Identifier: MIT
// Data that is made of other data: what its operation gets with `reporter.get` is watched.
//
// What a load has got is what the value was made of when the load has answered. A change of one of these marks the data,
// before any observer is notified of anything; that in turn marks what watches the data, in the same round, so the stack
// does not grow with the length of a chain. Then what is in use is requested again. Its operation finds the others marked,
// and awaits them. So everything is made once, of what belongs together, in the order of the dependencies.

/// The sources of the value of data, and those that the operation of the running load has read so far.
final class Watching<Value>: DataFeature, InputWatcher {
  /// The data that has this.
  private weak var data: AsyncData<Value>?
  private var inputs: [any WatchedInput] = []
  private var reads: [any WatchedInput] = []
  /// The load that has got the reads.
  private weak var load: LoadRun?

  /// What the running operation is about to get.
  private var pending: [any AwaitedInput] = []

  /// Something that the operation has got has changed since: another load takes the place of this one.
  private var isOutdated = false
  /// The value was made of what has changed since, or was invalidated.
  private(set) var isBehind = false
  /// Something was forgotten or reset that the value was made of, however far below: the next value of that is the reason to
  /// request this again. Noted with each change, so that no chain is walked.
  var restsOnForgotten: Bool { forgottenInput != nil }
  /// The one of these that was found: while it is forgotten, the others are not looked through.
  private var forgottenInput: (any WatchedInput)?
  /// A request follows when the round that marks everything has ended.
  private var isRequestDue = false
  /// The value was removed with what it was made of: it is requested again with that.
  private var hasLostValue = false
  /// An event removes the value with what it was made of, which is watched on.
  private var isLosingValue = false
  /// A load has ended without an answer since observers were notified.
  private var hasEndedUnanswered = false
  /// Released when all observers have been notified: it may be the user's.
  private var former: [any WatchedInput] = []
  /// The requests that the operation of a superseded load has made, and that are wanted until the next one has made its own.
  private var held: [FollowingCall] = []
  private var formerlyHeld: [FollowingCall] = []

  // How the value is requested again.
  private var id: LoadID?
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

  /// The operation of a load is called, perhaps again.
  func begin(_ load: LoadRun) {
    guard load.isCurrent, load.edge == nil else { return }
    former += reads
    forgetReads()
    self.load = load
  }

  /// The operation is about to get something.
  func use(_ reporter: LoadReporter<Value>) {
    guard reporter.load.edge == nil else {
      // That of a further page has the operation that requests the list again.
      if operation == nil, let body = reporter.body { (id, home, operation) = (reporter.listID, reporter.home, body) }
      return
    }
    if load !== reporter.load { begin(reporter.load) }
    (id, home, operation) = (reporter.load.id, reporter.home, reporter.body)
  }

  /// The operation of the running load waits for these. That of a further page is not called again.
  func wait(for inputs: [any AwaitedInput], of run: LoadRun) { if run.edge == nil { pending += inputs } }

  /// It does not wait for this any more.
  func stopWaiting(for input: any AwaitedInput) {
    if let index = pending.firstIndex(where: { $0 === input }) { pending.remove(at: index) }
  }

  /// The operation has got something.
  ///
  /// - Parameter run: Its load. What a further page is made of, the list is made of at once: a change requests the list again,
  ///   which supersedes the page.
  func add(_ input: any WatchedInput, of data: AsyncData<Value>, for run: LoadRun) {
    let isOfPage = run.edge != nil
    if isOfPage, inputs.contains(where: { $0.source === input.source }) { return }
    input.observe { [weak data] input, round in data?.watching?.inputDidChange(input, of: data, in: round) }
    if isOfPage { return inputs.append(input) }
    reads.append(input)
  }

  /// Something that the value was made of was forgotten or reset, or rests on what was.
  private var hasForgottenInput: Bool { inputs.contains(where: isForgotten) }

  /// Something that the running operation has got was reset, or rests on what was.
  private var hasForgottenRead: Bool { reads.contains(where: isForgotten) }

  private func isForgotten(_ input: any WatchedInput) -> Bool { input.isForgotten || input.restsOnForgotten }

  // MARK: What becomes of the data

  func take(_ event: DataEvent, _ ends: DataEnds, of request: LoadRun?, _ record: DataRecord, in step: inout DataStep) {
    // A further page changes nothing about what is watched.
    if request?.edge != nil, case .request = ends { return }
    switch ends {
    case .request(.answered):
      former += inputs
      inputs = reads
      (isBehind, forgottenInput) = (false, nil)
      endOperation()
    case .request(.failed), .request(.ended(.cancelled)):
      // It is requested again when either changes: what the value was made of, and what has failed.
      keepReads()
      hasEndedUnanswered = true
      endOperation()
    case .everything:
      if isLosingValue {
        inputs += reads
      } else {
        former += inputs + reads
        inputs = []
        // It may be that of another key.
        formerOperation = operation
        operation = nil
      }
      hasLostValue = isLosingValue
      (isBehind, forgottenInput) = (false, nil)
      endOperation()
    case .request, .requests:
      former += reads
      if case .began = event {
        // The next request of this data is to be joined by those that join this one.
        id = request?.id ?? id
        hasLostValue = false
        forgetReads()
      } else {
        hasEndedUnanswered = true
        endOperation()
      }
    case .nothing:
      // What a failed attempt has got does not count.
      guard case .retried = event else { return }
      former += reads
      forgetReads()
    case .requestAndEvicted: break
    }
  }

  /// What has been read is watched beside what the value was made of, each of them once.
  private func keepReads() {
    let sources = Set(reads.map { ObjectIdentifier($0.source) })
    former += inputs.filter { sources.contains(ObjectIdentifier($0.source)) }
    inputs.removeAll { sources.contains(ObjectIdentifier($0.source)) }
    inputs += reads
  }

  private func endOperation() {
    forgetReads()
    formerlyHeld += held
    held = []
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
      // The end was the answer to these changes: to request again what has just failed would never end.
      for input in inputs { input.renew() }
      if isOutdated, data.context.validity == .valid, data.context.isValueSet { data.invalidate() }
    }
    for call in formerlyHeld { call.leave() }
    withExtendedLifetime((former, formerOperation.take())) {}
  }

  // MARK: What becomes of the others

  private func inputDidChange(_ input: any WatchedInput, of data: AsyncData<Value>?, in round: EarlyRound) {
    guard let data else { return }
    switch input.noteChange() {
    case .none: if hasLostValue, !data.hasRunningLoad { followLostInput(data, in: round) }
    case .value: follow(input, data, in: round)
    case .removed(let isRequestExpected): loseValue(data, isRequestExpected: isRequestExpected, in: round)
    }
  }

  /// Another value is there, or the value is stale.
  private func follow(_ input: any WatchedInput, _ data: AsyncData<Value>, in round: EarlyRound) {
    isBehind = true
    noteForgotten(input)
    let wasValid = data.context.validity == .valid
    mark(data, in: round)
    if data.hasRunningLoad {
      guard !isOutdated else { return }
      guard reads.contains(where: { $0 === input }) else {
        // What the running load has not got yet it will get as it is then. A mark that is there for another reason stays.
        return wasValid ? data.state.core.compareInvalidation(withLoad: .older) : ()
      }
      isOutdated = true
      data.state.core.compareInvalidation(withLoad: .newer)
      supersede(data, in: round)
    } else if !restsOnForgotten {
      request(data, in: round)
    }
  }

  /// All are looked through only where this one, which has changed, may have changed what is found: many may change at once.
  private func noteForgotten(_ input: any WatchedInput) {
    if let forgottenInput, isForgotten(forgottenInput) { return }
    guard forgottenInput != nil || isForgotten(input) else { return }
    forgottenInput = inputs.first(where: isForgotten)
  }

  /// What the value was made of belongs to a former key, or was forgotten: so does, or is, the value.
  ///
  /// - Parameter isRequestExpected: It will be requested for another key.
  private func loseValue(_ data: AsyncData<Value>, isRequestExpected: Bool, in round: EarlyRound) {
    data.changing(in: round) {
      // First: what is stored after this change stays.
      data.keeper?.removeLost()
      _ = isRequestExpected || data.features.perform(.forget)
      data.removeAll(isRequestExpected ? .keyChanged(.hidden) : .forgotten) { isLosingValue = $0 }
    }
  }

  /// The value was removed with what it was made of. It is requested with that.
  private func followLostInput(_ data: AsyncData<Value>, in round: EarlyRound) {
    guard hasForgottenInput else { return request(data, in: round) }
    // The next key is not requested after all.
    guard data.context.awaitsRequest, !inputs.contains(where: { $0.isRequestExpected }) else { return }
    data.changing(in: round) { data.apply(.cancelledAll) }
  }

  private func mark(_ data: AsyncData<Value>, in round: EarlyRound) {
    guard data.context.validity == .valid, data.context.isSettled || data.hasRunningLoad else { return }
    data.changing(in: round) { data.invalidate() }
  }

  /// Another load takes the place of the running one, or, if that has got what was reset, none.
  private func supersede(_ data: AsyncData<Value>, in round: EarlyRound) {
    round.deliver { [weak data] in
      guard let data, let watching = data.watching, watching.isOutdated, let load = data.state.core.order.running else {
        return
      }
      data.changing(in: round) {
        if watching.hasForgottenRead { load.cancel() } else { watching.restart(load, of: data) }
      }
    }
  }

  private func restart(_ load: LoadRun, of data: AsyncData<Value>) {
    guard let home, let operation else { return }
    let calls = pending.compactMap { $0.hold() }
    held += calls
    data.following(.invalidation) {
      ActorBound((data, load, operation), to: home).callHere { home, bound in
        bound.0.restart(bound.1, isolation: home, bound.2.again)
      }
    }
  }

  /// Requests the value again where it is in use, once for all that changes in one round, unless one of these is forgotten.
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

// MARK: - What is watched

/// What has become of a resource that is watched.
enum InputChange {
  case none
  /// Another value is there, or what is there is stale.
  case value
  /// The value was forgotten, or belongs to a former key.
  case removed(isRequestExpected: Bool)
}

/// A resource that an operation has got the value of.
protocol WatchedInput: AnyObject {
  /// The data of the resource.
  var source: AnyObject { get }

  /// Calls `body` whenever the data of the resource has changed, before anything is computed that is derived from it.
  func observe(_ body: @escaping (any WatchedInput, EarlyRound) -> Void)

  /// Looks at the resource.
  ///
  /// - Returns: What has become of it since this was last called, or renewed.
  func noteChange() -> InputChange

  /// It has changed since it was read, or renewed.
  var hasChanged: Bool { get }

  /// What is there now is what counts from now on.
  func renew()

  /// Nothing is known of it, and it is not being requested.
  var isForgotten: Bool { get }

  /// It will be requested for another key by itself.
  var isRequestExpected: Bool { get }

  /// What it was made of was forgotten or reset.
  var restsOnForgotten: Bool { get }
}

/// A resource that an operation waits for.
protocol AwaitedInput: AnyObject {
  /// Its request is wanted until the call leaves. Nil if there is none.
  func hold() -> FollowingCall?
}

/// The resource, which is held, and its value as the operation has got it.
final class WatchedData<Value>: WatchedInput {
  private let holder: AnyObject
  private let data: AsyncData<Value>
  private var value: Value?
  private var revision: DataRevision
  private var removals: UInt8
  private var isInvalidated: Bool
  private var hasFailed: Bool
  private(set) var hasChanged = false
  private var token: ObservedToken?

  /// - Parameter holder: What keeps the data in use.
  init(_ data: AsyncData<Value>, heldBy holder: AnyObject) {
    self.holder = holder
    self.data = data
    value = data.displayed
    revision = data.revision
    removals = data.state.core.record.removals
    isInvalidated = data.context.validity != .valid
    hasFailed = data.context.error != nil
  }

  var source: AnyObject { data }

  func observe(_ body: @escaping (any WatchedInput, EarlyRound) -> Void) {
    token = data.observed.node.observeEarly { [weak self] round in if let self { body(self, round) } }
  }

  var isForgotten: Bool { !data.context.isSettled && !data.hasRunningLoad }

  var isRequestExpected: Bool { data.context.awaitsRequest }

  var restsOnForgotten: Bool { data.watching?.restsOnForgotten == true }

  func noteChange() -> InputChange {
    let former = (revision: revision, value: value, isInvalidated: isInvalidated, hasFailed: hasFailed)
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
    // A value that a load has yielded is not its answer, nor when the load has ended without one.
    guard !record.context.isValueSet || record.isConfirmed else { return .none }
    look()
    guard revision != former.revision || hasFailed != former.hasFailed else { return .none }
    let isSame =
      revision.key == former.revision.key && (hasFailed || !former.hasFailed)
      && (revision.value == former.revision.value || data.isSame(former.value, value))
    if isSame { return .none }
    hasChanged = true
    return .value
  }

  func renew() {
    look()
    hasChanged = false
  }

  private func look() {
    // Read only where it was written: it may be brought up to date by patches.
    if data.revision != revision { value = data.displayed }
    revision = data.revision
    isInvalidated = data.context.validity != .valid
    hasFailed = data.context.error != nil
  }
}

extension AsyncData {
  fileprivate var watching: Watching<Value>? { features.feature(at: .watching) }

  /// The value was made of what has changed since.
  var isBehind: Bool { context.validity != .valid && watching?.isBehind == true }

  /// The operation of a load is about to get something.
  ///
  /// - Returns: What stands for the data where operations await each other.
  func beginWatching(_ reporter: LoadReporter<Value>) -> LoadPlace {
    let watching = watching ?? Watching(self)
    state.core.features.set(watching)
    watching.use(reporter)
    reporter.watching = watching
    return place
  }
}
