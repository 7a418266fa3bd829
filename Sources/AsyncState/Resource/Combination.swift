// SPDX-License-Identifier: MIT
// Several resources on one screen: data that is what the resources are together, and a request of all of them.

/// Several resources as one. It observes the data of each.
@usableFromInline
final class Combination<Value> {
  /// Always what the parts are together.
  let data: AsyncData<Value>

  private let parts: [any CombinedPart]
  private let snapshot: () -> AsyncSnapshot<Value>
  /// The answers of the parts' loads; nil if there is not a value of each.
  private let answer: ([LoadRun]) -> Value?
  private var revision = DataRevision()
  /// The number of changes of parts, so that an older one is not followed after a newer one.
  private var changes = 0
  /// A change that is not followed yet was forced.
  private var isForced = false
  /// The part whose error is displayed, and how often that had been written.
  private var error: (part: Int, revision: UInt32)?
  /// The last request.
  private weak var last: Load<Value>?

  init(
    _ parts: [any CombinedPart], snapshot: @escaping () -> AsyncSnapshot<Value>, answer: @escaping ([LoadRun]) -> Value?
  ) {
    self.parts = parts
    self.snapshot = snapshot
    self.answer = answer
    data = AsyncData(snapshot: snapshot())
    // The pacer of a host measures with it.
    data.state.extras = AsyncData.Extras(DataOptions(parts[0].timeline))
    data.state.core.features.set(CombinedParts(self))
    for part in parts { part.addObserver(self) }
  }

  /// Requests all parts.
  ///
  /// - Parameters:
  ///   - mode: A refresh joins requests that run, a reload supersedes them.
  ///   - condition: Which parts are requested at all.
  func request(_ mode: LoadMode, when condition: LoadCondition, isolation: isolated any Actor) -> LoadTask<Value> {
    let runs = parts.map { $0.run(mode, when: condition, isolation: isolation) }
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

  /// The handle of the last request, if it runs; else of one that has ended with what the data holds.
  var currentLoad: LoadTask<Value> {
    if let last, last.isCurrent { LoadTask(last) } else { data.currentLoad }
  }

  /// What displays it has appeared or disappeared.
  func needDidChange() { for part in parts { part.needDidChange() } }

  /// Suspends until nothing is left that could change a part.
  func untilSettled(isolation: isolated any Actor) async {
    while !Task.isCancelled, let part = parts.first(where: { !$0.isSettledCompletely }) {
      await part.untilSettled(isolation: isolation)
    }
  }
}

extension Combination: AsyncDataObserver {
  /// A part has changed.
  func dataDidChange(forced isForced: Bool) {
    var revision = DataRevision()
    revision.error = self.revision.error
    for part in parts {
      revision.value &+= part.revision.value
      revision.key &+= part.revision.key
      revision.display &+= part.revision.display
    }
    // The error that is displayed is the one of the first part that has one. Those of others are no news.
    let error = parts.firstIndex { $0.hasError }.map { (part: $0, revision: parts[$0].revision.error) }
    if error?.part != self.error?.part || error?.revision != self.error?.revision { revision.error &+= 1 }
    self.error = error
    self.revision = revision
    changes &+= 1
    let change = changes
    // Readers are notified before: what they write to a part is followed first, and is newer.
    self.isForced = self.isForced || isForced
    data.follow(snapshot(), revision, forced: self.isForced) {
      if changes == change { self.isForced = false }
      return changes == change
    }
  }

  func reloadRequested() -> Bool { data.requestReload() }

  var isDisplaying: Bool { data.state.core.isDisplayed }
}

extension Combination {
  /// What several resources are together; at least one.
  convenience init<each Part>(of resources: repeat AsyncResource<each Part>) where Value == (repeat each Part) {
    var parts: [any CombinedPart] = []
    repeat parts.append(each resources)
    self.init(
      parts,
      snapshot: { zip(repeat (each resources).data.facts) },
      answer: { runs in
        var runs = runs.makeIterator()
        func answer<Answer>(of resource: AsyncResource<Answer>) -> AsyncSnapshot<Answer> {
          AsyncSnapshot(value: runs.next().flatMap { resource.data.typed($0).answer })
        }
        return zip(repeat answer(of: each resources)).value
      })
  }
}

/// What cancels, resets or marks the data does it to each of the resources that it is a combination of, and the data
/// follows. It is not held.
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
  /// How several loads ended together: the first failure, else answered if all are, else superseded if one is.
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
  var hasError: Bool { get }
  var revision: DataRevision { get }
  var timeline: Timeline { get }
  var isSettledCompletely: Bool { get }
  func needDidChange()
  func addObserver(_ observer: any AsyncDataObserver)
  /// - Returns: The load that runs now, or one that has ended without an answer.
  func run(_ mode: LoadMode, when condition: LoadCondition, isolation: isolated any Actor) -> LoadRun
  func untilSettled(isolation: isolated any Actor) async
}

extension AsyncResource: CombinedPart {
  var hasError: Bool { data.context.error != nil }
  var revision: DataRevision { data.revision }
  var timeline: Timeline { data.timeline }
  var isSettledCompletely: Bool { data.isSettledCompletely }
  func addObserver(_ observer: any AsyncDataObserver) { data.addObserver(observer) }
  func needDidChange() { data.needDidChange() }

  func run(_ mode: LoadMode, when condition: LoadCondition, isolation: isolated any Actor) -> LoadRun {
    request(mode, when: condition, isolation: isolation).load ?? Load<Value>(endedWith: .ended(.cancelled))
  }

  func untilSettled(isolation: isolated any Actor) async { await data.untilSettled(isolation: isolation) }
}
