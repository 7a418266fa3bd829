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

  /// What the observers are about to hear. Not always the newest value: that one may change while they hear.
  @exclusivity(unchecked) @usableFromInline final var news: Value?

  /// Observers up to this order hear the news.
  @exclusivity(unchecked) @usableFromInline final var newsAudience = 0

  /// The version that the observers have heard of.
  @exclusivity(unchecked) @usableFromInline final var toldVersion = 0

  /// In ascending order.
  @exclusivity(unchecked) @usableFromInline final var observers: [Observer] = []

  /// How many in `observers` have left.
  @exclusivity(unchecked) @usableFromInline final var vacancies = 0

  @inlinable
  init(input value: Value) {
    cached = value
    super.init(isInput: true)
  }

  @inlinable
  init() {
    super.init(isInput: false)
  }

  /// The value, computed anew if a source has changed.
  @inlinable
  final func read() -> Value {
    guard !isConnected else {
      refresh()
      return cached!
    }
    // Connected for a moment, so that a node that is reached on several ways is asked once.
    keepConnected()
    defer { releaseConnection() }
    refresh()
    return cached!
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
    lastOrder = order
    observers.append(Observer(order: order, body: body))
    return order
  }

  @inlinable
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

  @inlinable
  final func index(of order: Int) -> Int? {
    var low = 0
    var high = observers.count
    while low < high {
      let middle = (low + high) / 2
      if observers[middle].order < order { low = middle + 1 } else { high = middle }
    }
    return low < observers.count && observers[low].order == order ? low : nil
  }

  /// Closes the gaps, as soon as that is cheap: half of the places are vacant.
  @inlinable
  final override func tidy() {
    guard vacancies * 2 > observers.count else { return }
    observers.removeAll { $0.body == nil }
    vacancies = 0
  }

  @inlinable
  final override var firstOrder: Int { observers.first?.order ?? 0 }

  // MARK: News

  @inlinable
  override func prepareNews() {
    guard observerCount > 0 else { return }
    refresh()
    guard version != toldVersion else { return }
    toldVersion = version
    news = cached
    newsAudience = audience
    hasNews = true
  }

  @inlinable
  final override func tellAll() {
    guard let value = news else { return }
    forgetNews()
    let audience = newsAudience
    var index = 0
    // By index: the list may grow at its end meanwhile, and places may become vacant.
    while index < observers.count, observers[index].order <= audience {
      observers[index].body?(value)
      index += 1
    }
  }

  @inlinable
  final override func tell(observer order: Int) {
    guard let news, let index = index(of: order) else { return }
    observers[index].body?(news)
  }

  @inlinable
  final override func forgetNews() {
    hasNews = false
    news = nil
  }

  @inlinable
  final override var listeners: [Int] {
    observers.lazy.filter { $0.body != nil && $0.order <= self.newsAudience }.map(\.order)
  }
}
