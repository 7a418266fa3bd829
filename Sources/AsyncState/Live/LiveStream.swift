// SPDX-License-Identifier: MIT
// Live values: a load that stays open.
//
// The operation of a load connects, and returns the first element, which is the answer. The task of the load then receives each
// further element like any value, until the data begins another load, loses its value, or is released. What breaks an open
// stream is the first failed attempt of a load that connects again, with the same operation.

/// The elements of a stream, whatever its type.
protocol LiveElements<Value>: AnyObject {
  associatedtype Value

  /// The next element; nil: the stream has ended.
  func next(isolation: isolated (any Actor)?) async throws -> Value?
}

/// The elements of a sequence.
final class SequenceElements<Elements: AsyncSequence>: LiveElements {
  private var iterator: Elements.AsyncIterator
  private var count = 0

  init(sequence: Elements) { iterator = sequence.makeAsyncIterator() }

  func next(isolation: isolated (any Actor)?) async throws -> Elements.Element? {
    // A sequence that has the next element always ready never suspends: other calls that wait for the actor, such as a
    // cancel, run here.
    count += 1
    if count.isMultiple(of: 32), let isolation { await letOthersRun(isolation: isolation) }
    // In a variable of its own: with an access to the property that lasts while this is suspended, other calls that waited for
    // the actor were lost (Swift 6.3.1). Noticed: `LiveTests` beside a test of 10,000 entries, by waits that do not end.
    var iterator = iterator
    defer { self.iterator = iterator }
    return try await iterator.next(isolation: isolation)
  }
}

/// A stream that an attempt of a load has connected. It belongs to the actor of the data.
final class LiveStream<Value>: LostPart {
  let load: Load<Value>
  fileprivate let elements: any LiveElements<Value>
  /// The attempts that had failed before it was connected.
  fileprivate let failed: FailedAttempts
  fileprivate var openedAt = Duration.zero
  /// True if the task of the load receives its elements.
  fileprivate var isFollowed = false

  init(of load: Load<Value>, _ elements: any LiveElements<Value>) {
    self.load = load
    self.elements = elements
    failed = load.attempts.failed
  }

  /// Its elements are ignored from now on.
  func finish() {
    // There is a return to wait for again.
    if isFollowed { load.data?.operationWillBegin() }
    abandon()
  }

  func abandon() { load.state.task?.cancel() }
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

  deinit { open?.abandon() }

  var place: FeaturePlace { .live }

  /// The value is as new as its stream.
  var isStale: Bool? { isOfFormerSource ? nil : open == nil }

  func perform(_ verb: DataVerb) -> Bool {
    if case .cancelRest = verb { open?.load.data?.endStream() }
    return false
  }

  func take(_ event: DataEvent, _ ends: DataEnds, of request: LoadRun?, _ record: DataRecord, in step: inout DataStep) {
    if event.endsStream, let stream = open.take() { step.lose(stream) }
    guard let stream = connected else { return }
    switch event {
    case .answered(let now, _, _) where stream.load === request:
      stream.openedAt = now
      open = stream
    // The attempt has failed after its first element.
    case .retried: break
    case _ where stream.load.isCurrent: return
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
    let elements = SequenceElements(sequence: sequence)
    let first = try await elements.next(isolation: isolation)
    // An attempt whose time is over leaves no stream.
    try Task.checkCancellation()
    load.writableData?.live?.connected = first == nil ? nil : LiveStream(of: load, elements)
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

  /// Receives the elements of the stream that this load has opened, until it ends, or is not followed any more.
  func followStream(isolation: isolated any Actor) async {
    // An attempt whose time was over returns, too, beside the one that has connected.
    guard let stream = data?.live?.open, stream.load === self, !stream.isFollowed else { return }
    stream.isFollowed = true
    // Nothing is left to wait for.
    data?.operationDidReturn()
    do {
      while let element = try await stream.elements.next(isolation: isolation), receive(element, of: stream) {}
      end(stream, nil, isolation: isolation)
    } catch {
      end(stream, error, isolation: isolation)
    }
  }

  /// - Returns: False if the stream is not followed any more.
  private func receive(_ element: Value, of stream: LiveStream<Value>) -> Bool {
    guard let data, data.live?.open === stream, !data.endUnheldStream() else { return false }
    data.receive(element, by: .elementArrived(at: data.now))
    return data.live?.open === stream
  }

  /// Ends a stream that has ended by itself. After an error the data connects again, by the policy of its loads.
  private func end(_ stream: LiveStream<Value>, _ error: (any Error)?, isolation: isolated any Actor) {
    guard let data, data.live?.open === stream else { return }
    data.endStream()
    guard let error, data.isHeld else { return }
    // Outside of the operation that has led here, because it is no part of it.
    RunningOperation.outside {
      data.following(.streamEnd) {
        let failed = stream.failed.after(streamOf: data.now - stream.openedAt)
        data.connectAgain(after: error, failed, id, isolation: isolation)
      }
    }
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
