// SPDX-License-Identifier: MIT
// Several resources on one screen: data that are what the resources are together, and a request of all of them.

extension AsyncHost {
  /// A host that displays several resources together: content when all have a value, loading while one is missing.
  ///
  /// ```swift
  /// let host = AsyncHost(articles, weather) { status in
  ///   switch status {
  ///   case .loading: [spinner]
  ///   case .error(let error): [Message("\(error)")]
  ///   case .data((let articles, let weather)): [List(articles), Sky(weather)]
  ///   case .noData: [Message("Nothing here")]
  ///   }
  /// }
  /// ```
  ///
  /// ``start(when:isolation:)``, ``refresh(isolation:)`` and ``reload(isolation:)`` request all resources, and the handle ends
  /// when all requests have ended. What the host displays is what `zip` makes of the snapshots. The host's ``data`` only
  /// follow the resources: to cancel, reset or invalidate them does it to each resource. Values and errors are written to
  /// those, which have the delegates, too.
  ///
  /// - Parameters:
  ///   - first: A resource to display.
  ///   - second: Another one.
  ///   - others: All others.
  ///   - policy: Decides about the status where there is a choice.
  ///   - pacer: Keeps the indicator from flickering; nil: each status is displayed at once.
  ///   - animator: Runs the container's animations.
  ///   - children: The children of a status, from bottom to top. Leave it out if a ``presenter`` displays everything.
  public convenience init<First, Second, each Other>(
    _ first: AsyncResource<First>, _ second: AsyncResource<Second>, _ others: repeat AsyncResource<each Other>,
    policy: DisplayPolicy<Value> = DisplayPolicy(), pacer: DisplayPacer? = nil,
    animator: any TransitionAnimator = ImmediateAnimator.shared,
    children: ((AsyncStatus<Value>) -> [any ChildController])? = nil
  ) where Value == (First, Second, repeat each Other) {
    var parts: [any CombinedPart] = [first, second]
    repeat parts.append(each others)
    let combination = Combination(
      parts,
      snapshot: { zip(first.data.facts, second.data.facts, repeat (each others).data.facts) },
      answer: { runs in
        var runs = runs.makeIterator()
        func answer<Part>(of resource: AsyncResource<Part>) -> AsyncSnapshot<Part> {
          AsyncSnapshot(value: runs.next().flatMap { resource.data.typed($0).answer })
        }
        return zip(answer(of: first), answer(of: second), repeat answer(of: each others)).value
      })
    self.init(combination.data, .combination(combination), policy, pacer, animator, children)
  }
}

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
    data.requiredExtras.parts = self
    for part in parts { part.addObserver(self) }
  }

  /// Requests all parts.
  ///
  /// - Parameters:
  ///   - isReplacing: Whether requests that run are superseded.
  ///   - condition: Which parts are requested at all.
  func request(
    _ mode: LoadMode, replacing isReplacing: Bool, when condition: LoadCondition, isolation: isolated any Actor
  ) -> LoadTask<Value> {
    let runs = parts.map { $0.run(mode, replacing: isReplacing, when: condition, isolation: isolation) }
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
    data.follow(snapshot(), revision, forced: isForced)
  }

  func reloadRequested() -> Bool { data.requestReload() }
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
  var isSettledCompletely: Bool { get }
  func addObserver(_ observer: any AsyncDataObserver)
  /// - Returns: The load that runs now, or one that has ended without an answer.
  func run(
    _ mode: LoadMode, replacing isReplacing: Bool, when condition: LoadCondition, isolation: isolated any Actor
  ) -> LoadRun
  func untilSettled(isolation: isolated any Actor) async
}

extension AsyncResource: CombinedPart {
  var hasError: Bool { data.context.error != nil }
  var revision: DataRevision { data.revision }
  var isSettledCompletely: Bool { data.isSettledCompletely }
  func addObserver(_ observer: any AsyncDataObserver) { data.addObserver(observer) }

  func run(
    _ mode: LoadMode, replacing isReplacing: Bool, when condition: LoadCondition, isolation: isolated any Actor
  ) -> LoadRun {
    request(mode, replacing: isReplacing, when: condition, isolation: isolation).load
      ?? Load<Value>(endedWith: .ended(.cancelled))
  }

  func untilSettled(isolation: isolated any Actor) async { await data.untilSettled(isolation: isolation) }
}
