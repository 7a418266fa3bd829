/// A node with a value of a known type, and those who observe it.
@usableFromInline
class ValueNode<Value>: GraphNode {
  /// The value when it was last computed; nil before the first time.
  @exclusivity(unchecked) @usableFromInline final var cached: Value?

  /// What the observers are about to hear, if that is not the value any more.
  @exclusivity(unchecked) @usableFromInline final var news: Value?

  @exclusivity(unchecked) @usableFromInline final var observers = ObserverList<Value>()

  /// An input.
  @inlinable
  init(input value: Value) {
    cached = value
    super.init(first: nil, second: nil, update: { _ in }, tell: ValueNode.tellAll)
  }

  /// A node that is derived from others.
  ///
  /// - Parameter update: Brings the sources up to date, and sets the value if it has changed. It gets this node.
  @inlinable
  init(first: GraphNode, second: GraphNode? = nil, update: @escaping Body) {
    super.init(first: first, second: second, update: update, tell: ValueNode.tellAll)
  }

  deinit {
    _ = observers.removeAll()
  }

  /// A node as what it is: closures that are made for one get no other.
  @inlinable @inline(__always)
  static func known(_ node: GraphNode) -> ValueNode {
    unsafeDowncast(node, to: ValueNode.self)
  }

  /// The value, computed anew if a source has changed.
  @inlinable
  final func read() -> Value {
    guard !isConnected else {
      refresh()
      return cached.unsafelyUnwrapped
    }
    // Connected for a moment, so that a node that is reached on several ways is asked once.
    keepConnected()
    defer { releaseConnection() }
    refresh()
    return cached.unsafelyUnwrapped
  }

  /// The value is another now.
  @inlinable
  final func set(_ value: Value) {
    // Somebody is still to hear the one before.
    if hasNews && news == nil { news = cached }
    cached = value
    version += 1
  }

  // MARK: Observers

  /// Calls `body` with the current value, and from then on with each change, until the observer is removed.
  ///
  /// - Returns: The observer's order, which is its name in this node. Zero, which is nobody's, if no change can come.
  @inlinable
  final func addObserver(_ body: @escaping (Value) -> Void) -> Int {
    observerCount += 1
    keepConnected()
    var told: Int
    repeat {
      let value = read()
      told = version
      body(value)
      refresh()
      // The first call may have written to a source of this very node: then it is heard, too.
    } while version != told
    // With others listening, what they have not heard yet is still news to them.
    if observers.liveCount == 0 { toldVersion = version }
    guard let order = nextOrder() else {
      observerCount -= 1
      releaseConnection()
      return 0
    }
    observers.append(body, order: order)
    firstOrder = observers.firstOrder
    lastOrder = order
    return order
  }

  @usableFromInline
  final override func removeObserver(_ order: Int) {
    guard observers.silence(order) else { return }
    observerCount -= 1
    guard !isEngaged else {
      hasLeavers = true
      return
    }
    // What the closure holds goes at the end, when everything here is in order again.
    let observer = observers.remove(order)
    firstOrder = observers.firstOrder
    releaseConnection()
    withExtendedLifetime(observer) {}
  }

  @usableFromInline
  final override func letGoOfLeavers() {
    hasLeavers = false
    let leavers = observers.removeSilenced()
    firstOrder = observers.firstOrder
    releaseConnection()
    withExtendedLifetime(leavers) {}
  }

  final override func takeObservers() -> [AnyObject] { observers.removeAll() }

  // MARK: News

  @inlinable
  static func tellAll(_ node: GraphNode) {
    known(node).tellAll()
  }

  @inlinable
  final func tellAll() {
    let value = news ?? cached.unsafelyUnwrapped
    let audience = newsAudience
    news = nil
    hasNews = false
    var index = 0
    // By index and in place: the list may grow meanwhile, and observers may be silenced.
    while index < observers.places.count, observers.places[index].order <= audience {
      observers.places[index].observer?._withUnsafeGuaranteedRef { if $0.isLive { $0.body(value) } }
      index += 1
    }
  }

  @usableFromInline
  final override func tellObserver(_ order: Int) {
    observers.tell(news ?? cached.unsafelyUnwrapped, only: order)
  }

  @usableFromInline
  final override func forgetNews() {
    hasNews = false
    news = nil
  }

  @usableFromInline
  final override var listeners: [Int] {
    observers.orders(upTo: newsAudience)
  }
}
