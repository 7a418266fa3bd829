// SPDX-License-Identifier: MIT
public import AsyncStateJournal
public import AsyncState

// Data and resources in a replay.

/// Data whose loads and other changes are carried out by hand.
private final class ReplayedData<Value>: ReplayedSubject {
  private let data: AsyncData<Value>
  private let resource: AsyncResource<Value>?
  private let value: (StateJournal.Entry) -> Value?
  private let error: (String) -> any Error

  /// The loads that the replay has begun: they would end with their handles.
  private var loads: [PendingLoad<Value>] = []
  /// The optimistic changes that are not decided, by the numbers of their entries.
  private var changes: [Int: UndecidedChange<Value>] = [:]
  /// Those that are being displayed, by the same numbers: their observers are called.
  private var displaying: [Int] = []

  init(
    _ data: AsyncData<Value>, _ resource: AsyncResource<Value>?, _ error: @escaping (String) -> any Error,
    _ value: @escaping (StateJournal.Entry) -> Value?
  ) {
    self.data = data
    self.resource = resource
    self.value = value
    self.error = error
  }

  // MARK: Attaching

  override func attach(
    to journal: StateJournal, _ name: String, before steps: [StateJournal.Entry], isolation: isolated any Actor
  ) {
    if let first = steps.first { prepare(for: first, steps, isolation) }
    journal.attach(data, name: name, isolation: isolation)
  }

  /// Brings data that nothing has happened to into the state in which the recorded ones were.
  private func prepare(
    for first: StateJournal.Entry, _ steps: [StateJournal.Entry], _ isolation: isolated any Actor
  ) {
    guard StateJournal.DataKind(data.snapshot) == StateJournal.DataKind() else { return }
    if case .attached(let kind?) = first.event {
      if kind.isValueSet { data.value = value(first) }
      if kind.hasError { data.error = error("an error from before the recording") }
      if kind.isInvalidated { data.invalidate() }
      if kind.isRunning { loads.append(data.begin(isolation: isolation)) }
    } else if steps.first(where: { $0.event.isOfLoad }).map({ !$0.event.isStartOfLoad }) == true {
      // The recording begins while a load runs.
      loads.append(data.begin(isolation: isolation))
    }
  }

  // MARK: Carrying out

  override func isAnswer(
    _ step: StateJournal.Entry, to cause: StateJournal.Entry, in replay: Replay
  ) -> Bool {
    guard cause.subject == step.subject else { return false }
    switch step.event.role {
    case .reports(let span):
      let beginning = replay.past.last {
        $0.subject == step.subject && ($0.event.role == .begins(span) || $0.isAttachment)
      }
      return beginning?.number == cause.number
    case .begins: return false
    // What supersedes a load is carried out in its place.
    case .ends: return step.event != .loadSuperseded && step.ends == cause.number
    case .other: return step.ends == cause.number
    }
  }

  override func hasWaited(
    _ step: StateJournal.Entry, since cause: StateJournal.Entry, in replay: Replay
  ) -> Bool {
    guard cause.subject == step.subject, step.event.isStartOfLoad else { return false }
    // For the delay of the key.
    if cause.event == .keyChanged { return true }
    // For the end of a load that was too old for calls that were made meanwhile.
    guard cause.event.role == .ends(.load) else { return false }
    let since = replay.past.reversed().drop { $0.number >= cause.number }.prefix { $0.number > cause.ends ?? 0 }
    return since.contains { $0.subject == step.subject && $0.event.isInvalidation }
  }

  override func isByObserver(_ step: StateJournal.Entry, of cause: StateJournal.Entry) -> Bool {
    // A new key is the resource's own business, and so may be a load after another one.
    if step.event == .keyChanged || step.event == .keyRemoved { return false }
    return !(cause.subject == step.subject && step.event.isStartOfLoad)
  }

  override func action(of step: StateJournal.Entry, in replay: Replay) -> StateJournal.Entry {
    // Ends of requests and removals of changes stand before what has ended them.
    guard step.event.isReplacement, let next = replay.successor(of: step) else { return step }
    switch (step.event, next.event) {
    case (.loadSuperseded, _), (.pageSuperseded, _): return next
    // A cancel has ended the delay of a key.
    case (.loadCancelled, _) where step.ends == nil: return step
    case (_, .reset), (_, .forgotten), (.patchRemoved, .valueSet), (.patchRemoved, .keyChanged),
      (.patchRemoved, .keyRemoved):
      let together = [step] + replay.following.prefix { $0.number < next.number }
      return removesAllChanges(together.drop { !$0.isRemoval }) ? next : step
    // Cancelled, or removed, by a call of its own.
    default: return step
    }
  }

  /// Whether one call has made these entries, which removes all changes.
  private func removesAllChanges(_ removals: some Collection<StateJournal.Entry>) -> Bool {
    // The ends of requests stand before the removals, so what follows was ended by another call.
    guard removals.allSatisfy(\.isRemoval) else { return false }
    // All of them, in order: one that was cancelled before its commit began is removed alone. With one cause they were
    // removed together, and a text does not say which of them is whose.
    let removed = removals.compactMap(\.ends)
    let undecided = (changes.filter { $0.value.isUndecided }.keys + displaying).sorted()
    let haveOneCause = removals.allSatisfy { $0.cause == removals.first?.cause }
    return (haveOneCause ? removed.sorted() : removed) == undecided
  }

