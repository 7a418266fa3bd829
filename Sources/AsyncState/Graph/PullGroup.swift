// SPDX-License-Identifier: MIT
// While a value is computed, user code runs: transforms and `==`. A write by that code is visible at once, but is delivered
// when no value is being computed any more. A value that is replaced is released then, too: an observer or a `deinit` would
// find values that are being computed.

/// Nodes that are derived from each other, and the work that waits until none of them is being computed.
///
/// Two groups that become connected are merged: one becomes the other's parent.
final class PullGroup {
  private struct State {
    var parent: PullGroup?
    /// A bound on the groups that were merged, so that the way to the root stays short.
    var rank = 0

    // The rest is valid in the root.
    /// The number of pulls that run, one inside the other.
    var pullCount = 0
    /// The inputs that were written during the pulls.
    var deliveries = Turn<GraphNode>()
    /// The values that were replaced during the pulls.
    var kept: [Any] = []
  }

  // Justified: see `GraphNode.state`.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  private var state = State()

  var isMerged: Bool { state.parent != nil }

  var root: PullGroup {
    var group = self
    while let parent = group.state.parent { group = parent }
    return group
  }

  /// Makes one group of two.
  static func merge(_ first: PullGroup, _ second: PullGroup) {
    let first = first.root
    let second = second.root
    guard first !== second else { return }
    let (root, child) = first.state.rank < second.state.rank ? (second, first) : (first, second)
    if root.state.rank == child.state.rank { root.state.rank += 1 }
    root.state.pullCount += child.state.pullCount
    root.state.deliveries.merge(child.state.deliveries)
    root.state.kept += child.state.kept
    child.state.deliveries = Turn()
    child.state.kept = []
    child.state.parent = root
  }

  /// Only valid in the root.
  @inline(__always)
  var isPulling: Bool { state.pullCount > 0 }

  // MARK: Called on the group that was the root at the beginning of the pull

  func beginPull() {
    state.pullCount += 1
  }

  /// Keeps a replaced value, which may be, or may hold, an object of the user's.
  func keep(_ replaced: Any) {
    state.kept.append(replaced)
  }

  /// Keeps an input that a transform has written, to deliver it when no value is being computed any more.
  func postpone(_ input: GraphNode) {
    state.deliveries.add(input)
  }

  /// Ends a pull. The last one does the work that had to wait.
  func endPull() {
    if state.parent != nil { return root.endPull() }
    state.pullCount -= 1
    if state.pullCount == 0, !state.kept.isEmpty || state.deliveries.hasWork { finish() }
  }

  /// Works on the present root: user code runs, which may connect values.
  private func finish() {
    while root.state.kept.popLast() != nil {}
    guard root.state.deliveries.begin() else { return }
    while !root.isPulling, let input = root.state.deliveries.next() {
      input.state.delivery.isPostponed = false
      input.deliver()
    }
    root.state.deliveries.end()
  }
}

extension GraphNode {
  /// The root of the node's group. After groups were merged, a node walks to the root once.
  final var group: PullGroup {
    if state.group.isMerged { findGroup() }
    return state.group
  }

  /// True while values of the node's group are being computed.
  @inline(__always)
  final var isPulling: Bool {
    if state.group.isMerged { findGroup() }
    return state.group.isPulling
  }

  @inline(never)
  private final func findGroup() {
    state.group = state.group.root
  }
}
