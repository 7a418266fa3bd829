/// A node with a value of a known type, and those who observe it.
@usableFromInline
class ValueNode<Value>: GraphNode {
  @usableFromInline
  struct Observer {
    @usableFromInline let order: Int
    /// Nil once it has left. The place stays until no index into the list can be in use.
    @usableFromInline var body: ((Value) -> Void)?

    @inlinable
    init(order: Int, body: @escaping (Value) -> Void) {
      self.order = order
      self.body = body
    }
  }

  /// The value when it was last computed; nil before the first time.
  @exclusivity(unchecked) @usableFromInline final var cached: Value?

  /// What the observers are about to hear, if that is not the value any more.
  @exclusivity(unchecked) @usableFromInline final var news: Value?

  /// In ascending order.
  @exclusivity(unchecked) @usableFromInline final var observers: [Observer] = []

  /// An input.
  @inlinable
  init(input value: Value) {
    cached = value
    super.init(first: nil, second: nil, update: { _ in }, tell: ValueNode.tellAll)
  }

  /// A node that is derived from others.
  ///
  /// - Parameter update: Brings the sources up to date, and sets the value if it has changed.
  @inlinable
  init(first: GraphNode, second: GraphNode?, update: @escaping (ValueNode<Value>) -> Void) {
    super.init(
      first: first, second: second, update: { update(unsafeDowncast($0, to: ValueNode<Value>.self)) },
      tell: ValueNode.tellAll)
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
  /// - Returns: The observer's order, which is its name in this node.
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
    if observers.count == vacancies { toldVersion = version }
    let order = nextOrder()
    if observers.isEmpty { firstOrder = order }
    lastOrder = order
    observers.append(Observer(order: order, body: body))
    return order
  }

  @usableFromInline
  final override func removeObserver(_ order: Int) {
    guard let index = index(of: order), let body = observers[index].body else { return }
    observers[index].body = nil
    observerCount -= 1
    vacancies += 1
    if !isEngaged { tidy() }
    releaseConnection()
    // Whatever the closure held goes now, when everything here is in order again.
    withExtendedLifetime(body) {}
  }

  private func index(of order: Int) -> Int? {
    var low = 0
    var high = observers.count
    while low < high {
      let middle = (low + high) / 2
      if observers[middle].order < order { low = middle + 1 } else { high = middle }
    }
    return low < observers.count && observers[low].order == order ? low : nil
  }

  /// Closes the gaps, as soon as that is cheap: half of the places are vacant.
  @usableFromInline
  final override func tidy() {
    guard vacancies * 2 > observers.count else { return }
    observers.removeAll { $0.body == nil }
    vacancies = 0
    firstOrder = observers.first?.order ?? 0
  }

  // MARK: News

  @inlinable
  static func tellAll(_ node: GraphNode) {
    unsafeDowncast(node, to: ValueNode<Value>.self).tellAll()
  }

  @inlinable
  final func tellAll() {
    let value = news ?? cached.unsafelyUnwrapped
    let audience = newsAudience
    news = nil
    hasNews = false
    var index = 0
    // By index: the list may grow at its end meanwhile, and places may become vacant.
    while index < observers.count, observers[index].order <= audience {
      observers[index].body?(value)
      index += 1
    }
  }

  @usableFromInline
  final override func tellObserver(_ order: Int) {
    guard let index = index(of: order) else { return }
    observers[index].body?(news ?? cached.unsafelyUnwrapped)
  }

  @usableFromInline
  final override func forgetNews() {
    hasNews = false
    news = nil
  }

  @usableFromInline
  final override var listeners: [Int] {
    observers.lazy.filter { $0.body != nil && $0.order <= self.newsAudience }.map(\.order)
  }
}
