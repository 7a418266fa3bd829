// SPDX-License-Identifier: MIT
// Bringing values up to date
//
// A pull walks up from a node to where values are current, and computes on the way back. It is a loop: each node on the
// way knows the one below. While a pull runs, code of the user's runs that computes and compares; what that code writes,
// and what it no longer needs, waits until the outermost pull of the realm ends.

extension GraphNode {
  /// Brings the value up to date.
  @usableFromInline
  final func refresh() {
    if beginPull(from: nil, for: self) { pullAll() }
  }

  /// Brings the value up to date, in order to call the observers with it.
  @inline(__always)
  final func pullAndReport() {
    state.isReportedNext = true
    if beginPull(from: nil, for: self) { pullAll() }
    state.isReportedNext = false
  }

  /// Walks up to where values are current, and computes on the way back. Each source is read once.
  private final func pullAll() {
    shortenWay()
    let epoch = state.realm.with { $0.beginPull() }
    var node = Reference(notCounting: self)
    var isDone = false
    while !isDone {
      // Every node here is in this realm, and from here the way to its root is the shortest.
      while let source = node.with({ $0.beginPullOfSource(from: node, for: self) }) { node = source }
      repeat {
        if let below = node.with({ $0.endPull(in: epoch) }) { node = below } else { isDone = true }
        // A node with two sources may need the other one now.
      } while !isDone && node.with { $0.hasOneSource }
    }
    if !state.realm.with({ $0.endPullAtOnce() }) { realm.endPull() }
  }

  /// Begins to bring the value up to date, if it may not be current.
  ///
  /// A connected value is current while it is clean, any other in the epoch in which it was looked at.
  ///
  /// - Parameters:
  ///   - below: The node that reads this one.
  ///   - last: The node that the pull has begun with.
  /// - Returns: False if the value is current.
  @inline(__always)
  private final func beginPull(from below: Reference<GraphNode>?, for last: GraphNode) -> Bool {
    guard state.first != nil else { return false }
    guard state.pull == .idle else {
      fatalError(
        """
        AsyncState: an observed value depends on itself, so it has no value. A closure of `map` or `flatMap` reads or \
        chooses a value that is derived from its own result. Break the circle: derive both values from an Input.
        """)
    }
    if let connection = state.connection, connection.with({ $0.isAlive }) {
      guard connection.with({ $0.state.isDirty }) else { return false }
      // Before anything is computed: what a transform writes marks the connection again.
      connection.with { $0.state.isDirty = false }
    } else if state.checkedIn == last.state.realm.with({ $0.epoch }) {
      return false
    }
    state.pull = .first
    state.below = below
    return true
  }

  /// Begins the pull of a source that has to be brought up to date before the value can be computed.
  ///
  /// - Returns: That source; nil if there is none left.
  @inline(__always)
  private final func beginPullOfSource(from node: Reference<GraphNode>, for last: GraphNode) -> Reference<GraphNode>? {
    guard hasOneSource else { return beginPullOfTwoSources(from: node, for: last) }
    guard let first = state.first, first.with({ $0.beginPull(from: node, for: last) }) else { return nil }
    return first
  }

  private final func beginPullOfTwoSources(
    from node: Reference<GraphNode>, for last: GraphNode
  ) -> Reference<GraphNode>? {
    if state.pull == .first {
      state.pull = .second
      if let first = state.first, first.with({ $0.beginPull(from: node, for: last) }) { return first }
    }
    if state.pull == .second {
      state.pull = .computing
      if let recipe = state.recipe, let first = state.first { recipe.with { choose(by: $0, first) } }
      if let second = state.second, second.with({ $0.beginPull(from: node, for: last) }) { return second }
    }
    return nil
  }

  /// Chooses the second source anew, if the first one has changed.
  private final func choose(by recipe: Recipe, _ first: Reference<GraphNode>) {
    guard let choose = recipe.choose else { return }
    first.with { first in
      guard first.state.version != state.seenFirst else { return }
      // Before the call: what the closure itself writes to the first source is news, and makes it choose again.
      state.seenFirst = first.state.version
      follow(choose(first))
    }
  }

  /// All sources are up to date.
  ///
  /// - Parameter epoch: That of the beginning. If realms were merged meanwhile, it has changed, and the value is looked
  ///   at once more; to look is enough.
  /// - Returns: The node below, to go on with.
  @inline(__always)
  private final func endPull(in epoch: Int) -> Reference<GraphNode>? {
    if hasOneSource { computeFromOne() } else { computeFromTwo() }
    state.checkedIn = epoch
    state.pull = .idle
    return state.below
  }

  @inline(__always)
  private final func computeFromOne() {
    guard let recipe = state.recipe, let first = state.first else { return }
    first.with { first in
      guard first.state.version != state.seenFirst else { return }
      state.seenFirst = first.state.version
      recipe.with { $0.compute(self, first, first) }
    }
  }

