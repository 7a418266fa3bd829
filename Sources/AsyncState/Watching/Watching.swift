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

  /// Something that the operation has got has changed since.
  private var isOutdated = false
  /// The operation has got something after that: the two do not belong together.
  private(set) var isMixed = false
  /// The value was made of what has changed since, or was invalidated.
  private(set) var isBehind = false
  /// Something was forgotten or reset that the value was made of, however far below: the next value of that is the reason to
  /// request this again. Noted with each change, so that no chain is walked.
  private(set) var restsOnForgotten = false
  /// The endings since observers were notified.
  private var end: End?
  /// Released when all observers have been notified: it may be the user's.
  private var former: [any WatchedInput] = []

  // How the value is requested again.
  private var id: LoadID?
  private weak var home: (any Actor)?
  private var operation: LoadOperation<Value>?

  private enum End {
    case answered
    case unanswered
    /// Something that the operation had got had changed by then.
    case outdated
  }

  init(_ data: AsyncData<Value>) {
    self.data = data
  }

  var place: FeaturePlace { .watching }

  // MARK: The operation

  /// The operation of a load is called, perhaps again.
  func begin(_ load: LoadRun) {
    guard load.isCurrent, load.edge == nil else { return }
    former += reads
    // What is made from now on is newer than what has changed.
    if isOutdated { data?.state.core.compareInvalidation(withLoad: .older) }
    forgetReads()
    self.load = load
  }

  /// The operation is about to get something.
  func use(_ reporter: LoadReporter<Value>) {
    // That of a further page is not the operation that requests the list again.
    guard reporter.load.edge == nil else { return }
    if load !== reporter.load { begin(reporter.load) }
    (id, home, operation) = (reporter.load.id, reporter.home, reporter.body)
  }

  /// The operation has got something.
  ///
  /// - Parameter hasChanged: It has changed since.
  /// - Throws: `MixedInputs` if this, or something that it got before, has changed since, so that the operation ends early.
  ///   It is called again, whatever it makes of the error.
  func add(_ input: any WatchedInput, of data: AsyncData<Value>, for run: LoadRun, hasChanged: Bool) throws {
    // What a further page is made of, the list is made of at once: a change requests the list again, which supersedes the page.
    if run.edge != nil {
      if hasChanged { throw CancellationError() }
      guard !inputs.contains(where: { $0.source === input.source }) else { return }
    }
    input.observe { [weak data] input, round in data?.watching?.didChange(input, of: data, in: round) }
    if run.edge != nil { return inputs.append(input) }
    reads.append(input)
    if hasChanged { isOutdated = true }
    guard isOutdated else { return }
    isMixed = true
    throw MixedInputs()
  }

  /// Something that the value was made of was forgotten or reset, or rests on what was.
  private var hasForgottenInput: Bool { inputs.contains { $0.isForgotten || $0.restsOnForgotten } }

  // MARK: What becomes of the data

  /// Something that the operation has got was reset or forgotten since, and is not being requested: as at a log-out, after
  /// which it must not be requested again on behalf of this load.
  var hasLostInput: Bool { reads.contains { $0.isForgotten } }

  func take(_ event: DataEvent, _ ends: DataEnds, of request: LoadRun?, _ record: DataRecord, in step: inout DataStep) {
    // A further page changes nothing about what is watched.
    if request?.edge != nil, case .request = ends { return }
    switch ends {
    case .request(.answered):
      former += inputs
      inputs = reads
      end = isOutdated ? .outdated : .answered
      isBehind = isOutdated
      restsOnForgotten = false
      forgetReads()
    case .request(.failed), .request(.ended(.cancelled)):
      // It is requested again when either changes: what the value was made of, and what has failed.
      inputs += reads
      end = isOutdated ? .outdated : .unanswered
      forgetReads()
    case .everything:
      former += inputs + reads
      inputs = []
      (isBehind, restsOnForgotten) = (false, false)
      forgetReads()
    case .request, .requests:
      former += reads
      // The next request of this data is to be joined by those that join this one.
      if case .began = event { id = request?.id ?? id } else { end = .unanswered }
      forgetReads()
    case .nothing, .requestAndEvicted: break
    }
  }

  private func forgetReads() {
    reads = []
    load = nil
    (isOutdated, isMixed) = (false, false)
  }

  func didNotify() {
    guard let data else { return }
    let former = former
    self.former = []
    let end = end.take()
    switch end {
    case .outdated:
      for input in inputs { input.renew() }
      // What was reset or forgotten is not requested by this: its next value is the reason.
      if !hasForgottenInput { request(data) }
    case .unanswered:
      let isOutdated = inputs.contains { $0.hasChanged }
      // The end was the answer to these changes: to request again what has just failed would never end.
      for input in inputs { input.renew() }
      if isOutdated, data.context.validity == .valid, data.context.isValueSet { data.invalidate() }
    case .answered, nil: break
    }
    withExtendedLifetime(former) {}
  }

  // MARK: What becomes of the others

  private func didChange(_ input: any WatchedInput, of data: AsyncData<Value>?, in round: EarlyRound) {
    guard let data, input.noteChange() else { return }
    isBehind = true
    restsOnForgotten = hasForgottenInput
    mark(data, in: round)
    if data.hasRunningLoad {
      // What the running load has not got yet it will get as it is then.
      let isRead = reads.contains { $0 === input }
      if isRead { isOutdated = true }
      if !isRead, isOutdated { return }
      data.state.core.compareInvalidation(withLoad: isRead ? .newer : .older)
    } else {
      guard !restsOnForgotten else { return }
      round.deliver { [weak data] in
        guard let data else { return }
        data.changing(in: round) { data.watching?.request(data) }
      }
    }
  }

  private func mark(_ data: AsyncData<Value>, in round: EarlyRound) {
    guard data.context.validity == .valid, data.context.isSettled || data.hasRunningLoad else { return }
    data.changing(in: round) { data.invalidate() }
  }

  /// Requests the value again where it is in use.
  private func request(_ data: AsyncData<Value>) {
    guard !data.hasRunningLoad, let home, let operation else { return }
    guard data.keeper?.requestAgain() != true else { return }
    let id = id
    data.following(.invalidation) {
      ActorBound((data, id, operation), to: home).callHere { home, bound in
        bound.0.startAgain(bound.1, isolation: home, bound.2.again)
      }
    }
  }
}

