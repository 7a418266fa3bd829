// SPDX-License-Identifier: MIT
// Several resources as one: its data is what they are together, and each of its verbs is theirs.

/// Several resources as one.
///
/// ```swift
/// let host = AsyncHost(zip(articles, weather)) { status in
///   switch status {
///   case .loading: [spinner]
///   case .error(let error): [Message("\(error)")]
///   case .data((let articles, let weather)): [List(articles), Sky(weather)]
///   case .noData: [Message("Nothing here")]
///   case .idle: [Retry()]
///   case .waiting: [Message("Waiting for a network")]
///   }
/// }
/// ```
///
/// Its snapshot is that of the others, combined as ``zip(_:)`` does: it has content when all have a value. Every request of it
/// requests all of them, with the same condition, and ends when all have ended; to cancel, reset, forget or invalidate it does so to
/// each. It is displayed like any resource, and not written: write to the others. Delegates are set on these, too.
///
/// For a value that is made of the others, and kept, there is ``AsyncSource/of(_:operation:)``.
///
/// - Parameters:
///   - first: A resource. It is held.
///   - second: Another one, of the same actor. It is held.
///   - others: All others, of the same actor. They are held.
public func zip<First, Second, each Other>(
  _ first: AsyncResource<First>, _ second: AsyncResource<Second>, _ others: repeat AsyncResource<each Other>
) -> AsyncResource<(First, Second, repeat each Other)> {
  AsyncResource(combining: first, second, repeat each others)
}

extension AsyncResource {
  /// Several resources as one. Of none it is a preview.
  package convenience init<each Part>(combining parts: repeat AsyncResource<each Part>)
  where Value == (repeat each Part) {
    var list: [any CombinedPart] = []
    repeat list.append(each parts)
    // A clock for the pacer of a host.
    let data = AsyncData<Value>(seed: nil, DataOptions(list.first?.timeline ?? .continuous))
    // With a preview among them it displays, and does not wait for what never ends.
    let home = list.contains { $0.actor == nil } ? nil : list.first?.actor
    self.init(data, home, { nil })
    let combination = Combination(of: data, list) { AsyncState.combine(repeat (each parts).data.facts) }
    data.state.core.features.set(combination)
    combination.begin()
  }

  /// True if it is several resources together, which may be another one as soon as these are others.
  package var isOfSeveral: Bool { combination != nil }

  /// What this consists of; nil if it has an operation of its own.
  var combination: Combination<Value>? { data.combination }

  /// Requests again, for a button: of several those that have failed or have no value, and all where none is missing.
  ///
  /// - Parameter isHiding: True if the content is hidden meanwhile.
  package func retry(hidingContent isHiding: Bool, isolation: isolated any Actor) {
    retry(isHiding ? .reload : .refresh, isolation: isolation)
  }
}

extension AsyncData {
  var combination: Combination<Value>? { features.feature(at: .parts) }
}

/// The resources that data is a combination of. Each change of one is a change of the data, and each verb of the data is theirs.
final class Combination<Value>: DataFeature {
  private weak var data: AsyncData<Value>?
  private let parts: [any CombinedPart]
  /// The combination, and the part whose error it has.
  private let combine: () -> (snapshot: AsyncSnapshot<Value>, failedPart: Int?)
  /// The number of changes of parts, so that an older one is not followed after a newer one.
  private var changes = 0
  /// True if a change that is not followed yet was forced.
  private var isForced = false
  /// The last request.
  private weak var last: Load<Value>?

  init(
    of data: AsyncData<Value>, _ parts: [any CombinedPart],
    combine: @escaping () -> (snapshot: AsyncSnapshot<Value>, failedPart: Int?)
  ) {
    self.data = data
    self.parts = parts
    self.combine = combine
  }

  /// Displays what the parts have, once, and not again with the first change of one.
  func begin() {
    for part in parts { part.addObserver(self) }
    dataDidChange(forced: false)
  }

  // MARK: Requesting

  /// Requests all parts.
  func request(_ verb: RequestVerb, isolation: isolated any Actor) -> LoadTask<Value> {
    let runs = parts.map { $0.run(verb, isolation: isolation) }
    let load = Load<Value>(of: runs)
    last = load
    let task = Task { [weak data] in
      for run in runs { await run.wait(isolation: isolation) }
      load.answer = data?.valueOfKey
      load.close(LoadEnding(of: runs))
      load.finish()
    }
    load.run(in: task)
    return LoadTask(load)
  }

  /// Requests all parts for a caller that waits, and may leave.
  func calls(when condition: LoadCondition, isolation: isolated any Actor) -> [FollowingCall] {
    parts.flatMap { $0.calls(when: condition, isolation: isolation) }
  }

  func retry(_ verb: RequestVerb, isolation: isolated any Actor) {
    for part in retried { part.retry(verb, isolation: isolation) }
  }

  /// The parts that a person's button requests again.
  private var retried: [any CombinedPart] {
    let missing = parts.filter(\.isMissing)
    return missing.isEmpty ? parts : missing
  }

  /// The handle of the last request, if it runs.
  var currentLoad: LoadTask<Value>? { last.flatMap { $0.isCurrent ? LoadTask($0) : nil } }

  var hasKey: Bool { retried.contains { $0.hasKey } }