  private final func computeFromTwo() {
    guard let recipe = state.recipe, let first = state.first, let second = state.second else { return }
    let versions = (first: first.with { $0.state.version }, second: second.with { $0.state.version })
    // With a choice, the version of the first was noted when the choice was made.
    let isChosen = recipe.with { $0.choose != nil }
    guard versions.second != state.seenSecond || !isChosen && versions.first != state.seenFirst else { return }
    if !isChosen { state.seenFirst = versions.first }
    state.seenSecond = versions.second
    recipe.with { recipe in first.with { first in second.with { recipe.compute(self, first, $0) } } }
  }

  /// The choice of a second source was made.
  private final func follow(_ source: GraphNode) {
    if let second = state.second, second.refers(to: source) { return }
    Realm.merge(realm, source.realm)
    if let former = state.second { realm.keepUntilPullEnds(former) }
    state.second = Reference(counting: source)
    state.seenSecond = -1
    guard let connection = state.connection?.object else { return }
    // Another thread may release the last holder at any time: looked at inside.
    realm.enterUntilPullEnds()
    guard connection.isAlive else { return }
    connection.follow(source)
    realm.noteChoice(of: connection)
  }
}

// The pulls of a realm, and what waits until the outermost one ends. The owner's actor only.
extension Realm {
  @inline(__always)
  var epoch: Int { parent == nil ? owned.epoch : rootEpoch }

  @inline(__always)
  var isPulling: Bool { parent == nil ? owned.pulls > 0 : isRootPulling }

  @inline(never)
  private var rootEpoch: Int { root.owned.epoch }

  @inline(never)
  private var isRootPulling: Bool { root.owned.pulls > 0 }

  /// A value was staged.
  @inline(__always)
  func beginEpoch() {
    if parent == nil, owned.pulls == 0 { owned.epoch &+= 1 } else { root.beginEpochAfterPull() }
  }

  @inline(never)
  private func beginEpochAfterPull() {
    guard owned.pulls > 0 else { return owned.epoch &+= 1 }
    // During a pull what it has looked at stays looked at, so that it ends.
    owned.isEpochDue = true
    owned.isPullEndDue = true
  }

  /// - Returns: The epoch.
  @inline(__always)
  func beginPull() -> Int {
    parent == nil ? addPull() : addPullToRoot()
  }

  @inline(__always)
  private func addPull() -> Int {
    owned.pulls += 1
    return owned.epoch
  }

  @inline(never)
  private func addPullToRoot() -> Int {
    root.addPull()
  }

  /// Ends what `beginPull` began, if that takes no more than that.
  @inline(__always)
  func endPullAtOnce() -> Bool {
    guard parent == nil, !owned.isPullEndDue else { return false }
    owned.pulls -= 1
    return true
  }

  /// Keeps a node that is not followed any more until the pull ends, as closures of the user's are released with it.
  func keepUntilPullEnds(_ node: Reference<GraphNode>) {
    let root = root
    root.owned.leftSources.append(node.taken())
    root.owned.isPullEndDue = true
  }

  /// A node keeps values that were replaced, as they may be objects of the user's.
  func dropReplacedWhenPullEnds(of node: GraphNode) {
    let root = root
    root.owned.nodesWithReplaced.append(node)
    root.owned.isPullEndDue = true
  }

  /// Enters until the pull ends.
  func enterUntilPullEnds() {
    let root = root
    root.owned.entriesOfPulls += 1
    root.owned.isPullEndDue = true
    enter()
  }

  /// A connected value follows another source.
  func noteChoice(of connection: Connection) {
    let root = root
    guard root.owned.hasStreams else { return }
    root.owned.newChoices.append(connection)
    root.owned.hasNewChoices = true
  }

  /// A transform wrote: observers are called when what is being computed is computed.
  func postpone(_ input: GraphNode) {
    let root = root
    root.owned.isPullEndDue = true
    if !input.state.delivery.isPostponed { root.owned.postponed.append(input) }
    input.state.delivery.isPostponed = true
  }

  /// Ends what `beginPull` began. The last one does what had to wait.
  func endPull() {
    guard parent == nil else { return root.endPull() }
    owned.pulls -= 1
    guard owned.pulls == 0 else { return }
    owned.isPullEndDue = false
    if owned.isEpochDue {
      owned.isEpochDue = false
      owned.epoch &+= 1
    }
    // One by one, and from the root as it is by then: closures of the user's are released, and what they do is the
    // beginning of something else.
    while root.owned.leftSources.popLast() != nil {}
    while let node = root.owned.nodesWithReplaced.popLast() { node.dropReplaced() }
    while root.takeEntryOfPulls() { leave() }
    guard !root.owned.isDeliveringPostponed else { return }
    root.owned.isDeliveringPostponed = true
    while let input = root.takePostponed() { input.deliver() }
    root.owned.isDeliveringPostponed = false
  }

  private func takeEntryOfPulls() -> Bool {
    guard owned.entriesOfPulls > 0 else { return false }
    owned.entriesOfPulls -= 1
    return true
  }

  private func takePostponed() -> GraphNode? {
    guard owned.pulls == 0, let input = owned.postponed.takeFirst() else { return nil }
    input.state.delivery.isPostponed = false
    return input
  }
}
