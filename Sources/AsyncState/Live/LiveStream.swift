// SPDX-License-Identifier: MIT
// Live values: data that follows a stream.
//
// The operation of a load connects, and awaits the first element, which is the answer. So a connection has the retries,
// the time limit and the cancellation of any load. When it has answered, the stream is the data's, in a task of its own,
// until the data begins another load, loses its value, or is released. A stream that breaks, or is silent for too long, is
// the first failed attempt of a load that connects again; if it did not last, it is one more of those before it. From then on
// a stream is wanted until there is one, the policy gives up, or a cause ends it that would end an open one.

/// The elements of a stream, whatever its type.
protocol LiveElements<Value> {
  associatedtype Value

  /// Calls `receive` with each element on that actor, until it returns false or the stream has ended.
  func forEach(isolation: isolated (any Actor)?, _ receive: (Value) -> Bool) async throws
}

/// The elements of a sequence.
struct SequenceElements<Elements: AsyncSequence>: LiveElements {
  let sequence: Elements

  func forEach(isolation: isolated (any Actor)?, _ receive: (Elements.Element) -> Bool) async throws {
    var iterator = sequence.makeAsyncIterator()
    var count = 0
    while let element = try await iterator.next(isolation: isolation) {
      guard receive(element) else { return }
      count += 1
      // A sequence that has the next element always ready never suspends: other calls that wait for the actor, such as a
      // cancel, run here.
      if count.isMultiple(of: 32), let isolation { await letOthersRun(isolation: isolation) }
    }
  }
}

/// The streams of data that has live values: the one that is being connected, and the one that is open.
final class LiveFeed<Value>: DataFeature {
  private(set) var open: LiveStream<Value>?
  private var connecting: LiveStream<Value>?
  /// The load that connects again.
  private var reconnection: Reconnection<Value>?
  /// The reconnection that a value or an error set by hand has ended. Another one follows.
  private var interrupted: Reconnection<Value>?
  /// Elements have arrived before the first one was displayed.
  private var hasNews = false
  /// True while the key that the data follows has a source that is no stream.
  fileprivate var isOfFormerSource = false

  deinit {
    open?.abandon()
    connecting?.abandon()
  }

  var place: FeaturePlace { .live }

  /// True while a stream is open: the value is as new as its stream.
  var isOpen: Bool { open != nil }

  var isStale: Bool? { isOfFormerSource ? nil : !isOpen }

  func perform(_ verb: DataVerb) -> Bool {
    if case .cancelRest = verb {
      interrupted = nil
      open?.load.data?.endStream()
    }
    return false
  }

  /// Keeps the connection that the operation of a load has made.
  ///
  /// - Returns: A former connection of the same load.
  func connect(_ stream: LiveStream<Value>) -> LiveStream<Value>? {
    let former = connecting
    connecting = stream
    return former
  }

  /// Keeps the reconnection of a load that is about to begin.
  func connectAgain(by reconnection: Reconnection<Value>) { self.reconnection = reconnection }

  func take(_ event: DataEvent, _ ends: DataEnds, of request: LoadRun?, _ record: DataRecord, in step: inout DataStep) {
    takeReconnection(event, of: request, in: &step)
    // The attempt has failed after its first element.
    if case .retried = event, let stream = connecting.take() { return step.lose(stream) }
    if let stream = connecting, !stream.load.isCurrent {
      connecting = nil
      guard case .answered = event, stream.load === request else { return step.lose(stream) }
      open = stream
      hasNews = true
    } else if event.endsStream, let stream = open.take() {
      step.lose(stream)
    }
  }

  /// Ends the reconnection whose load has ended. If a value or an error was set by hand, another one follows.
  private func takeReconnection(_ event: DataEvent, of request: LoadRun?, in step: inout DataStep) {
    if event.endsStream, let interrupted = interrupted.take() { step.lose(interrupted) }
    guard let former = reconnection, !former.load.isCurrent else { return }
    reconnection = nil
    let isByHand = !event.endsStream && request !== former.load
    if isByHand, former.takeFailure() { interrupted = former } else { step.lose(former) }
  }

