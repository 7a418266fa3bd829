/// Objects that are not in use at the moment, by what they are good for.
public final class ReusePool<Key: Hashable, Element: AnyObject> {
  private let capacityPerKey: Int
  private var idle: [Key: [Element]] = [:]
  private var idleObjects: Set<ObjectIdentifier> = []

  /// An empty pool.
  ///
  /// - Parameter capacityPerKey: How many objects are kept for each key at most. Less than zero is zero.
  public init(capacityPerKey: Int = .max) {
    self.capacityPerKey = max(capacityPerKey, 0)
  }

  /// Takes out an object that was recycled for `key`, the last one first, or makes one.
  public func dequeue(_ key: Key, orMake make: () -> Element) -> Element {
    guard let element = idle[key]?.popLast() else { return make() }
    idleObjects.remove(ObjectIdentifier(element))
    return element
  }

  /// Takes back an object that is not in use any more. Past the capacity it is let go.
  ///
  /// Recycling an object that is in the pool stops with a message, because it would be handed out to two users.
  public func recycle(_ element: Element, for key: Key) {
    guard !idleObjects.contains(ObjectIdentifier(element)) else {
      // Not a precondition: a release build would stop without the message.
      fatalError(
        """
        AsyncState: an object was recycled that is in the ReusePool already (a \(type(of: element)), for the key \
        \(key)). It would be handed out twice, and show two rows at once. Recycle each object once after each dequeue.
        """)
    }
    guard count(for: key) < capacityPerKey else { return }
    idle[key, default: []].append(element)
    idleObjects.insert(ObjectIdentifier(element))
  }

  /// Lets go of all objects.
  public func drain() {
    idle = [:]
    idleObjects = []
  }

  /// How many objects wait for `key`.
  public func count(for key: Key) -> Int {
    idle[key]?.count ?? 0
  }
}
