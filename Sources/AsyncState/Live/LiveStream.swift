// SPDX-License-Identifier: MIT
// Live values: a load that stays open.
//
// The operation of a load connects, and returns the first element, which is the answer. A task of the stream's own then receives
// each further element like any value, until the data begins another load, loses its value, or is released. What breaks an open
// stream is the first failed attempt of a load that connects again, with the same operation.

/// The elements of a stream after the first one, whatever its type.
protocol LiveElements<Value> {
  associatedtype Value

  /// Receives them in a task of its own, which has room for little more than a call of the sequence.
  func receive(for stream: LiveStream<Value>, isolation: isolated any Actor) -> Task<Void, Never>
}

/// The further elements of a sequence.
private struct FurtherElements<Iterator: AsyncIteratorProtocol>: LiveElements {
  let iterator: Iterator

  func receive(for stream: LiveStream<Iterator.Element>, isolation: isolated any Actor) -> Task<Void, Never> {
    Task {
      _ = isolation
      stream.didBegin()
      var (iterator, count) = (iterator, 0)
      do {
        while stream.receive(try await iterator.next(isolation: isolation), isolation: isolation) {
          // A sequence that has the next element always ready never suspends: other calls that wait for the actor, such as a
          // cancel, run here.
          count += 1
          if count.isMultiple(of: 32) { await letOthersRun(isolation: isolation) }
        }
      } catch {
        stream.end(error, isolation: isolation)
      }
    }
  }
}

/// A stream that an attempt of a load has connected. It belongs to the actor of the data.
final class LiveStream<Value>: LostPart {
  fileprivate weak let data: AsyncData<Value>?
  /// The load that has connected it, until the stream is followed: its task keeps the room of its deepest call.
  fileprivate private(set) var load: Load<Value>?
  /// The number of its request.
  private let id: Int?
  private let elements: any LiveElements<Value>
  /// The attempts that had failed before it was connected.
  private let failed: FailedAttempts
  fileprivate var openedAt = Duration.zero
  /// Receives its elements.
  private var task: Task<Void, Never>?

  fileprivate init(of load: Load<Value>, _ elements: any LiveElements<Value>) {
    (self.load, self.elements) = (load, elements)
    (data, id, failed) = (load.data, load.id, load.attempts.failed)
  }

  /// Its elements are ignored from now on.
  func finish() {
    // There is an end to wait for.
    if task != nil { data?.operationWillBegin() }
    abandon()
  }

  func abandon() { task?.cancel() }

  /// Receives its elements until it ends, or is not followed any more.
  fileprivate func follow(isolation: isolated any Actor) {
    load = nil
    data?.operationWillBegin()
    task = elements.receive(for: self, isolation: isolation)
  }

  /// The task is about to await an element, and notices from then on that it is cancelled. There is nothing to wait for.
  fileprivate func didBegin() { data?.operationDidReturn() }

  /// Takes the next element; nil: it has ended.
  ///
  /// - Returns: False if it is not followed any more.
  fileprivate func receive(_ element: Value?, isolation: isolated any Actor) -> Bool {
    if let element, let data, data.live?.open === self, !data.endUnheldStream() {
      data.receive(element, by: .elementArrived(at: data.now))
      if data.live?.open === self { return true }
    }
    end(nil, isolation: isolation)
    return false
  }

  /// The task ends. If the stream has ended by itself, the data connects again after an error, by the policy of its loads.
  fileprivate func end(_ error: (any Error)?, isolation: isolated any Actor) {
    guard let data else { return }
    if data.live?.open === self {
      data.live?.isBreaking = true
      data.endStream()
      let isBroken = data.live?.isBreaking == true
      data.live?.isBreaking = false
      if let error, isBroken, data.isHeld { connectAgain(data, after: error, isolation: isolation) }
    }
    data.operationDidReturn()
  }

  private func connectAgain(_ data: AsyncData<Value>, after error: any Error, isolation: isolated any Actor) {
    // Outside of the operation that has led here, because it is no part of it.
    RunningOperation.outside {
      data.following(.streamEnd) {
        data.connectAgain(after: error, failed.after(streamOf: data.now - openedAt), id, isolation: isolation)
      }
    }
  }
}

/// The stream of data that has live values.
final class LiveFeed<Value>: DataFeature {
  /// The stream that is followed.
  private(set) var open: LiveStream<Value>?
  /// The one that the running load has connected. Its first element is on the way to the data.
  fileprivate var connected: LiveStream<Value>?
  /// The load that connects again after a break: what the library begins by itself ends with the last holder.
  fileprivate weak var connectingAgain: LoadRun?
  /// The operation of the last request.
  fileprivate var operation: ((LoadReporter<Value>) async throws -> Value?)?
  /// True while the key that the data follows has a source that is no stream.
  fileprivate var isOfFormerSource = false
  /// True while observers are notified of the end of a stream, unless one of them ends what would follow.
  fileprivate var isBreaking = false