  func didNotify() {
    interrupted.take()?.beginAgain()
    guard hasNews else { return }
    hasNews = false
    open?.didOpen()
  }
}

/// A load that connects again after a failure, and continues to count the failed attempts.
final class Reconnection<Value>: LostPart {
  let load: Load<Value>
  private let operation: LoadOperation<Value>
  private weak let home: (any Actor)?
  /// The failure that it begins with.
  private let first: FirstFailure
  /// The failure that the next reconnection begins with, in the place of this one.
  private var next: FirstFailure?

  fileprivate init(
    _ load: Load<Value>, _ operation: LoadOperation<Value>, after first: FirstFailure, _ home: any Actor
  ) {
    self.load = load
    self.operation = operation
    self.first = first
    self.home = home
  }

  /// The attempts that have failed, those of former loads included.
  private var failed: FailedAttempts {
    let own = load.attempts.failed
    return own.count > first.former.count ? own : first.former
  }

  /// Notes the failure for the next reconnection, because this one was ended by hand.
  ///
  /// - Returns: True if another one takes its place, and begins with the last failure of this one. False if an observer of its
  ///   beginning ended it: that would end the next one, too.
  fileprivate func takeFailure() -> Bool {
    let failed = failed
    if let error = failed.lastError, failed.count > first.former.count {
      // The first of them was the end of a stream.
      let lasted = failed.count - 1 == first.former.count ? first.former.streamLasted : nil
      next = FirstFailure(
        error, after: FailedAttempts(count: failed.count - 1, pause: failed.pause, streamLasted: lasted))
    } else {
      next = FirstFailure(first.error, after: first.former)
    }
    return load.state.extras?.hasRun == true
  }

  fileprivate func beginAgain() {
    if let next { load.data?.reconnect(after: next, load.id, home, operation) }
  }

  /// Begins its load.
  fileprivate func begin(for data: AsyncData<Value>, isolation: isolated any Actor) {
    load.requiredExtras.attemptDidTimeOut = { [weak self] in self?.didTimeOut() }
    let call = LoadCall(.refresh, load.id, data.policy)
    data.begin(load, call, isolation: isolation, operation.again(after: first))
  }

  /// Reconnects after a connection that took too long: that is one more failure, by which the policy decides.
  private func didTimeOut() {
    load.endIfUnheld()
    guard load.isCurrent else { return }
    let failure = FirstFailure(LoadTimeoutError(), after: failed)
    load.data?.reconnect(after: failure, load.id, home, operation, replacing: load)
  }

  func finish() {}
}

/// A stream that data follows, or is about to follow. It belongs to the actor of the data.
final class LiveStream<Value>: LostPart {
  /// The load that has connected it.
  let load: Load<Value>
  /// The operation of that load.
  private let operation: LoadOperation<Value>
  private weak let home: (any Actor)?
  private var task: Task<Void, Never>?
  private var isStopped = false
  private var isOpen = false
  private var hasReturned = false

  /// The first element, or how the stream ended without one; nil: it is awaited.
  private var first: Result<Value?, any Error>?
  private var continuation: SuspendedCall?
  /// The newest element that has not been displayed.
  private var newest: Value?
  /// The error that it has ended with, if any; nil: it has not ended.
  private var ending: (any Error)??

  /// The attempts that have failed before it was connected.
  private let failed: FailedAttempts
  private var openedAt = Duration.zero
  private var lastElementAt = Duration.zero
  /// Ends it when it is silent for too long.
  private var listener: Task<Void, Never>?

  init(of load: Load<Value>, home: (any Actor)?, _ operation: LoadOperation<Value>) {
    self.load = load
    self.home = home
    self.operation = operation
    failed = load.attempts.failed
  }

  private var owner: AsyncData<Value>? { load.data }

