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
  /// ``load(isolation:)``, ``refresh(isolation:)`` and ``reload(isolation:)`` request all resources, and the handle ends
  /// when all requests have ended. What the host displays is what `zip` makes of the snapshots. The host's ``data`` only
  /// follow the resources: write to those, and use their data's delegates.
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
    var parts: [any CombinedPart] = [Part(first), Part(second)]
    repeat parts.append(Part(each others))
    let combination = Combination<Value>(
      parts,
      snapshot: { zip(first.data.facts, second.data.facts, repeat (each others).data.facts) },
      answer: { runs in
        var runs = runs.makeIterator()
        func answer<Part>(_ type: Part.Type) -> AsyncSnapshot<Part> {
          AsyncSnapshot(value: (runs.next() as? Load<Part>)?.answer)
        }
        return zip(answer(First.self), answer(Second.self), repeat answer((each Other).self)).value
      })
    self.init(
      combination.data, .combination(combination), policy, pacer, animator, children, react: { $0.update(forced: $1) })
  }
}

/// Several resources as one.
@usableFromInline
final class Combination<Value> {
  /// Always what the parts are together.
  let data: AsyncData<Value>

  private let parts: [any CombinedPart]
  private let snapshot: () -> AsyncSnapshot<Value>
  /// The answers of the parts' loads; nil if there is not a value of each.
  private let answer: ([LoadRun]) -> Value?
  private var writes = DataRevision()
  /// The part whose error is displayed, and how often that had been written.
  private var error: (part: Int, writes: UInt32)?
  /// The last request.
  private weak var last: Load<Value>?

  init(
    _ parts: [any CombinedPart], snapshot: @escaping () -> AsyncSnapshot<Value>,
    answer: @escaping ([LoadRun]) -> Value?
  ) {
    self.parts = parts
    self.snapshot = snapshot
    self.answer = answer
    data = AsyncData(snapshot: snapshot())
    for part in parts {
      part.observe { [weak self] isForced in
        self?.follow(forced: isForced)
      } reload: { [weak self] in
        self?.data.requestReload() ?? false
      }
    }
  }

  /// A part has changed.
  private func follow(forced isForced: Bool) {
    var writes = DataRevision(error: self.writes.error)
    for part in parts {
      writes.value &+= part.writes.value
      writes.key &+= part.writes.key
    }
    // The error that is displayed is the one of the first part that has one. Those of others are no news.
    let error = parts.firstIndex { $0.hasError }.map { (part: $0, writes: parts[$0].writes.error) }
    if error?.part != self.error?.part || error?.writes != self.error?.writes { writes.error &+= 1 }
    self.error = error
    self.writes = writes
    data.follow(snapshot(), writes, forced: isForced)
  }

  func reset() {
    for part in parts { part.reset() }
  }

  /// Requests all parts.
  func request(_ mode: LoadMode, isolation: isolated any Actor) -> LoadTask<Value> {
    let runs = parts.map { $0.start(mode, isolation: isolation) }
    let load = Load<Value>(of: runs)
    last = load
    load.state.task = Task { [answer] in
      for run in runs { await run.wait(isolation: isolation) }
      load.answer = answer(runs)
      load.close(LoadEnding(of: runs))
      load.finish()
    }
    return LoadTask(load)
  }

  /// The handle of the last request, if it runs; else of one that has ended with what the data hold.
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

extension LoadEnding {
  /// How several loads ended together: the first failure, else answered if all are, else superseded if one is.
  fileprivate init(of runs: [LoadRun]) {
    self = .answered
    for run in runs {
      switch (run.state.ending, self) {
      case (.failed, _):
        self = run.state.ending!
        return
      case (.ended(.superseded), _), (.ended, .answered): self = run.state.ending!
      default: break
      }
    }
  }
}

/// A resource, without the type of its value.
protocol CombinedPart: AnyObject {
  var hasError: Bool { get }
  var writes: DataRevision { get }
  var isSettledCompletely: Bool { get }
  func observe(_ didChange: @escaping (_ isForced: Bool) -> Void, reload: @escaping () -> Bool)
  func reset()
  func start(_ mode: LoadMode, isolation: isolated any Actor) -> LoadRun
  func untilSettled(isolation: isolated any Actor) async
}

private final class Part<Value>: CombinedPart, AsyncDataObserver {
  private let resource: AsyncResource<Value>
  private var didChange: (_ isForced: Bool) -> Void = { _ in }
  private var reload: () -> Bool = { false }

  init(_ resource: AsyncResource<Value>) {
    self.resource = resource
  }

  var hasError: Bool { resource.data.facts.error != nil }
  var writes: DataRevision { resource.data.revision }
  var isSettledCompletely: Bool { resource.data.isSettledCompletely }

  func observe(_ didChange: @escaping (_ isForced: Bool) -> Void, reload: @escaping () -> Bool) {
    self.didChange = didChange
    self.reload = reload
    resource.data.addObserver(self)
  }

  func reset() { resource.reset() }
  func start(_ mode: LoadMode, isolation: isolated any Actor) -> LoadRun {
    resource.start(mode, isolation: isolation).load
  }
  func untilSettled(isolation: isolated any Actor) async { await resource.data.untilSettled(isolation: isolation) }

  func dataDidChange(forced isForced: Bool) { didChange(isForced) }
  func reloadRequested() -> Bool { reload() }
}
