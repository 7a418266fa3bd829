// Several data on one screen: data that are what the parts are together, and a request of all of them.

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
    let combination = Combination.of(parts, first.data, second.data, repeat (each others).data)
    self.init(combination.data, .combination(combination), policy, pacer, animator, children)
  }

  /// A host that displays several data together, which are requested by a closure.
  ///
  /// ```swift
  /// let host = AsyncHost(
  ///   data: articles, weather,
  ///   request: { mode in
  ///     articles.start(mode) { try await service.articles() }
  ///     weather.start(mode) { try await service.weather() }
  ///   })
  /// ```
  ///
  /// The handle of a request ends when the loads have ended that run when `request` returns. Everything else is as for
  /// several resources.
  ///
  /// - Parameters:
  ///   - first: Data to display.
  ///   - second: Others.
  ///   - others: All others.
  ///   - policy: Decides about the status where there is a choice.
  ///   - pacer: Keeps the indicator from flickering; nil: each status is displayed at once.
  ///   - animator: Runs the container's animations.
  ///   - request: Requests the values: starts loads, or sets values or errors. The mode says whether what is displayed
  ///     may be hidden meanwhile.
  ///   - children: The children of a status, from bottom to top. Leave it out if a ``presenter`` displays everything.
  public convenience init<First, Second, each Other>(
    data first: AsyncData<First>, _ second: AsyncData<Second>, _ others: repeat AsyncData<each Other>,
    policy: DisplayPolicy<Value> = DisplayPolicy(), pacer: DisplayPacer? = nil,
    animator: any TransitionAnimator = ImmediateAnimator.shared,
    request: @escaping (LoadMode) -> Void,
    children: ((AsyncStatus<Value>) -> [any ChildController])? = nil
  ) where Value == (First, Second, repeat each Other) {
    var parts: [any CombinedPart] = [Part(first), Part(second)]
    repeat parts.append(Part(each others))
    let combination = Combination.of(parts, first, second, repeat each others, requestAll: request)
    self.init(combination.data, .combination(combination), policy, pacer, animator, children)
  }
}

extension Combination {
  fileprivate static func of<First, Second, each Other>(
    _ parts: [any CombinedPart], _ first: AsyncData<First>, _ second: AsyncData<Second>,
    _ others: repeat AsyncData<each Other>, requestAll: ((LoadMode) -> Void)? = nil
  ) -> Combination where Value == (First, Second, repeat each Other) {
    Combination(
      parts, requestAll,
      snapshot: { zip(first.facts, second.facts, repeat (each others).facts) },
      answer: { runs in
        var runs = runs.makeIterator()
        func answer<Part>(_ type: Part.Type) -> AsyncSnapshot<Part> {
          AsyncSnapshot(value: (runs.next() as? Load<Part>)?.answer)
        }
        return zip(answer(First.self), answer(Second.self), repeat answer((each Other).self)).value
      })
  }
}

/// Several data as one.
@usableFromInline
final class Combination<Value> {
  /// Always what the parts are together.
  let data: AsyncData<Value>

  private let parts: [any CombinedPart]
  /// Starts the loads; nil if each part is a resource and starts its own.
  private let requestAll: ((LoadMode) -> Void)?
  private let snapshot: () -> AsyncSnapshot<Value>
  /// The answers of the parts' loads; nil if there is not a value of each.
  private let answer: ([LoadRun]) -> Value?
  private var revision = DataRevision()
  /// The part whose error is displayed, and how often that had been written.
  private var error: (part: Int, revision: UInt32)?
  /// The last request.
  private weak var last: Load<Value>?

  init(
    _ parts: [any CombinedPart], _ requestAll: ((LoadMode) -> Void)?, snapshot: @escaping () -> AsyncSnapshot<Value>,
    answer: @escaping ([LoadRun]) -> Value?
  ) {
    self.parts = parts
    self.requestAll = requestAll
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
    var revision = DataRevision()
    revision.error = self.revision.error
    for part in parts {
      revision.value &+= part.revision.value
      revision.key &+= part.revision.key
    }
    // The error that is displayed is the one of the first part that has one. Those of others are no news.
    let error = parts.firstIndex { $0.hasError }.map { (part: $0, revision: parts[$0].revision.error) }
    if error?.part != self.error?.part || error?.revision != self.error?.revision { revision.error &+= 1 }
    self.error = error
    self.revision = revision
    data.follow(snapshot(), revision, forced: isForced)
  }

  /// Requests all parts.
  func request(_ mode: LoadMode, isolation: isolated any Actor) -> LoadTask<Value> {
    requestAll?(mode)
    return handle(of: parts.map { $0.request(mode, isolation: isolation) }, isolation: isolation)
  }

  /// Requests all parts, in the place of requests that run.
  func reload(isolation: isolated any Actor) -> LoadTask<Value> {
    requestAll?(.reload)
    return handle(of: parts.map { $0.reload(isolation: isolation) }, isolation: isolation)
  }

  private func handle(of runs: [LoadRun], isolation: isolated any Actor) -> LoadTask<Value> {
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

/// Data, without the type of their value.
protocol CombinedPart: AnyObject {
  var hasError: Bool { get }
  var revision: DataRevision { get }
  var isSettledCompletely: Bool { get }
  func observe(_ didChange: @escaping (_ isForced: Bool) -> Void, reload: @escaping () -> Bool)
  /// Requests the value, if that is the part's to do.
  ///
  /// - Returns: The load that runs now, or one that has ended with what the data hold.
  func request(_ mode: LoadMode, isolation: isolated any Actor) -> LoadRun
  /// The same in the place of a request that runs.
  func reload(isolation: isolated any Actor) -> LoadRun
  func untilSettled(isolation: isolated any Actor) async
}

private final class Part<Value>: CombinedPart, AsyncDataObserver {
  private let data: AsyncData<Value>
  /// Nil if the data are requested from outside.
  private let resource: AsyncResource<Value>?
  private var didChange: (_ isForced: Bool) -> Void = { _ in }
  private var reload: () -> Bool = { false }

  init(_ resource: AsyncResource<Value>) {
    data = resource.data
    self.resource = resource
  }

  init(_ data: AsyncData<Value>) {
    self.data = data
    resource = nil
  }

  var hasError: Bool { data.context.error != nil }
  var revision: DataRevision { data.revision }
  var isSettledCompletely: Bool { data.isSettledCompletely }

  func observe(_ didChange: @escaping (_ isForced: Bool) -> Void, reload: @escaping () -> Bool) {
    self.didChange = didChange
    self.reload = reload
    data.addObserver(self)
  }

  func request(_ mode: LoadMode, isolation: isolated any Actor) -> LoadRun {
    run(of: resource?.start(mode, isolation: isolation) ?? data.currentLoad)
  }
  func reload(isolation: isolated any Actor) -> LoadRun {
    run(of: resource?.reload(isolation: isolation) ?? data.currentLoad)
  }
  private func run(of task: LoadTask<Value>) -> LoadRun {
    task.load ?? Load<Value>(endedWith: .ended(.cancelled))
  }
  func untilSettled(isolation: isolated any Actor) async { await data.untilSettled(isolation: isolation) }

  func dataDidChange(forced isForced: Bool) { didChange(isForced) }
  func reloadRequested() -> Bool { reload() }
}
