/// The part of an ``AsyncData`` that does not depend on the type of its value: its record, the requests, the
/// observers, and the changes that have not been delivered.
///
/// Invariants: a load in `order` has an activity in the record; a page request in `order` is marked as running there.
struct DataCore {
  private(set) var record: DataRecord
  /// The requests. One that is in here is current; a change takes it out and ends it in the same step.
  var order = LoadOrder()
  private(set) var tracking = Tracking<AsyncDataParts>()
  private var observers: [WeakObserver] = []

  private var pending: [Delivery] = []
  /// How many of these were taken.
  private var takenCount = 0
  /// The operations that have not returned, those of superseded loads included.
  var operationCount: Int32 = 0
  private var turn = DeliveryTurn.free
  /// The turn between deliveries.
  private var rest = DeliveryTurn.free

  init(_ context: SnapshotContext, hasValue: Bool) {
    record = DataRecord(context: context, hasValue: hasValue)
  }

  /// What a change ends.
  enum Reach {
    case nothing
    /// One request.
    case only(LoadRun)
    /// A page request that is answered. If its page evicts those at the other edge, a request there is superseded: its
    /// cursor is that of a page which is removed.
    case arrival(of: LoadRun, evicting: LoadRun?)
    /// The running load, the waiting one, and page requests.
    case requests
    /// All requests, and the changes that are not decided.
    case everything
  }

  /// What a change took out of the data, to be ended when the new state stands.
  struct Step: ~Copyable {
    let ended: LoadOrder.Ended
    /// The page request whose edge was evicted.
    var evicted: LoadRun?
    /// The delay of a followed key, if the change ends it.
    var delay: Alarm?
    /// The undecided changes, if they were dropped, or have forgotten the load that has ended.
    var patches: FormerPatches?
    let dropsPatches: Bool
    /// The number that a journal gave the change; zero without one.
    var number = 0

    /// - Parameter ending: Nil if the requests were closed before.
    consuming func end(_ ending: LoadEnding?) {
      if let ending { ended.close(ending) }
      evicted?.close(.ended(.superseded))
      ended.finish()
      evicted?.finish()
      delay?.cancel()
      if dropsPatches { patches?.supersede() }
    }
  }

  /// Makes a change. No user code runs in here.
  ///
  /// - Returns: Nil if the writer is not current any more, and nothing has changed.
  mutating func change(
    ending reach: Reach, starting load: LoadRun?, by writer: LoadRun?, hasValue: Bool?,
    _ apply: (inout DataRecord) -> Void
  ) -> Step? {
    if let writer, !writer.isCurrent { return nil }
    // A reader of Observation, which is notified before the change, may have ended a load that was about to begin.
    if let load, !load.isCurrent { return nil }
    if let hasValue { record.noteValue(hasValue) }
    apply(&record)
    if record.context.validity == .invalidatedDuringLoad { order.markOutdated() }
    let ended: LoadOrder.Ended
    var evicted: LoadRun?
    var dropsPatches = false
    switch reach {
    case .nothing:
      ended = .none
    case .only(let run):
      ended = order.take(run)
    case .arrival(let run, let other):
      ended = order.take(run)
      if let other { _ = order.take(other) }
      evicted = other
    case .requests:
      ended = load.map { order.takeAll(for: $0) } ?? order.takeAll()
      if let load { ended.handOverFollowers(to: load) }
    case .everything:
      ended = order.takeAll()
      dropsPatches = true
    }
    if let load { order.begin(load) }
    assert(order.running == nil || record.context.isRunning, "A load that runs is an activity of the data.")
    return Step(ended: ended, evicted: evicted, dropsPatches: dropsPatches)
  }

  /// These parts are read now.
  mutating func noteRead(_ parts: AsyncDataParts) {
    tracking.access(parts)
  }

  // MARK: Delivering

  /// A change that is to be delivered.
  struct Delivery {
    let isForced: Bool
    /// The number that a journal gave the change; zero without one.
    var number: Int
  }

  /// A change is being delivered. Those made meanwhile are delivered after it, in order.
  var isNotifying: Bool { turn == .busy }

  /// A journal records the changes from now on. What waits for its delivery has no entry there.
  mutating func beginRecording() {
    for index in pending.indices { pending[index].number = 0 }
    rest = .recorded
    if turn == .free { turn = .recorded }
  }

  /// Begins a delivery in the usual way.
  ///
  /// - Returns: Whether it could be begun: no other one is under way, and no journal records.
  mutating func beginDelivery() -> Bool {
    guard turn == .free else { return false }
    turn = .busy
    return true
  }

  /// Begins a delivery in any case.
  ///
  /// - Returns: Whether to deliver the change now. If not, the delivery that is under way does.
  mutating func begin(_ delivery: Delivery) -> Bool {
    if isNotifying {
      pending.append(delivery)
      return false
    }
    turn = .busy
    return true
  }

  /// - Returns: The oldest change that was made during the delivery and is not delivered; nil at the end.
  mutating func takePending() -> Delivery? {
    guard !pending.isEmpty else {
      turn = rest
      return nil
    }
    let delivery = pending[takenCount]
    takenCount += 1
    if takenCount == pending.count {
      pending.removeAll(keepingCapacity: takenCount < 64)
      takenCount = 0
    }
    return delivery
  }
}

// MARK: - Observers

/// Is notified of each change of an ``AsyncData``, with the flag that ``AsyncData/observed`` does not carry.
///
/// This is what hosts use, so that `delegate` stays the user's.
protocol AsyncDataObserver: AnyObject {
  /// Called after the observers of ``AsyncData/observed`` and before the delegate.
  func dataDidChange(forced: Bool)

  /// A reload control was used, and the data have no delegate.
  ///
  /// - Returns: Whether the observer reloads the data. If so, no other observer is called.
  func reloadRequested() -> Bool
}

extension DataCore {
  private struct WeakObserver {
    weak var observer: (any AsyncDataObserver)?

    var loaded: (any AsyncDataObserver)? {
      mutating get { observer }
    }
  }

  mutating func addObserver(_ observer: any AsyncDataObserver) {
    // While a notification walks through the list, places must stay where they are.
    observers.append(WeakObserver(observer: observer)) { [isNotifying] in !isNotifying && $0.observer == nil }
  }

  mutating func removeObserver(_ observer: any AsyncDataObserver) {
    for index in observers.indices where observers[index].observer === observer {
      observers[index].observer = nil
    }
  }

  /// The number of places in the list. One that is added during a notification is notified of the next change.
  var observerCount: Int { observers.count }

  /// The observer at a place; nil if it was removed or released, or if the list is shorter by now.
  ///
  /// Mutating, because a weak reference is read in its place; from a constant it would be copied first.
  mutating func observer(at place: Int) -> (any AsyncDataObserver)? {
    observers.indices.contains(place) ? observers[place].loaded : nil
  }
}
