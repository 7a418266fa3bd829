/// Those who observe one node, in the order in which they registered.
///
/// Calling a closure out of an array retains and releases what it holds, which takes four times as long as the call. So
/// each observer is an object of its own that is held here once, by hand, while it is on the list: its closure is then
/// called without counting. Who leaves in the middle of a round is only silenced, and let go of when the round is over;
/// so what is being called is never let go of. Who has a list empties it before it goes.
@usableFromInline
struct ObserverList<Value> {
  @usableFromInline
  final class Observer {
    @usableFromInline let body: (Value) -> Void
    /// Whether it is still to be called.
    @exclusivity(unchecked) @usableFromInline var isLive = true

    @inlinable
    init(_ body: @escaping (Value) -> Void) {
      self.body = body
    }
  }

  @usableFromInline
  struct Place {
    @usableFromInline let order: Int
    /// Nil where somebody has left. The place stays until no index into the list can be in use.
    @usableFromInline var observer: Unmanaged<Observer>?

    @inlinable
    init(order: Int, observer: Unmanaged<Observer>) {
      self.order = order
      self.observer = observer
    }
  }

  /// In ascending order.
  @usableFromInline var places: [Place] = []

  /// How many are there and have not been silenced.
  @usableFromInline var liveCount = 0

  @inlinable
  init() {}

  @usableFromInline var firstOrder: Int { places.first?.order ?? 0 }

  @inlinable
  mutating func append(_ body: @escaping (Value) -> Void, order: Int) {
    places.append(Place(order: order, observer: .passRetained(Observer(body))))
    liveCount += 1
  }

  /// Calls one observer, if it is still there.
  func tell(_ value: Value, only order: Int) {
    guard let index = index(of: order) else { return }
    places[index].observer?._withUnsafeGuaranteedRef { if $0.isLive { $0.body(value) } }
  }

  /// The orders of those who are there, up to `last`.
  func orders(upTo last: Int) -> [Int] {
    places.lazy.filter { $0.order <= last && $0.observer?.takeUnretainedValue().isLive == true }.map(\.order)
  }

  // MARK: Leaving

  /// Silences an observer.
  ///
  /// - Returns: Whether it was there.
  mutating func silence(_ order: Int) -> Bool {
    guard let index = index(of: order), let observer = places[index].observer?.takeUnretainedValue(), observer.isLive
    else { return false }
    observer.isLive = false
    liveCount -= 1
    return true
  }

  /// Takes out a silenced observer. Whoever holds the result last lets go of what its closure holds.
  mutating func remove(_ order: Int) -> Observer? {
    guard let index = index(of: order), let observer = places[index].observer.take() else { return nil }
    closeGaps()
    return observer.takeRetainedValue()
  }

  /// Takes out all who were silenced.
  mutating func removeSilenced() -> [Observer] {
    var silenced: [Observer] = []
    for index in places.indices {
      guard let observer = places[index].observer, !observer.takeUnretainedValue().isLive else { continue }
      silenced.append(observer.takeRetainedValue())
      places[index].observer = nil
    }
    closeGaps()
    return silenced
  }

  /// Takes out everybody.
  mutating func removeAll() -> [Observer] {
    let all = places.compactMap { $0.observer?.takeRetainedValue() }
    places = []
    liveCount = 0
    return all
  }

  /// As soon as it is cheap: half of the places are vacant.
  private mutating func closeGaps() {
    if liveCount * 2 < places.count { places.removeAll { $0.observer == nil } }
  }

  private func index(of order: Int) -> Int? {
    var low = 0
    var high = places.count
    while low < high {
      let middle = (low + high) / 2
      if places[middle].order < order { low = middle + 1 } else { high = middle }
    }
    return low < places.count && places[low].order == order ? low : nil
  }
}