  deinit { open?.abandon() }

  var place: FeaturePlace { .live }

  /// The value is as new as its stream.
  var isStale: Bool? { isOfFormerSource ? nil : open == nil }

  func perform(_ verb: DataVerb) -> Bool {
    if case .cancelRest = verb {
      isBreaking = false
      open?.data?.endStream()
    }
    return false
  }

  func take(_ event: DataEvent, _ ends: DataEnds, of request: LoadRun?, _ record: DataRecord, in step: inout DataStep) {
    if event.endsStream {
      if case .streamEnded = event {} else { isBreaking = false }
      if let stream = open.take() { step.lose(stream) }
    }
    guard let stream = connected else { return }
    switch event {
    case .answered(let now, _, _) where stream.load === request:
      stream.openedAt = now
      open = stream
    // The attempt has failed after its first element.
    case .retried: break
    case _ where stream.load?.isCurrent == true: return
    case _: step.lose(stream)
    }
    connected = nil
  }
}

// MARK: - Connecting

extension LoadReporter {
  /// Connects: the stream is followed if the load is answered by its first element.
  ///
  /// - Returns: The first element; nil: the stream has ended without one.
  func firstElement<Elements: AsyncSequence>(
    of sequence: Elements, isolation: isolated (any Actor)? = #isolation
  ) async throws -> Value? where Elements.Element == Value {
    var iterator = sequence.makeAsyncIterator()
    let first = try await iterator.next(isolation: isolation)
    // An attempt whose time is over leaves no stream.
    try Task.checkCancellation()
    load.writableData?.live?.connected = first == nil ? nil : LiveStream(of: load, FurtherElements(iterator: iterator))
    return first
  }
}

extension Load {
  /// An operation that does not connect if only a family holds the data, and no caller waits.
  fileprivate func unlessUnheld(_ connect: @escaping () async throws -> Value?) -> () async throws -> Value? {
    {
      if self.data?.endUnheldStream() == true { throw CancellationError() }
      return try await connect()
    }
  }

  /// Follows the stream that this load has opened.
  func followStream(isolation: isolated any Actor) {
    // An attempt whose time was over returns, too, beside the one that has connected.
    guard let data, let stream = data.live?.open, stream.load === self else { return }
    // Held until the task is stored: a release on another thread reads that.
    withExtendedLifetime(data) { stream.follow(isolation: isolation) }
  }
}

// MARK: - The data

extension AsyncData {
  /// Makes the data follow streams from now on.
  func setLive() {
    state.core.features.set(LiveFeed<Value>())
  }

  /// Makes the data follow streams, or not, by the source of its key.
  func setLive(_ isLive: Bool) {
    if let live { live.isOfFormerSource = !isLive } else if isLive { setLive() }
  }

  /// True if the data follows streams, which are connected again by a policy.
  var hasStreams: Bool { live != nil }

  fileprivate var live: LiveFeed<Value>? { state.core.features.feature(at: .live) }

  /// True while the value follows an open stream.
  var isLive: Bool { live?.open != nil }

  /// Ends the stream, if there is one. The value is stale from now on.
  func endStream() {
    if isLive { apply(.streamEnded) }
  }

  /// Ends the stream of an entry that only its family holds, or the load that connects it again for no caller.
  ///
  /// - Returns: True if it was ended.
  @discardableResult
  func endUnheldStream() -> Bool {
    guard let live, !isHeld else { return false }
    if isLive {
      endStream()
    } else {
      guard let load = live.connectingAgain, load.isCurrent, load.interest.waiting == 0 else { return false }
      load.cancel()
    }
    return true
  }

  /// Notes the operation of a request, to connect with it again.
  func noteConnecting(_ operation: @escaping (LoadReporter<Value>) async throws -> Value?) {
    live?.operation = operation
  }

  /// True if a load connects.
  var isConnecting: Bool { live?.isOfFormerSource == false }

  /// Connects again after a break: that is the first failed attempt of a load.
  fileprivate func connectAgain(
    after error: any Error, _ failed: FailedAttempts, _ id: Int?, isolation: isolated any Actor
  ) {
    // An observer may have requested it.
    guard state.core.order.isEmpty, let operation = live?.operation, let policy else { return }
    let load = Load(for: self, id: id, home: isolation)
    load.pin()
    live?.connectingAgain = load
    load.attempts.failed = failed
    features.source?.willRequest(when: .always)
    begin(load, .refresh)
    guard load.isCurrent else { return }
    operationWillBegin()
    let connect = load.unlessUnheld(LoadReporter(load, isolation).operation(operation))
    load.begin { run(load, by: policy, isolation: isolation, after: error, connect) }
  }
}