  /// Suspends until no part can change any more.
  func untilSettled(isolation: isolated any Actor) async {
    while !Task.isCancelled, let part = parts.first(where: { !$0.isSettledCompletely }) {
      await part.untilSettled(isolation: isolation)
    }
  }

  // MARK: As a feature

  var place: FeaturePlace { .parts }

  var isBusy: Bool { parts.contains { !$0.isSettledCompletely } }

  var isStale: Bool? { parts.contains { $0.isOutOfDate } ? true : nil }

  func perform(_ verb: DataVerb) -> Bool {
    for part in parts {
      switch verb {
      case .cancel: part.cancel()
      case .cancelRest: break
      case .reset: part.reset()
      case .forget: part.forget()
      case .invalidate: part.invalidate()
      }
    }
    return true
  }

  func take(_ event: DataEvent, _ ends: DataEnds, of request: LoadRun?, _ record: DataRecord, in step: inout DataStep) {
    if case .combined = event { return }
    assertionFailure(
      """
      AsyncState: the data of several resources together was written or loaded by itself. It is what the resources are \
      together, so the next change of one of them replaces this. Write to the resource, or load it. A release build \
      displays it until then.
      """)
  }
}

extension Combination: AsyncDataObserver {
  /// Follows a part that has changed.
  func dataDidChange(forced isForced: Bool) {
    self.isForced = self.isForced || isForced
    changes &+= 1
    let change = changes
    let (snapshot, failedPart) = combine()
    // A patch, which is applied when a part is read, may have changed a part: that is followed, and is newer.
    guard changes == change, let data else { return }
    let record = DataRecord(of: parts.map(\.record), snapshot.context, failedPart: failedPart)
    let isForced = self.isForced
    self.isForced = false
    data.apply(.combined(record, isForced: isForced), writing: snapshot.value)
  }

  func reloadRequested() -> Bool { data?.requestReload() ?? false }

  var isDisplaying: Bool { data?.state.core.isDisplayed ?? false }
}

extension DataRecord {
  /// The record of several data together, which is as old as the oldest of them.
  fileprivate init(of parts: [DataRecord], _ context: SnapshotContext, failedPart: Int?) {
    self.init(context: context)
    hasFailed = parts.contains(where: \.hasFailed)
    hasUndecidedChanges = parts.contains(where: \.hasUndecidedChanges)
    let answers = parts.compactMap(\.answeredAt)
    answeredAt = answers.count == parts.count ? answers.min() : nil
    for part in parts {
      removals &+= part.removals
      invalidations &+= part.invalidations
      revision.value &+= part.revision.value
      revision.key &+= part.revision.key
      revision.display &+= part.revision.display
    }
    // The errors of the other parts need not be displayed. That of another part is another error.
    if let failedPart {
      revision.error = parts[failedPart].revision.error &* UInt32(parts.count) &+ UInt32(failedPart) &+ 1
    }
  }
}

extension LoadEnding {
  /// The ending of several loads together: the first failure, otherwise answered if all are, otherwise superseded if one is.
  fileprivate init(of runs: [LoadRun]) {
    self = .answered
    for case let ending? in runs.map(\.state.ending) {
      switch ending {
      case .failed:
        self = ending
        return
      case .ended(.superseded): self = ending
      case .ended(.cancelled): if case .answered = self { self = ending }
      case .answered, .fresh: break
      }
    }
  }
}

/// A resource, without the type of its value.
protocol CombinedPart: AnyObject {
  var actor: (any Actor)? { get }
  var record: DataRecord { get }
  var timeline: Timeline { get }
  var hasKey: Bool { get }
  /// True if it has failed, or has no value.
  var isMissing: Bool { get }
  var isOutOfDate: Bool { get }
  var isSettledCompletely: Bool { get }
  func addObserver(_ observer: any AsyncDataObserver)
  /// - Returns: The running load, or one that has ended without an answer.
  func run(_ verb: RequestVerb, isolation: isolated any Actor) -> LoadRun
  /// - Returns: The calls that wait; none if it is fresh, or cannot be requested.
  func calls(when condition: LoadCondition, isolation: isolated any Actor) -> [FollowingCall]
  func retry(_ verb: RequestVerb, isolation: isolated any Actor)
  func cancel()
  func reset()
  func forget()
  func invalidate()
  func untilSettled(isolation: isolated any Actor) async
}

extension AsyncResource: CombinedPart {
  var record: DataRecord { data.state.core.record }
  var timeline: Timeline { data.timeline }
  var isMissing: Bool { data.context.error != nil || data.displayed == nil }
  var isOutOfDate: Bool { data.isOutOfDate }
  var isSettledCompletely: Bool { data.isSettledCompletely }
  func addObserver(_ observer: any AsyncDataObserver) { data.addObserver(observer) }

  func run(_ verb: RequestVerb, isolation: isolated any Actor) -> LoadRun {
    request(verb, isolation: isolation).load ?? Load<Value>(endedWith: .ended(.cancelled))
  }

  func calls(when condition: LoadCondition, isolation: isolated any Actor) -> [FollowingCall] {
    request(when: condition, isolation: isolation).calls
  }

  func retry(_ verb: RequestVerb, isolation: isolated any Actor) {
    if let combination {
      combination.retry(verb, isolation: isolation)
    } else {
      _ = request(verb, isolation: isolation)
    }
  }

  func untilSettled(isolation: isolated any Actor) async { await data.untilSettled(isolation: isolation) }
}