/// Thrown by `reporter.get` when what the operation has got does not belong together.
struct MixedInputs: Error {}

// MARK: - What is watched

/// A resource that an operation has got the value of.
protocol WatchedInput: AnyObject {
  /// The data of the resource.
  var source: AnyObject { get }

  /// Calls `body` whenever the data of the resource has changed, before anything is computed that is derived from it.
  func observe(_ body: @escaping (any WatchedInput, EarlyRound) -> Void)

  /// Looks at the resource.
  ///
  /// - Returns: Whether it has changed since this was last called, or renewed.
  func noteChange() -> Bool

  /// It has changed since it was read, or renewed.
  var hasChanged: Bool { get }

  /// What is there now is what counts from now on.
  func renew()

  /// Nothing is known of it, and it is not being requested.
  var isForgotten: Bool { get }

  /// What it was made of was forgotten or reset.
  var restsOnForgotten: Bool { get }
}

/// The resource, which is held, and its value as the operation has got it.
final class WatchedData<Value>: WatchedInput {
  private let holder: AnyObject
  private let data: AsyncData<Value>
  private var value: Value?
  private var revision: DataRevision
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
    isInvalidated = data.context.validity != .valid
    hasFailed = data.context.error != nil
  }

  var source: AnyObject { data }

  func observe(_ body: @escaping (any WatchedInput, EarlyRound) -> Void) {
    token = data.observed.node.observeEarly { [weak self] round in if let self { body(self, round) } }
  }

  var isForgotten: Bool { data.context.isForgotten && !data.hasRunningLoad }

  var restsOnForgotten: Bool { data.watching?.restsOnForgotten == true }

  func noteChange() -> Bool {
    let former = (revision: revision, value: value, isInvalidated: isInvalidated, hasFailed: hasFailed)
    isInvalidated = data.context.validity != .valid
    if isInvalidated, !former.isInvalidated {
      hasChanged = true
      return true
    }
    // A value that a load has yielded is not its answer, nor when the load has ended without one.
    let isYielded = data.context.isValueSet && !data.state.core.record.isConfirmed
    guard !data.hasRunningLoad, !isYielded else { return false }
    look()
    guard revision != former.revision || hasFailed != former.hasFailed else { return false }
    let isSame =
      revision.key == former.revision.key && (hasFailed || !former.hasFailed)
      && (revision.value == former.revision.value || data.isSame(former.value, value))
    if !isSame { hasChanged = true }
    return !isSame
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
