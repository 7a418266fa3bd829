// SPDX-License-Identifier: MIT
// Bringing values up to date
//
// A pull walks up from a node to the nodes that are up to date, and computes on the way back. It is a loop: each node on the
// way refers to the one below.

extension GraphNode {
  /// Brings the value up to date.
  @usableFromInline
  final func refresh() {
    if beginPull(from: nil) { pull() }
  }

  private final func pull() {
    let group = group
    group.beginPull()
    var node = Uncounted(self)
    var isDone = false
    while !isDone {
      while let source = node.visit({ $0.beginPullOfSource() }) { node = source }
      // A node with two sources may need the other one now.
      repeat {
        if let below = node.visit({ $0.endPull() }) { node = below } else { isDone = true }
      } while !isDone && node.visit { $0.hasOneSource }
    }
    group.endPull()
  }

  @inline(__always)
  private final var hasOneSource: Bool { recipe?.visit { $0.hasOneSource } == true }

  /// Begins to bring the value up to date, if it is outdated.
  ///
  /// - Parameter below: The node that reads this one.
  /// - Returns: True if it must be computed.
  @inline(__always)
  private final func beginPull(from below: Uncounted<GraphNode>?) -> Bool {
    guard state.pull == .idle else {
      fatalError(
        """
        AsyncState: an observed value depends on itself, so it has no value. A closure of `map` or `flatMap` reads or \
        chooses a value that is derived from its own result. Break the circle: derive both values from an Input.
        """)
    }
    guard downstream.state.isOutdated else { return false }
    // Before anything is computed: a write by a transform marks the node again.
    downstream.state.isOutdated = false
    state.pull = .first
    state.below = below
    recipe?.visit { enlist($0) }
    return true
  }

  /// Begins the pull of a source that has to be brought up to date before the value can be computed.
  ///
  /// - Returns: The source; nil if none is left.
  @inline(__always)
  private final func beginPullOfSource() -> Uncounted<GraphNode>? {
    recipe?.visit { beginPullOfSource($0) }
  }

  @inline(__always)
  private final func beginPullOfSource(_ recipe: Recipe) -> Uncounted<GraphNode>? {
    if state.pull == .first {
      state.pull = .second
      if let first = recipe.first, beginPull(of: first) { return first }
    }
    if state.pull == .second {
      state.pull = .computing
      choose(by: recipe)
      if let second = recipe.second, beginPull(of: second) { return second }
    }
    return nil
  }

  @inline(__always)
  private final func beginPull(of source: Uncounted<GraphNode>) -> Bool {
    source.visit { $0.beginPull(from: Uncounted(self)) }
  }

  /// Chooses the second source anew, if there is a choice and the first source has changed.
  @inline(__always)
  private final func choose(by recipe: Recipe) {
    guard let choose = recipe.choose, let first = recipe.first else { return }
    first.visit { first in
      guard first.state.version != state.seenFirst else { return }
      // Before the call: a write of the closure itself to the first source is a change, and makes it choose again.
      state.seenFirst = first.state.version
      follow(choose(first), by: recipe)
    }
  }

  private final func follow(_ source: GraphNode, by recipe: Recipe) {
    guard recipe.second?.visit({ $0 === source }) != true else { return }
    PullGroup.merge(group, source.group)
    if let former = recipe.follow(source) { group.keep(former) }
    state.seenSecond = -1
    downstream.state.second = nil
    enlist(recipe)
  }

  /// Computes the value, after all sources are up to date.
  ///
  /// - Returns: The node below, to continue with.
  @inline(__always)
  private final func endPull() -> Uncounted<GraphNode>? {
    recipe?.visit { compute(by: $0) }
    state.pull = .idle
    return state.below
  }

  @inline(__always)
  private final func compute(by recipe: Recipe) {
    guard let first = recipe.first else { return }
    first.visit { first in
      guard let second = recipe.second else {
        guard first.state.version != state.seenFirst else { return }
        state.seenFirst = first.state.version
        return recipe.compute(self, first, first)
      }
      second.visit { second in
        // With a choice, the version of the first source was noted when the choice was made.
        let isFirstNew = recipe.choose == nil && first.state.version != state.seenFirst
        guard isFirstNew || second.state.version != state.seenSecond else { return }
        if isFirstNew { state.seenFirst = first.state.version }
        state.seenSecond = second.state.version
        recipe.compute(self, first, second)
      }
    }
  }
}
