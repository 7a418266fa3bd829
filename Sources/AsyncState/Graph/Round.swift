// Reporting a change to the observers.
//
// Rounds may nest: an observer writes to another input. A connection belongs to the outermost round that has reached it;
// a nested round that reaches it, too, leaves it to that one, which looks at it again before it ends. So observers are
// called with the values of a node in order, and no two rounds report the same node at once.

/// One round: the observed nodes that a change has reached are brought up to date, then their observers are called.
///
/// Runs on the owner's actor, inside.
enum Round {
  static func run(_ reached: ReachedList) {
    guard let first = reached.first else { return }
    first._withUnsafeGuaranteedRef { connection in
      if connection.state.nextReached == nil { runOne(connection) } else { runMany(first) }
    }
  }

  // MARK: One node

  private static func runOne(_ connection: Connection) {
    guard engage(connection) else { return }
    connection.prepareNews()
    repeat {
      if connection.state.hasNews { connection.report() }
    } while lookAgain(connection)
    connection.state.isEngaged = false
  }

  /// - Returns: Whether the connection belongs to this round, and to no other.
  private static func engage(_ connection: Connection) -> Bool {
    connection.state.isReached = false
    if connection.state.isEngaged {
      connection.state.isAwaited = true
      return false
    }
    connection.state.isEngaged = true
    return true
  }

  /// - Returns: Whether a nested round left something to report.
  private static func lookAgain(_ connection: Connection) -> Bool {
    guard connection.state.isAwaited else { return false }
    connection.state.isAwaited = false
    connection.prepareNews()
    return connection.state.hasNews
  }

  // MARK: Many nodes

  private static func runMany(_ reached: Unmanaged<Connection>) {
    let round = engageAll(reached)
    forEach(round) { $0.prepareNews() }
    var isDone = false
    while !isDone {
      report(round)
      isDone = true
      forEach(round) { if lookAgain($0) { isDone = false } }
    }
    forEach(round) { $0.state.isEngaged = false }
  }

  private static func engageAll(_ reached: Unmanaged<Connection>) -> Unmanaged<Connection>? {
    var round: Unmanaged<Connection>?
    var last: Unmanaged<Connection>?
    var next: Unmanaged<Connection>? = reached
    while let link = next {
      link._withUnsafeGuaranteedRef { connection in
        next = connection.state.nextReached
        connection.state.nextReached = nil
        guard engage(connection) else { return }
        connection.state.nextInRound = nil
        if let last { last._withUnsafeGuaranteedRef { $0.state.nextInRound = link } } else { round = link }
        last = link
      }
    }
    return round
  }

  private static func forEach(_ round: Unmanaged<Connection>?, _ body: (Connection) -> Void) {
    var next = round
    while let link = next {
      link._withUnsafeGuaranteedRef { connection in
        next = connection.state.nextInRound
        body(connection)
      }
    }
  }

  private static func report(_ round: Unmanaged<Connection>?) {
    if isInOrder(round) {
      forEach(round) { if $0.state.hasNews { $0.report() } }
    } else {
      reportInterleaved(round)
    }
  }

  /// Whether reporting node after node calls all observers in the order of registration.
  private static func isInOrder(_ round: Unmanaged<Connection>?) -> Bool {
    var last = 0
    var isInOrder = true
    forEach(round) { connection in
      guard connection.state.hasNews else { return }
      if connection.state.observers.firstOrder < last { isInOrder = false }
      last = connection.state.observers.lastOrder
    }
    return isInOrder
  }

  private static func reportInterleaved(_ round: Unmanaged<Connection>?) {
    var calls: [(observer: Observer, node: GraphNode)] = []
    forEach(round) { connection in
      guard connection.state.hasNews, let node = connection.state.node else { return }
      connection.forEachListener { calls.append(($0, node)) }
    }
    calls.sort { $0.observer.order < $1.observer.order }
    for call in calls { call.observer.call(with: call.node) }
    forEach(round) { $0.state.hasNews = false }
  }
}

extension Connection {
  /// Brings the node up to date, and notes whether there is something to report.
  fileprivate func prepareNews() {
    // What an input has to report is set when its turn comes.
    guard hasObservers, let node = state.node, node.state.first != nil else { return }
    node.state.isReportedNext = true
    node.refresh()
    node.state.isReportedNext = false
    if state.hasExcused { excuseNone() }
    let steps = node.state.version - node.state.toldVersion
    guard steps > 0 else { return }
    // After one step the value is another; after several it may be the same again.
    var isNews = steps == 1 || !node.isEqualToTold()
    if state.hasLatecomers { isNews = compareForLatecomers(node, isNews: isNews) }
    node.noteTold()
    guard isNews else { return }
    state.newsAudience = state.audience
    state.hasNews = true
  }

  private func excuseNone() {
    state.hasExcused = false
    for index in 0..<state.observers.count { state.observers[index].takeUnretainedValue().held.isExcused = false }
  }

  /// Observers that began while the others had yet to be called compare with what they began with.
  ///
  /// - Returns: Whether any observer is to be called.
  private func compareForLatecomers(_ node: GraphNode, isNews: Bool) -> Bool {
    state.hasLatecomers = false
    state.hasExcused = true
    var isNewsToAny = false
    for index in 0..<state.observers.count {
      let observer = state.observers[index].takeUnretainedValue()
      let heard = observer.held.heard.take()
      let isNews = heard.map { !node.isEqual(to: $0) } ?? isNews
      observer.held.isExcused = !isNews
      if isNews { isNewsToAny = true }
    }
    return isNewsToAny
  }

  /// Calls the observers, one after another.
  fileprivate func report() {
    state.hasNews = false
    guard let node = state.node else { return }
    forEachListener { $0.call(with: node) }
  }

  /// By index and in place: the list may grow meanwhile, and observers may be cancelled.
  fileprivate func forEachListener(_ body: (Observer) -> Void) {
    let audience = state.newsAudience
    var index = 0
    var isOver = false
    while !isOver, index < state.observers.count {
      state.observers[index]._withUnsafeGuaranteedRef { observer in
        if observer.order <= audience { body(observer) } else { isOver = true }
      }
      index += 1
    }
  }
}