  override func carryOut(
    _ step: StateJournal.Entry, in replay: Replay, isolation: isolated any Actor
  ) -> String? {
    switch step.event {
    case .loadStarted(let mode): start(mode, replay, isolation)
    case .keyMissing:
      guard let resource else { return apply(step) }
      if !startHost(replay, isolation) { resource.start(isolation: isolation) }
    case .loadCancelled where step.cause == nil: data.cancel()
    case .pageCancelled where step.cause == nil: data.cancel()
    case .patched:
      let shown = value(step)
      displaying.append(step.number)
      changes[step.number] = data.display { if let shown { $0 = shown } }
      displaying.removeLast()
    case .patchConfirmed(let isOutdated): return decide(step) { $0.confirm(isOutdated: isOutdated) }
    case .patchRemoved(let isOutdated): return decide(step) { $0.remove(isFailure: isOutdated) }
    case .pageStarted(let edge): data.beginPage(at: PageEdge(edge), isolation: isolation)
    default: return apply(step)
    }
    return nil
  }

  private func start(_ mode: LoadMode, _ replay: Replay, _ isolation: isolated any Actor) {
    if startHost(replay, isolation), data.isRunning { return }
    guard let resource else {
      loads.append(data.begin(mode, isolation: isolation))
      return
    }
    if mode == .reload {
      resource.reload(isolation: isolation)
    } else {
      resource.refresh(replacing: data.hasRunningLoad, isolation: isolation)
    }
  }

  /// Starts a host that displays loading from the beginning, and so has no new status when it requests.
  ///
  /// - Returns: Whether there is one.
  private func startHost(_ replay: Replay, _ isolation: isolated any Actor) -> Bool {
    guard let host = replay.host(of: data), !host.hasStarted else { return false }
    host.start(isolation: isolation)
    return true
  }

  private func apply(_ step: StateJournal.Entry) -> String? {
    guard let event = DataEvent(recordedAs: step.event, at: data.now, error: error) else {
      return "A replay cannot repeat this: leave such entries out of the recording."
    }
    return data.apply(recorded: event, to: step.event.request, value: { value(step) })
  }

  private func decide(_ step: StateJournal.Entry, _ body: (UndecidedChange<Value>) -> Void) -> String? {
    guard let change = changes.removeValue(forKey: step.ends ?? 0) else {
      return "The optimistic change was not made by the replay."
    }
    body(change)
    return nil
  }
}

extension StateJournal.Event {
  /// The request that it is about, if it is not made by hand.
  fileprivate var request: RecordedRequest? {
    switch role {
    case .reports(.load), .ends(.load): .load
    case .reports(.page(let edge)), .ends(.page(let edge)): .page(PageEdge(edge))
    case .begins, .reports, .ends, .other: nil
    }
  }

  fileprivate var isStartOfLoad: Bool { role == .begins(.load) }

  /// A load that runs is too old for calls from now on.
  fileprivate var isInvalidation: Bool {
    [.invalidated, .patchConfirmed(isOutdated: true), .patchRemoved(isOutdated: true)].contains(self)
  }

  fileprivate var isOfLoad: Bool { [.begins(.load), .ends(.load), .reports(.load)].contains(role) }

  /// It is recorded together with what has ended the request or removed the change.
  fileprivate var isReplacement: Bool {
    switch self {
    case .loadSuperseded, .loadCancelled, .pageSuperseded, .pageCancelled, .patchRemoved(isOutdated: false): true
    // The others stand before nothing that they belong to.
    default: false
    }
  }
}

extension StateJournal.Entry {
  /// A change is removed, and made nothing out of date.
  fileprivate var isRemoval: Bool { event == .patchRemoved(isOutdated: false) }
}

extension Replay {
  /// The entries right after a step and further ends of requests of its subject.
  fileprivate func successor(of step: StateJournal.Entry) -> StateJournal.Entry? {
    guard let next = following.first(where: { !($0.subject == step.subject && $0.event.isReplacement) }),
      next.subject == step.subject
    else { return nil }
    // What one step does has one cause; but from outside the removal of a change was led to by its beginning.
    return next.cause == step.cause || (next.cause == nil && step.isRemoval && step.ends == step.cause) ? next : nil
  }

  // MARK: Attaching

  /// Repeats what became of data from outside.
  ///
  /// - Parameters:
  ///   - data: The subject: new data, or such as the recorded ones were at first.
  ///   - name: The subject's name in the entries.
  ///   - error: The error with a text; a ``ReplayedError`` unless it is given.
  ///   - value: The value that was set, yielded, answered, restored or displayed, by the entry; with a page, all pages.
  public func attach<Value>(
    _ data: AsyncData<Value>, name: String, error: @escaping (String) -> any Error = Replay.error,
    value: @escaping (StateJournal.Entry) -> Value?
  ) {
    attach(ReplayedData(data, nil, error, value), name)
  }

  /// Repeats what became of a resource's data from outside. Its operation is not called while the replay runs.
  ///
  /// - Parameters:
  ///   - resource: The subject.
  ///   - name: The subject's name in the entries.
  ///   - error: The error with a text; a ``ReplayedError`` unless it is given.
  ///   - value: The value that was set, yielded, answered, restored or displayed, by the entry; with a page, all pages.
  public func attach<Value>(
    _ resource: AsyncResource<Value>, name: String, error: @escaping (String) -> any Error = Replay.error,
    value: @escaping (StateJournal.Entry) -> Value?
  ) {
    attach(ReplayedData(resource.data, resource, error, value), name)
  }

  /// The error with a text: a `LoadTimeout`, or a ``ReplayedError``.
  public static func error(_ text: String) -> any Error {
    text == "\(LoadTimeout())" ? LoadTimeout() : ReplayedError(text)
  }
}
