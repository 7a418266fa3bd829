// SPDX-License-Identifier: MIT
// Several resources on one screen: data that combines them, and a request of all of them.

/// Several resources as one. It observes the data of each.
@usableFromInline
final class Combination<Value> {
  /// The combination of the parts, always up to date.
  let data: AsyncData<Value>

  private let parts: [any CombinedPart]
  /// The combination, and the part whose error it has.
  private let combine: () -> (snapshot: AsyncSnapshot<Value>, failedPart: Int?)
  /// Combines the answers of the parts' loads; nil if a part has no value.
  private let answer: ([LoadRun]) -> Value?
  /// The part whose error is displayed, and the number of errors that had been written to it.
  private var error: (part: Int, revision: UInt32)?
  /// The number of times that another error was displayed.
  private var errorCount: UInt32 = 0
  /// The number of changes of parts, so that an older one is not followed after a newer one.
  private var changes = 0
  /// True if a change that is not followed yet was forced.
  private var isForced = false
  /// The last request.
  private weak var last: Load<Value>?

  init(
    _ parts: [any CombinedPart], combine: @escaping () -> (snapshot: AsyncSnapshot<Value>, failedPart: Int?),
    answer: @escaping ([LoadRun]) -> Value?
  ) {
    self.parts = parts
    self.combine = combine
    self.answer = answer
    data = AsyncData()
    // The pacer of a host measures with it.
    data.state.extras = AsyncData.Extras(DataOptions(parts[0].timeline))
    data.state.core.features.set(CombinedParts(self))
    for part in parts { part.addObserver(self) }
    // What the parts have is displayed once, and not again with the first change of one.
    dataDidChange(forced: false)
  }

  /// Requests all parts.
  func request(_ verb: RequestVerb, isolation: isolated any Actor) -> LoadTask<Value> {
    let runs = parts.map { $0.run(verb, isolation: isolation) }
    let load = Load<Value>(of: runs)
    last = load
    let task = Task { [answer] in
      for run in runs { await run.wait(isolation: isolation) }
      load.answer = answer(runs)
      load.close(LoadEnding(of: runs))
      load.finish()
    }
    load.run(in: task)
    return LoadTask(load)
  }

  /// The handle of the last request, if it runs; otherwise of one that has ended with the present value or error.
  var currentLoad: LoadTask<Value> {
    if let last, last.isCurrent { LoadTask(last) } else { data.currentLoad }
  }

  /// Suspends until no part can change any more.
  func untilSettled(isolation: isolated any Actor) async {
    while !Task.isCancelled, let part = parts.first(where: { !$0.isSettledCompletely }) {
      await part.untilSettled(isolation: isolation)
    }
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
    guard changes == change else { return }
    // The errors of the other parts need not be displayed.
    let error = failedPart.map { (part: $0, revision: parts[$0].revision.error) }
    if error?.part != self.error?.part || error?.revision != self.error?.revision { errorCount &+= 1 }
    self.error = error
    var revision = DataRevision(error: errorCount)
    for part in parts {
      revision.value &+= part.revision.value
      revision.key &+= part.revision.key
      revision.display &+= part.revision.display
    }
    let isForced = self.isForced
    self.isForced = false
    data.follow(snapshot, revision, forced: isForced)
  }

  func reloadRequested() -> Bool { data.requestReload() }

  var isDisplaying: Bool { data.state.core.isDisplayed }
}

extension Combination {
  /// The combination of several resources; at least one.
  convenience init<each Part>(of resources: repeat AsyncResource<each Part>) where Value == (repeat each Part) {
    var parts: [any CombinedPart] = []
    repeat parts.append(each resources)
    self.init(
      parts,
      combine: { AsyncState.combine(repeat (each resources).data.facts) },
      answer: { runs in
        var runs = runs.makeIterator()
        func answer<Answer>(of resource: AsyncResource<Answer>) -> AsyncSnapshot<Answer> {
          AsyncSnapshot(value: runs.next().flatMap { resource.data.typed($0).answer })
        }
        return zip(repeat answer(of: each resources)).value
      })
  }
}

/// Passes on a cancel, a reset or an invalidation of the data to each of the resources that it combines; the data follows
/// these. The combination is not held.
private final class CombinedParts: DataFeature {
  private weak var parts: (any DataParts)?

  init(_ parts: any DataParts) {
    self.parts = parts
  }

  var place: FeaturePlace { .parts }

  func perform(_ verb: DataVerb) -> Bool {
    guard let parts else { return false }
    switch verb {
    case .cancel: parts.cancel()
    case .cancelRest: break
    case .reset: parts.reset()
    case .forget: parts.forget()
    case .invalidate: parts.invalidate()
    }
    return true
  }

  func take(_ event: DataEvent, _ ends: DataEnds, of request: LoadRun?, _ record: DataRecord, in step: inout DataStep) {
    if case .combined = event { return }
    assertionFailure(
      """
      AsyncState: the data of a host of several resources was written or loaded by itself. It is what the resources are \
      together, so the next change of one of them replaces this. Write to the resource, or load it. A release build \
      displays it until then.
      """)
  }
}

protocol DataParts: AnyObject {
  func cancel()
  func reset()
  func forget()
  func invalidate()
}

extension Combination: DataParts {
  func cancel() { for part in parts { part.cancel() } }
  func reset() { for part in parts { part.reset() } }
  func forget() { for part in parts { part.forget() } }
  func invalidate() { for part in parts { part.invalidate() } }
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
protocol CombinedPart: DataParts {
  var revision: DataRevision { get }
  var timeline: Timeline { get }
  var isSettledCompletely: Bool { get }
  func addObserver(_ observer: any AsyncDataObserver)
  /// - Returns: The running load, or one that has ended without an answer.
  func run(_ verb: RequestVerb, isolation: isolated any Actor) -> LoadRun
  func untilSettled(isolation: isolated any Actor) async
}

extension AsyncResource: CombinedPart {
  var revision: DataRevision { data.revision }
  var timeline: Timeline { data.timeline }
  var isSettledCompletely: Bool { data.isSettledCompletely }
  func addObserver(_ observer: any AsyncDataObserver) { data.addObserver(observer) }

  func run(_ verb: RequestVerb, isolation: isolated any Actor) -> LoadRun {
    request(verb, isolation: isolation).load ?? Load<Value>(endedWith: .ended(.cancelled))
  }

  func untilSettled(isolation: isolated any Actor) async { await data.untilSettled(isolation: isolation) }
}
