// Bringing values up to date
//
// A pull goes up from a node to where values are current, and computes on the way back. It is a loop: each node on the
// way knows the one below. While a pull runs, code of the user's runs that computes and compares; what that code writes,
// and what it no longer needs, waits until the outermost pull of the realm ends.

extension GraphNode {
  /// A connected value is current while it is clean, any other in the epoch in which it was looked at.
  @inline(__always)
  fileprivate final func isCurrent(for last: GraphNode) -> Bool {
    if state.first == nil { return true }
    guard state.pull == .idle else { return false }
    if isConnected { return state.connection?.with { !$0.state.isDirty } == true }
    return state.checkedIn == last.state.realm.with { $0.epoch }
  }

  /// Brings the value up to date.
  @usableFromInline
  final func refresh() {
    if !isCurrent(for: self) { pullAll() }
  }

  /// Goes up to where values are current, and computes on the way back. Each source is asked once.
  fileprivate final func pullAll() {
    shortenWay()
    state.realm.with { $0.beginPull() }
    beginPull(from: nil)
    var node = Reference(notCounting: self)
    while true {
      // Every node here is in this realm, and from here the way to its root is the shortest.
      if let source = node.with({ $0.nextSource(for: self) }) {
        source.with { $0.beginPull(from: node) }
        node = source
      } else {
        guard let below = node.with({ $0.endPull(for: self) }) else { break }
        node = below
      }
    }
    if !state.realm.with({ $0.endPullAtOnce() }) { realm.endPull() }
  }

  /// Brings the value up to date, in order to call the observers with it.
  final func pullAndReport() {
    state.isReportedNext = true
    pullAll()
    state.isReportedNext = false
  }

  @inline(__always)
  fileprivate final func beginPull(from below: Reference<GraphNode>?) {
    guard state.pull == .idle else {
      fatalError(
        """
        AsyncState: an observed value depends on itself, so it has no value. A closure of `map` or `flatMap` reads or \
        chooses a value that is derived from its own result. Break the circle: derive both values from an Input.
        """)
    }
    state.pull = .first
    state.below = below
    // Before anything is computed: what a transform writes marks the connection again.
    if isConnected { state.connection?.with { $0.state.isDirty = false } }
  }

  /// - Returns: A source that has to be brought up to date before the value can be computed, if there is one left.
  @inline(__always)
  fileprivate final func nextSource(for last: GraphNode) -> Reference<GraphNode>? {
    guard hasOneSource else { return nextOfTwoSources(for: last) }
    guard state.pull == .first else { return nil }
    state.pull = .computing
    guard let first = state.first, !first.with({ $0.isCurrent(for: last) }) else { return nil }
    return first
  }

  fileprivate final func nextOfTwoSources(for last: GraphNode) -> Reference<GraphNode>? {
    if state.pull == .first {
      state.pull = .second
      if let first = state.first, !first.with({ $0.isCurrent(for: last) }) { return first }
    }
    if state.pull == .second {
      state.pull = .computing
      if let recipe = state.recipe, let first = state.first { recipe.with { choose(by: $0, first) } }
      if let second = state.second, !second.with({ $0.isCurrent(for: last) }) { return second }
    }
    return nil
  }

  /// Chooses the second source anew, if the first one has changed.
  fileprivate final func choose(by recipe: Recipe, _ first: Reference<GraphNode>) {
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
  /// - Returns: The node below, to go on with.
  @inline(__always)
  fileprivate final func endPull(for last: GraphNode) -> Reference<GraphNode>? {
    if hasOneSource { computeFromOne() } else { computeFromTwo() }
    state.checkedIn = last.state.realm.with { $0.epoch }
    state.pull = .idle
    return state.below
  }

  @inline(__always)
  fileprivate final func computeFromOne() {
    guard let recipe = state.recipe, let first = state.first else { return }
    first.with { first in
      guard first.state.version != state.seenFirst else { return }
      state.seenFirst = first.state.version
      recipe.with { $0.compute(self, first, first) }
    }
  }

  fileprivate final func computeFromTwo() {
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
  fileprivate final func follow(_ source: GraphNode) {
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
    realm.noteChoice()
  }
}