  // MARK: Connecting

  func begin(_ elements: any LiveElements<Value>, isolation: isolated (any Actor)?) {
    task = Task {
      _ = isolation
      do {
        try await elements.forEach(isolation: isolation) { self.receive($0) }
        didEnd(nil)
      } catch {
        didEnd(error)
      }
    }
  }

  /// Suspends until there is a first element.
  ///
  /// - Returns: That; nil: the stream has ended without one.
  func firstElement(isolation: isolated (any Actor)?) async throws -> Value? {
    guard let home else { throw CancellationError() }
    let stream = ActorBound(self, to: home)
    await untilResumed(isolation: isolation) {
      suspend($0)
    } onCancel: {
      stream.send { $0.stop() }
    }
    guard let first else { throw CancellationError() }
    return try first.get()
  }

  private func suspend(_ continuation: SuspendedCall) {
    if first == nil, !isStopped { self.continuation = continuation } else { continuation.resume() }
  }

  private func receive(_ element: Value) -> Bool {
    guard !isStopped else { return false }
    if first == nil {
      first = .success(element)
      continuation.take()?.resume()
    } else if isOpen {
      guard let owner else { return false }
      if listener != nil { lastElementAt = owner.now }
      owner.receive(element, of: self)
    } else {
      newest = element
    }
    return !isStopped
  }

  // MARK: Open

  /// Called when the first element is displayed, and observers have been notified.
  func didOpen() {
    guard !isStopped, let owner else { return }
    isOpen = true
    openedAt = owner.now
    listen(to: owner)
    if let newest = newest.take() { owner.receive(newest, of: self) }
    guard !isStopped, !owner.endUnheldStream() else { return }
    if let ending { end(ending) }
  }

  private func listen(to owner: AsyncData<Value>) {
    guard let home, let limit = owner.longestSilence else { return }
    lastElementAt = openedAt
    let bound = (stream: self, limit: limit, timeline: owner.timeline)
    ActorBound(bound, to: home).callHere { home, bound in
      bound.stream.listen(for: bound.limit, on: bound.timeline, isolation: home)
    }
  }

  private func listen(for limit: Duration, on timeline: Timeline, isolation: isolated any Actor) {
    listener = Task {
      _ = isolation
      while timeline.now < lastElementAt + limit {
        guard (try? await timeline.sleep(until: lastElementAt + limit)) != nil else { return }
      }
      if !isStopped { end(LoadTimeoutError()) }
    }
  }

  // MARK: Ending

  private func didEnd(_ error: (any Error)?) {
    hasReturned = true
    guard !isStopped else {
      // It was stopped, and `settled()` has waited for its return.
      owner?.operationDidReturn()
      return
    }
    // A stream of nothing is one that has ended without an element.
    let error = first == nil && error is NoDataError ? nil : error
    ending = .some(error)
    if first == nil {
      if let error { first = .failure(error) } else { first = .success(nil) }
      continuation.take()?.resume()
    } else if isOpen {
      end(error)
    }
  }

  /// Ends the stream. After an error the data connects again, by the policy of its loads.
  private func end(_ error: (any Error)?) {
    guard let owner, owner.endStream(self), let error, !(error is CancellationError), owner.isHeld else { return }
    owner.reconnect(
      after: FirstFailure(error, after: failed.after(streamOf: owner.now - openedAt)), load.id, home, operation)
  }

  /// Ends the stream: its elements are ignored from now on.
  func stop() {
    guard !isStopped else { return }
    isStopped = true
    if task != nil, !hasReturned { owner?.operationWillBegin() }
    task?.cancel()
    listener?.cancel()
    continuation.take()?.resume()
  }

  func finish() { stop() }

  /// Cancels its tasks when the data was released, on any thread.
  func abandon() {
    task?.cancel()
    listener?.cancel()
  }
}

