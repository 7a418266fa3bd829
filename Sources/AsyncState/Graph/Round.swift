// SPDX-License-Identifier: MIT
// Reporting a change to the observers
//
// Rounds may nest: an observer writes to another input. A node belongs to the outermost round that has reached it; a nested
// round that reaches it, too, leaves it to that one, which checks it again before it ends. So observers are called with the
// values of a node in order, and no two rounds report the same node at once.
//
// Each observer has the version that it was called with last, so one that began during the round is called only with a newer
// value.

/// One round: the observed nodes that a change has reached are brought up to date, then their observers are called.
enum Round {
  /// - Parameter reached: The nodes that a change has reached, which are removed from it.
  @inline(__always)
  static func run(_ reached: inout ReachedNodes) {
    if reached.others.isEmpty {
      if let node = reached.takeFirst() { runOne(node) }
    } else {
      reached.withList(runMany)
    }
  }

  /// A round for one node, which no change has reached.
  static func run(_ node: Downstream) {
    var reached = ReachedNodes()
    reached.add(node)
    run(&reached)
  }

  private static func runMany(_ nodes: inout [Downstream]) {
    var hasEarlyObservers = false
    // Removed from the list before any observer is called: a write of an observer may reach the same nodes.
    for node in nodes {
      node.state.isReached = false
      if node.state.hasEarlyObservers { hasEarlyObservers = true }
    }
    if hasEarlyObservers { callEarlyObservers(of: nodes) }
    nodes.removeAll { !$0.joinRound() }
    for node in nodes { node.prepareReport() }
    repeat { report(nodes) } while lookAgain(nodes)
    // All leave before the first is closed: that may release objects of the user's, whose `deinit` writes.
    for node in nodes { node.state.node = nil }
    for node in nodes { node.close() }
  }

  /// The same for the commonest case, which takes no list.
  private static func runOne(_ node: Downstream) {
    node.state.isReached = false
    if node.state.hasEarlyObservers { callEarlyObservers(of: CollectionOfOne(node)) }
    guard node.joinRound() else { return }
    node.prepareReport()
    repeat { node.report() } while node.lookAgain()
    node.leaveRound()
  }

  private static func callEarlyObservers(of nodes: some Collection<Downstream>) {
    var early: EarlyRound?
    for node in nodes { node.callEarlyObservers(in: &early) }
    early?.finish()
  }

  /// - Returns: True if a nested round left something to report.
  private static func lookAgain(_ nodes: [Downstream]) -> Bool {
    var isNeeded = false
    for node in nodes where node.lookAgain() { isNeeded = true }
    return isNeeded
  }

  private static func report(_ nodes: [Downstream]) {
    if isInOrder(nodes) {
      for node in nodes { node.report() }
    } else {
      reportInterleaved(nodes)
    }
  }

  /// True if reporting node after node calls all observers in the order of registration.
  private static func isInOrder(_ nodes: [Downstream]) -> Bool {
    var last = 0
    for node in nodes where node.hasNews {
      guard let first = node.state.observers.first, let newLast = node.state.observers.last else { continue }
      if first.order < last { return false }
      last = newLast.order
    }
    return true
  }

  private static func reportInterleaved(_ nodes: [Downstream]) {
    var observers: [Observer] = []
    for node in nodes where node.hasNews {
      node.noteReport()
      observers += node.state.observers
    }
    observers.sort { $0.order < $1.order }
    for observer in observers { observer.call() }
  }
}

extension Downstream {
  /// - Returns: True if the node has observers, and belongs to this round and to no other.
  @inline(__always)
  fileprivate func joinRound() -> Bool {
    if state.node != nil {
      state.isAwaited = true
      return false
    }
    gate.open()
    state.node = observedNode
    if state.node == nil { close() }
    return state.node != nil
  }

  /// The node; nil if all observations have ended.
  @inline(__always)
  private var observedNode: Uncounted<GraphNode>? {
    for place in state.observers.indices {
      // Justified: the list holds it.
      let observer = Uncounted(state.observers[place])
      if let node = observer.visit({ $0.node }) { return node }
    }
    return nil
  }

  @inline(__always)
  fileprivate func leaveRound() {
    state.node = nil
    close()
  }

  @inline(__always)
  fileprivate func prepareReport() {
    if state.isOutdated, hasObservers { state.node?.visit { $0.refresh() } }
  }

  @inline(__always)
  fileprivate func lookAgain() -> Bool {
    guard state.isAwaited else { return false }
    state.isAwaited = false
    prepareReport()
    return true
  }

  @inline(__always)
  fileprivate var hasNews: Bool {
    state.node?.visit { $0.state.deliveredVersion != $0.state.reportedVersion } == true
  }

  @inline(__always)
  fileprivate func noteReport() {
    state.node?.visit { $0.state.deliveredVersion = $0.state.reportedVersion }
  }

  /// Calls the present observers, one after another. An observer that is added in one of these calls begins with the next
  /// report.
  fileprivate func report() {
    guard hasNews else { return }
    noteReport()
    // Justified: the list holds them, and nothing is removed from it while the gate is open.
    for place in state.observers.indices { Uncounted(state.observers[place]).visit { $0.call() } }
  }

  // MARK: Early observers

  /// Calls the observers that write sources of other values, before these are computed.
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
    state.hasEarlyObservers = false
    gate.open()
    for observer in state.observers where observer.callEarly(in: round) { state.hasEarlyObservers = true }
    close()
  }
}

extension GraphNode {
  /// Calls the early observers of staged values that will be delivered later, before other values are derived from these.
  final func callEarlyObservers() {
    var round: EarlyRound?
    callEarlyObservers(in: &round)
    round?.finish()
  }

  /// The same, for changes that a running round delivers.
  final func callEarlyObservers(in round: inout EarlyRound?) {
    guard state.delivery.isUndelivered, !isPulling else { return }
    downstream.callEarlyObservers(in: &round)
    state.delivery.reached.first?.callEarlyObservers(in: &round)
    for node in state.delivery.reached.others { node.callEarlyObservers(in: &round) }
  }
}
