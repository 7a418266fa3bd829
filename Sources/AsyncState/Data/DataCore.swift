// SPDX-License-Identifier: MIT
/// The part of an ``AsyncData`` that does not depend on the type of its value: its record, the requests, the
/// observers, and the changes that have not been delivered.
///
/// Invariants: a load in `order` has an activity in the record; a page request in `order` is marked as running there.
@usableFromInline
struct DataCore {
  // In this order they take the least room.
  private(set) var record: DataRecord
  /// True if an optimistic change was removed, and the value has not been read since.
  @usableFromInline var isDisplayOutdated = false
  /// True while code of the user's computes something from the data.
  @usableFromInline var isComputing = false
  /// True if observers were added during a notification, when places must stay where they are.
  private(set) var hasNewObservers = false
  /// The parts that have changed, and are still to be reported to Observation.
  private var changedParts: AsyncDataParts = []
  /// The number of changes that have happened, while what follows them has not.
  var settlingCount: Int16 = 0
  /// The number of operations that have not returned, also of superseded loads.
  var operationCount: Int32 = 0
  /// The requests. Each of them is current; a change takes it out and ends it in the same step.
  var order = LoadOrder()
  private(set) var tracking = Tracking<AsyncDataParts>()
  private var observers: [WeakObserver] = []
  var features = DataFeatures()
  /// The number of times that all requests, and those that follow by themselves, have ended.
  private(set) var endCount: UInt32 = 0
  /// Changes that are made during a delivery are delivered after it, in order.
  private var deliveries = Turn<Delivery>()
  #if DEBUG
    /// The number of events that have happened, and are still to be delivered.
    private var openSteps = 0
  #endif

  init(_ context: SnapshotContext) {
    record = DataRecord(context: context)
  }

  /// Applies an event: the record changes, and the requests that the event ends are over. No user code runs in here.
  ///
  /// - Parameters:
  ///   - ends: The ends that the event brings about.
  ///   - request: The current request that the event is about, or that begins with it; nil for all others.
  ///   - hasValue: True if there is a value from now on; nil if the value is not written.
  mutating func change(_ event: DataEvent, _ ends: DataEnds, for request: LoadRun?, hasValue: Bool?) -> DataStep {
    assertNotComputing()
    let isForced = event.isForced(isValueSet: record.context.isValueSet)
    let former = record.context.objects
    if tracking.isRead { applyTracked(event, hasValue: hasValue) } else { record.apply(event, hasValue: hasValue) }
    if record.context.validity == .invalidatedDuringLoad { order.markOutdated() }
    let ended: LoadOrder.Ended
    switch ends {
    case .nothing:
      ended = .none
    case .request(let ending):
      ended = order.take(request)
      ended.close(ending)
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
    assert(order.running == nil || record.context.activity != nil, "A load that runs is an activity of the data.")
    noteStep(1)
    var step = DataStep(ended: ended, isForced: isForced, former: former)
    if !features.isEmpty { features.take(event, ends, of: request, record, in: &step) }
    return step
  }

  @inline(never)
  private mutating func applyTracked(_ event: DataEvent, hasValue: Bool?) {
    let former = record
    record.apply(event, hasValue: hasValue)
    changedParts.formUnion(former.partsChanged(to: record))
  }

  /// Notes whether the invalidation was made before or after the running load read its inputs.
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

  /// Asserts that each event that has happened is delivered.
  func assertDelivered() {
    #if DEBUG
      assert(openSteps == 0, "An event has happened, and was not delivered.")
    #endif
  }

  /// Notes a read of these parts.
  mutating func noteRead(_ parts: AsyncDataParts) {
    tracking.access(parts)
  }

  // MARK: Delivering

  /// A change that is still to be delivered.
  struct Delivery {
    let isForced: Bool
    /// The object that calls the observers of the change; nil: the data.
    var caller: (any DeliveryCaller)?
    /// The number that the caller gave the change.
    let number: Int
  }

  /// Removes the caller of waiting deliveries, because another one takes its place, which does not know these changes.
  mutating func removeCallers() {
    deliveries.updateWaiting { $0.caller = nil }
  }

  /// - Returns: True if the caller must deliver the change now. If not, the delivery in progress does.
  mutating func begin(_ delivery: Delivery) -> Bool { deliveries.begin(with: delivery) }

  /// - Returns: The oldest change that was made during the delivery and is not delivered; nil at the end.
  mutating func takePending() -> Delivery? { deliveries.next() }

  var hasChangedParts: Bool { !changedParts.isEmpty }

  /// Takes out the parts that were not reported to Observation.
  mutating func takeChangedParts() -> AsyncDataParts {
    defer { changedParts = [] }
    return changedParts
  }

  /// True while a change is being delivered.
  var isNotifying: Bool { deliveries.isTaken }
}

/// An event that has happened, and is still to be delivered: the parts that it took out of the data, and the details of its
/// delivery.
@usableFromInline
struct DataStep: ~Copyable {
  /// Requests that were closed.
  let ended: LoadOrder.Ended
  /// Passed on to the delegate and to hosts.
  let isForced: Bool
  /// The previous content of the record.
  let former: SnapshotContext.Objects
  /// The parts that features have lost.
  private var lost: [any LostPart] = []
  /// The object that calls the observers; nil: the data.
  var caller: (any DeliveryCaller)?
  /// The number that the caller gave the event.
  var number = 0

  init(ended: LoadOrder.Ended, isForced: Bool, former: SnapshotContext.Objects) {
    self.ended = ended
    self.isForced = isForced
    self.former = former
  }

  /// Cancels the tasks of the ended requests, resumes their callers, and ends the lost parts.
  func finish() {
    ended.finish()
    for part in lost { part.finish() }
  }

  /// Keeps a part that a feature has lost. It is ended when the data is consistent, and released when everything is delivered.
  mutating func lose(_ part: any LostPart) {
    lost.append(part)
  }
}

/// Calls the observers of a change, to record its effects.
protocol DeliveryCaller: AnyObject {
  /// Calls `body`, which notifies the observers of the change with this number.
  func notifying(of number: Int, _ body: () -> Void)
}

// MARK: - Observers

/// Is notified of each change of an ``AsyncData``, with the flag that ``AsyncData/observed`` does not carry.
///
/// Hosts use this, so that `delegate` stays the user's.
protocol AsyncDataObserver: AnyObject {
  /// Called after the observers of ``AsyncData/observed`` and before the delegate.
  func dataDidChange(forced: Bool)

  /// Called when a reload control was used, and the data has no delegate.
  ///
  /// - Returns: True if the observer reloads the data. If so, no other observer is called.
  func reloadRequested() -> Bool

  /// True while it displays the data to a person.
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

  /// Removes released observers after a notification in which observers were added.
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
