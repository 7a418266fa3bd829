// SPDX-License-Identifier: MIT
/// The part of an ``AsyncData`` that does not depend on the type of its value: its record, the requests, the
/// observers, and the changes that have not been delivered.
///
/// Invariants: a load in `order` has an activity in the record; a page request in `order` is marked as running there.
@usableFromInline
struct DataCore {
  private(set) var record: DataRecord
  /// An optimistic change was removed, and the value has not been read since.
  @usableFromInline var isDisplayOutdated = false
  /// The requests. One that is in here is current; a change takes it out and ends it in the same step.
  var order = LoadOrder()
  private(set) var tracking = Tracking<AsyncDataParts>()
  private var observers: [WeakObserver] = []
  /// Observers were added during a notification, when places must stay where they are.
  private(set) var hasNewObservers = false

  /// Changes that are made during a delivery are delivered after it, in order.
  private var deliveries = Turn<Delivery>()
  var features = DataFeatures()
  /// The operations that have not returned, those of superseded loads included.
  var operationCount: Int32 = 0
  /// How often all requests have ended, and what follows by itself with them.
  private(set) var endCount: UInt32 = 0
  #if DEBUG
    /// The events that have happened, and are to be delivered.
    private var openSteps = 0
  #endif

  init(_ context: SnapshotContext) {
    record = DataRecord(context: context)
  }

  /// An event happens: the record changes, and what the event ends is over. No user code runs in here.
  ///
  /// - Parameters:
  ///   - ends: What the event ends.
  ///   - request: The current request that the event is about, or that begins with it; nil for all others.
  ///   - hasValue: Whether there is a value from now on; nil if the value is not written.
  mutating func change(_ event: DataEvent, _ ends: DataEnds, for request: LoadRun?, hasValue: Bool?) -> DataStep {
    let isForced = event.isForced(isValueSet: record.context.isValueSet)
    let former = record.context.objects
    record.apply(event, hasValue: hasValue)
    if record.context.validity == .invalidatedDuringLoad { order.markOutdated() }
    let ended: LoadOrder.Ended
    switch ends {
    case .nothing:
      ended = .none
      if event.replacesWholeValue { order.markPagesOutdated() }
    case .request(let ending):
      ended = order.take(request)
      ended.close(ending)
    case .requestAndEvicted(let edge):
      ended = order.take(request, evicting: edge)
    case .requests(let end):
      endCount &+= 1
      ended = order.takeAll(for: request)
      ended.close(.ended(end))
      if let request {
        ended.handOverFollowers(to: request)
        order.begin(request)
      }
    case .everything(let end):
      endCount &+= 1
      isDisplayOutdated = false
      ended = order.takeAll()
      ended.close(.ended(end))
    }
    assert(order.running == nil || record.context.isRunning, "A load that runs is an activity of the data.")
    noteStep(1)
    var step = DataStep(ended: ended, isForced: isForced, former: former)
    if !features.isEmpty { features.take(event, ends, of: request, record, in: &step) }
    return step
  }

  /// Notes whether the invalidation came before or after the running load read its inputs.
  mutating func compareInvalidation(withLoad age: InvalidationAge) {
    guard record.context.validity != .valid, order.running != nil else { return }
    record.context.validity = age == .newer ? .invalidatedDuringLoad : .invalidated
    order.running?.state.isOutdated = age == .newer
  }

  enum InvalidationAge {
    case older
    case newer
  }

  /// Counts the steps that are not delivered, in debug builds.
  mutating func noteStep(_ change: Int) {
    #if DEBUG
      openSteps += change
    #endif
  }

  /// Each event that has happened is delivered.
  func assertDelivered() {
    #if DEBUG
      assert(openSteps == 0, "An event has happened, and was not delivered.")
    #endif
  }

  /// These parts are read now.
  mutating func noteRead(_ parts: AsyncDataParts) {
    tracking.access(parts)
  }

  // MARK: Delivering

