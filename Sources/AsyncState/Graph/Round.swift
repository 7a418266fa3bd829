// SPDX-License-Identifier: MIT
// Reporting a change to the observers.
//
// Rounds may nest: an observer writes to another input. A connection belongs to the outermost round that has reached it;
// a nested round that reaches it, too, leaves it to that one, which looks at it again before it ends. So observers are
// called with the values of a node in order, and no two rounds report the same node at once.
//
// Early observers are called when a round reaches their node, before it brings anything up to date, and when a value is
// staged that is delivered later: see EarlyRound.swift. So a value that is derived from the node and from what they write
// is not computed in between.

/// One round: the observed nodes that a change has reached are brought up to date, then their observers are called.
///
/// Runs on the owner's actor, inside.
enum Round {
  @inline(__always)
  static func run(_ reached: ReachedList) {
    guard let first = reached.first else { return }
    if reached.hasEarlyObservers { return runAfterEarlyObservers(first) }
    if first.with({ $0.state.nextReached == nil }) { first.with { runOne($0) } } else { runMany(first) }
  }

  // MARK: One node

  private static func runOne(_ connection: Connection) {
    connection.state.isReached = false
    guard engage(connection) else { return }
    connection.prepareNews()
    repeat {
      if connection.state.hasNews { connection.report() }
    } while lookAgain(connection)
    connection.state.isEngaged = false
  }

  /// - Returns: Whether the connection belongs to this round, and to no other.
  private static func engage(_ connection: Connection) -> Bool {
    if connection.state.isEngaged {
      connection.state.isAwaited = true
      return false
    }
    connection.state.isEngaged = true
    return true
  }

  /// - Returns: Whether a nested round left something to report.
  @inline(__always)
  private static func lookAgain(_ connection: Connection) -> Bool {
    connection.state.isAwaited && prepareAgain(connection)
  }

  @inline(never)
  private static func prepareAgain(_ connection: Connection) -> Bool {
    connection.state.isAwaited = false
    connection.prepareNews()
    return connection.state.hasNews
  }

  // MARK: Many nodes

  private static func runMany(_ reached: Reference<Connection>) {
    var round = EngagedList()
    take(reached) { round.append($0) }
    run(round.first)
  }

  /// First of all those are called that write what other values may be derived from.
  @inline(never)
  private static func runAfterEarlyObservers(_ reached: Reference<Connection>) {
    // Off the list before any of them is called: what is written meanwhile may reach the same connections.
    var connections: [Reference<Connection>] = []
    take(reached) { connections.append($0) }
    var early: EarlyRound?
    for connection in connections { connection.with { $0.callEarlyObservers(in: &early) } }
    early?.finish()
    var round = EngagedList()
    for connection in connections { round.append(connection) }
    run(round.first)
  }

  /// Takes the connections off the list that a change has made.
  private static func take(_ reached: Reference<Connection>, _ body: (Reference<Connection>) -> Void) {
    var next: Reference<Connection>? = reached
    while let link = next {
      link.with { connection in
        next = connection.state.nextReached
        connection.state.nextReached = nil
        connection.state.isReached = false
      }
      body(link)
    }
  }

  /// The connections that belong to one round.
  private struct EngagedList {
    private(set) var first: Reference<Connection>?
    private var last: Reference<Connection>?

    mutating func append(_ link: Reference<Connection>) {
      guard link.with({ engage($0) }) else { return }
      link.with { $0.state.nextInRound = nil }
      if let last { last.with { $0.state.nextInRound = link } } else { first = link }
      last = link
    }
  }

  private static func run(_ round: Reference<Connection>?) {
    forEach(round) { $0.prepareNews() }
    var isDone = false
    while !isDone {
      report(round)
      isDone = true
      forEach(round) { if lookAgain($0) { isDone = false } }
    }
    forEach(round) { $0.state.isEngaged = false }
  }

  private static func forEach(_ round: Reference<Connection>?, _ body: (Connection) -> Void) {
    var next = round
    while let link = next {
      link.with { connection in
        next = connection.state.nextInRound
        body(connection)
      }
    }
  }

  private static func report(_ round: Reference<Connection>?) {
    if isInOrder(round) {
      forEach(round) { if $0.state.hasNews { $0.report() } }
    } else {
      reportInterleaved(round)
    }
  }

  /// Whether reporting node after node calls all observers in the order of registration.
  private static func isInOrder(_ round: Reference<Connection>?) -> Bool {
    var last = 0
    var isInOrder = true
    forEach(round) { connection in
      guard connection.state.hasNews else { return }
      if connection.state.observers.firstOrder < last { isInOrder = false }
      last = connection.state.observers.lastOrder
    }
    return isInOrder
  }