extension LoadReporter {
  /// Follows a stream from now on, if the load is answered by its first element.
  ///
  /// - Returns: The first element; nil: the stream has ended without one.
  func firstElement(
    of elements: any LiveElements<Value>, isolation: isolated (any Actor)? = #isolation
  ) async throws -> Value? {
    // The data is not kept while this is suspended.
    guard let body, let stream = load.writableData?.connect(LiveStream(of: load, home: home, body)) else {
      throw CancellationError()
    }
    stream.begin(elements, isolation: isolation)
    return try await stream.firstElement(isolation: isolation)
  }
}

extension AsyncData {
  /// Takes a further element: one change.
  fileprivate func receive(_ element: Value, of stream: LiveStream<Value>) {
    if !endUnheldStream(), live?.open === stream { receive(element, by: .elementArrived(at: now)) }
  }

  /// Keeps the connection of the current load's operation, and ends a former connection of the same load.
  fileprivate func connect(_ stream: LiveStream<Value>) -> LiveStream<Value>? {
    guard let live else { return nil }
    live.connect(stream)?.stop()
    return stream
  }

  /// Makes the data follow streams from now on.
  func setLive() {
    state.core.features.set(LiveFeed<Value>())
  }

  /// Makes the data follow streams, or not, by the source of its key.
  func setLive(_ isLive: Bool) {
    if let live { live.isOfFormerSource = !isLive } else if isLive { setLive() }
  }

  private var live: LiveFeed<Value>? { features.feature(at: .live) }

  /// The longest time between two elements of a stream; nil: no limit.
  fileprivate var longestSilence: Duration? { state.extras?.options.silence?.bounded }

  /// True while the value follows an open stream.
  var isLive: Bool { live?.isOpen == true }

  /// Ends the stream, if there is one. The value is stale from now on.
  func endStream() {
    if isLive { apply(.streamEnded) }
  }

  /// Ends a stream that has ended by itself.
  ///
  /// - Returns: False if it was over already.
  fileprivate func endStream(_ stream: LiveStream<Value>) -> Bool {
    guard live?.open === stream else { return false }
    apply(.streamEnded)
    return true
  }

  /// Ends the stream of an entry that only its family holds.
  ///
  /// - Returns: True if it was ended.
  @discardableResult
  func endUnheldStream() -> Bool {
    guard isLive, !isHeld else { return false }
    endStream()
    return true
  }

  /// Connects again after a stream broke or a connection failed: that is the first failed attempt of a load.
  ///
  /// - Parameter former: The running load, which this one supersedes.
  fileprivate func reconnect(
    after failure: FirstFailure, _ id: Int?, _ home: (any Actor)?, _ operation: LoadOperation<Value>,
    replacing former: LoadRun? = nil
  ) {
    // An observer may have requested it.
    guard let home, former?.isCurrent ?? state.core.order.isEmpty else { return }
    let load = Load(for: self, id: id, home: home)
    if state.core.order.isPinned { load.pin() } else { load.hold() }
    let reconnection = Reconnection(load, operation, after: failure, home)
    live?.connectAgain(by: reconnection)
    // Outside of the operation that has led here, because it is no part of it.
    RunningOperation.outside {
      following(.streamEnd) {
        ActorBound((data: self, reconnection: reconnection), to: home).callHere { home, bound in
          bound.reconnection.begin(for: bound.data, isolation: home)
        }
      }
    }
  }

  /// Begins a load with the operation of a former one.
  fileprivate func begin(
    _ load: Load<Value>, _ call: LoadCall, isolation: isolated any Actor,
    _ operation: @escaping (LoadReporter<Value>) async throws -> Value?
  ) {
    features.source?.willRequest(when: .always)
    begin(load, call.mode, call.policy?.gate)
    // No call waits where calls named one request, which has ended with the former load.
    if load.interest.waiting == 0 { load.hold() }
    guard load.isCurrent else { return }
    launch(load, call, isolation: isolation, LoadReporter(load, isolation).operation(operation))
  }
}