  /// A change that is to be delivered.
  struct Delivery {
    let isForced: Bool
    /// Who calls the observers of the change; nil: the data.
    var caller: (any DeliveryCaller)?
    /// The number that the caller gave the change.
    let number: Int
  }

  /// Another one calls the observers from now on. What waits for its delivery is not known to it.
  mutating func removeCallers() {
    deliveries.updateWaiting { $0.caller = nil }
  }

  /// - Returns: Whether to deliver the change now. If not, the delivery that is under way does.
  mutating func begin(_ delivery: Delivery) -> Bool { deliveries.begin(with: delivery) }

  /// - Returns: The oldest change that was made during the delivery and is not delivered; nil at the end.
  mutating func takePending() -> Delivery? { deliveries.next() }

  /// A change is being delivered.
  var isNotifying: Bool { deliveries.isTaken }
}

/// An event that has happened, and is to be delivered: what it took out of the data, and what a delivery has to know.
@usableFromInline
struct DataStep: ~Copyable {
  /// Requests that were closed.
  let ended: LoadOrder.Ended
  /// Passed on to the delegate and to hosts.
  let isForced: Bool
  /// The former content of the record.
  let former: SnapshotContext.Objects
  /// The parts that features have lost.
  private var lost: [any LostPart] = []
  /// Who calls the observers; nil: the data.
  var caller: (any DeliveryCaller)?
  /// The number that the caller gave the event.
  var number = 0
  /// The content that was reported to Observation.
  var announced: AsyncDataParts.RawValue = 0

  init(ended: LoadOrder.Ended, isForced: Bool, former: SnapshotContext.Objects) {
    self.ended = ended
    self.isForced = isForced
    self.former = former
  }

  /// Tasks are cancelled, and callers resumed.
  func finish() {
    ended.finish()
    for part in lost { part.finish() }
  }

  /// A feature has lost this. It is ended when the data is consistent, and released when everything is delivered.
  mutating func lose(_ part: any LostPart) {
    lost.append(part)
  }
}

/// Calls the observers of a change, to know what follows from it.
protocol DeliveryCaller: AnyObject {
  /// Calls `body`, which notifies the observers of the change with this number.
  func notifying(of number: Int, _ body: () -> Void)
}

// MARK: - Observers

/// Is notified of each change of an ``AsyncData``, with the flag that ``AsyncData/observed`` does not carry.
///
/// This is what hosts use, so that `delegate` stays the user's.
protocol AsyncDataObserver: AnyObject {
  /// Called after the observers of ``AsyncData/observed`` and before the delegate.
  func dataDidChange(forced: Bool)

  /// A reload control was used, and the data has no delegate.
  ///
  /// - Returns: Whether the observer reloads the data. If so, no other observer is called.
  func reloadRequested() -> Bool

  /// A person sees the data by it.
  var isDisplaying: Bool { get }
}

extension AsyncDataObserver {
  var isDisplaying: Bool { false }
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
    hasNewObservers = isNotifying
    observers.append(WeakObserver(observer: observer)) { [isNotifying] in !isNotifying && $0.observer == nil }
  }

  /// A notification, in which observers were added, has walked through the list.
  mutating func removeReleasedObservers() {
    hasNewObservers = false
    observers.removeAll { $0.observer == nil }
  }

  mutating func removeObserver(_ observer: any AsyncDataObserver) {
    for index in observers.indices where observers[index].observer === observer {
      observers[index].observer = nil
    }
  }

  var isDisplayed: Bool { observers.contains { $0.observer?.isDisplaying == true } }

  /// The number of places in the list. One that is added during a notification is notified of the next change.
  var observerCount: Int { observers.count }

  /// The observer at a place; nil if it was removed or released, or if the list has become shorter.
  ///
  /// Mutating, because a weak reference is read in its place; from a constant it would be copied first.
  mutating func observer(at place: Int) -> (any AsyncDataObserver)? {
    observers.indices.contains(place) ? observers[place].loaded : nil
  }
}