  private static func reportInterleaved(_ round: Reference<Connection>?) {
    var calls: [(observer: Observer, node: GraphNode)] = []
    forEach(round) { connection in
      guard connection.state.hasNews, let node = connection.state.node?.object else { return }
      connection.forEachListener { calls.append(($0, node)) }
    }
    calls.sort { $0.observer.order < $1.observer.order }
    for call in calls { call.observer.call(with: call.node) }
    forEach(round) { $0.state.hasNews = false }
  }
}

extension Connection {
  /// Brings the node up to date, and notes whether there is something to report.
  @inline(__always)
  fileprivate func prepareNews() {
    // What an input has to report is set at its turn.
    guard hasObservers, let node = state.node else { return }
    node.with { prepareNews(of: $0) }
  }

  @inline(__always)
  private func prepareNews(of node: GraphNode) {
    guard node.state.first != nil else { return }
    if state.isDirty { node.pullAndReport() }
    if state.hasExcused { excuseNone() }
    let steps = node.state.version - node.state.reportedVersion
    guard steps > 0 else { return }
    // After one step the value is another; after several it may be the same again.
    var isNews = steps == 1 || !node.isEqualToReported()
    if state.hasLatecomers { isNews = compareForLatecomers(node, isNews: isNews) }
    node.noteReported()
    guard isNews else { return }
    state.newsAudience = state.audience
    state.hasNews = true
  }

  private func excuseNone() {
    state.hasExcused = false
    for index in 0..<state.observers.count { state.observers[index].object.held.isExcused = false }
  }

  /// Observers that began while the others had yet to be called compare with what they began with.
  ///
  /// - Returns: Whether any observer is to be called.
  private func compareForLatecomers(_ node: GraphNode, isNews: Bool) -> Bool {
    state.hasLatecomers = false
    state.hasExcused = true
    var isNewsToAny = false
    for index in 0..<state.observers.count {
      let observer = state.observers[index].object
      let firstValue = observer.held.firstValue.take()
      let isNews = firstValue.map { !node.isEqual(to: $0) } ?? isNews
      observer.held.isExcused = !isNews
      if isNews { isNewsToAny = true }
    }
    return isNewsToAny
  }

  /// Calls those observers that write what other values here may be derived from, before these are computed.
  ///
  /// - Parameter round: Made when it is needed.
  @inline(__always)
  fileprivate func callEarlyObservers(in round: inout EarlyRound?) {
    if state.hasEarlyObservers { callSomeEarlyObservers(in: &round) }
  }

  @inline(never)
  private func callSomeEarlyObservers(in earlyRound: inout EarlyRound?) {
    let round = earlyRound ?? EarlyRound()
    earlyRound = round
    var hasEarlyObservers = false
    var index = 0
    while index < state.observers.count {
      state.observers[index].with { if $0.callEarly(in: round) { hasEarlyObservers = true } }
      index += 1
    }
    state.hasEarlyObservers = hasEarlyObservers
  }

  /// Calls the observers, one after another.
  fileprivate func report() {
    state.hasNews = false
    if let node = state.node { node.with { report(of: $0) } }
  }

  private func report(of node: GraphNode) {
    forEachListener { $0.call(with: node) }
  }

  /// By index: the list may grow meanwhile, and observers may be cancelled.
  fileprivate func forEachListener(_ body: (Observer) -> Void) {
    let end = state.observers.count(upTo: state.newsAudience)
    var index = 0
    while index < end {
      state.observers[index].with(body)
      index += 1
    }
  }
}

extension GraphNode {
  /// Calls the early observers of what is staged and will be delivered later: until then values may be derived from it.
  final func callEarlyObservers() {
    var round: EarlyRound?
    callEarlyObservers(in: &round)
    round?.finish()
  }

  /// The same, where what they change is delivered by a round that runs.
  final func callEarlyObservers(in round: inout EarlyRound?) {
    guard state.delivery.isUndelivered, !state.realm.with({ $0.isPulling }) else { return }
    if let connection = state.connection { connection.with { $0.callEarlyObservers(in: &round) } }
    guard state.delivery.reached.hasEarlyObservers else { return }
    var next = state.delivery.reached.first
    while let link = next {
      link.with {
        $0.callEarlyObservers(in: &round)
        next = $0.state.nextReached
      }
    }
  }
}
