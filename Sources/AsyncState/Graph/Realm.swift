// SPDX-License-Identifier: MIT
import Synchronization

// Releasing on any thread
//
// A graph belongs to one actor, but its tokens, boxes, inputs and observed values may be released on any thread, also
// while that actor changes the graph. No one can wait, and the actor is not known. So a release is done in two steps:
//
//   1. *Mark.* An atomic in the link says that it is dead: an observer's `isLive`, a connection's count of holders. Both
//      are final: what is dead stays dead.
//   2. *Look.* The realm's word says whether the actor is inside the graph. If it is not, the link is dismantled at
//      once, on this thread. If it is, the link is put on the realm's list, and the actor dismantles it when it leaves.
//
// The actor enters before it follows links, and checks each link's mark before it uses what the link holds. Inside, it
// may therefore use raw references: nothing that was alive when it looked is freed before it leaves.
//
// Why this is right, also where memory is weakly ordered (ARM): entering, leaving and looking are all read-modify-write
// operations with acquire and release on one word, so they have one order that everyone agrees on.
// - A look is before an entry: the entry reads what the look wrote (or a later value of the same release sequence),
//   so the mark, which was made before the look, is visible to the actor. It does not touch the link.
// - A look is after an entry and before the leaving: it reads "inside", and puts the link on the list with the same
//   operation. The leaving cannot succeed with a link on the list, so the link is not forgotten.
// - A look is after the leaving: it reads what the leaving wrote, so all that the actor did with the link has
//   happened before it is dismantled.
// That a look which changes nothing is a compare-and-exchange, not a load, is what makes the first case hold.
//
// Two realms that become connected are merged: one becomes the other's parent, and its word says so for ever.

/// All values that can reach each other, and whether their actor is inside.
final class Realm {
  private enum Word {
    static let outside: UInt = 0
    static let inside: UInt = 1
    static let merged: UInt = 2
    // Anything else is the address of the first link on the list, and the actor is inside.
  }

  private let word = Atomic<UInt>(Word.outside)

  /// The realm that this one was merged into. Written once, before the word becomes `merged`.
  private(set) var parent: Realm?

  /// What only the owner's actor touches; valid in the root.
  struct Owned {
    /// Nested entries.
    var depth = 0
    /// Nested pulls: while a transform runs, what it writes is delivered later.
    var pulls = 0
    /// Changes with each staged value.
    var epoch = 1
    /// A value was staged during a pull, so that the epoch has to change when the pull ends.
    var isEpochDue = false
    /// Any of what is to be done when the pull ends may have to be done.
    var isPullEndDue = false
    /// Written by transforms, and not yet delivered.
    var postponed = WaitingLine<GraphNode>()
    var isDeliveringPostponed = false
    /// Nodes that are not followed any more, nodes with values that were replaced, and entries to be left, when the
    /// pull ends.
    var leftSources: [GraphNode] = []
    var nodesWithReplaced: [GraphNode] = []
    var entriesOfPulls = 0
    /// A bound on the realms that were merged, so that the way to the root stays short.
    var rank = 0
    /// The last walk through the graph: see `GraphNode.openInputsAbove()`.
    var walk = 0
    /// There is a stream, or was one.
    var hasStreams = false
    /// What follows another value than before: streams below may depend on other inputs.
    var newChoices: [Connection] = []
    var hasNewChoices = false
  }

  // Justified: checking the exclusivity of each access takes a third of a write. Only the owner's actor has access, and
  // no access is open while code of the user's runs. Debug builds check.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  var owned = Owned()

  init() {}

  var root: Realm {
    var realm = self
    while let parent = realm.parent { realm = parent }
    return realm
  }

  // Each of the following walks to the root. There are at most as many steps as the logarithm of the number of realms
  // that were merged, and mostly none: see `GraphNode.shortenWay()`.
  //
  // A node that walks to the root itself lets its former realm be freed. So what runs code of the user's is called with
  // a realm that is counted for the call; what a node calls without counting (`enter`, `leaveAtOnce`, …) runs none.

  // MARK: The owner's actor

  var isInside: Bool { root.owned.depth > 0 }

  var isMerged: Bool { parent != nil }

  /// From here on nothing that is alive is freed by other threads.
  @inline(__always)
  func enter() {
    if parent == nil { enterRoot() } else { enterFarRoot() }
  }

  @inline(__always)
  private func enterRoot() {
    owned.depth += 1
    if owned.depth == 1 { _ = word.exchange(Word.inside, ordering: .acquiringAndReleasing) }
  }

  @inline(never)
  private func enterFarRoot() {
    root.enterRoot()
  }

  /// Ends what `enter` began, if that takes no more than that.
  @inline(__always)
  func leaveAtOnce() -> Bool {
    guard parent == nil else { return false }
    guard owned.depth == 1 else {
      owned.depth -= 1
      return true
    }
    return !owned.hasNewChoices && tryLeave()
  }

  /// - Returns: False if there is something on the list.
  @inline(__always)
  private func tryLeave() -> Bool {
    let (done, _) = word.compareExchange(
      expected: Word.inside, desired: Word.outside, ordering: .acquiringAndReleasing)
    if done { owned.depth = 0 }
    return done
  }

  /// Ends what `enter` began. The last one to leave dismantles what was released meanwhile.
  func leave() {
    // Again after each step: code of the user's may have run, and realms may have been merged.
    while !leaveAtOnce() {
      guard parent == nil else { return root.leave() }
      if owned.hasNewChoices { renewStreams() } else { dismantleReleased() }
    }
  }

  /// No round runs, so no one uses what is on the list.
  private func dismantleReleased() {
    var address = word.exchange(Word.inside, ordering: .acquiringAndReleasing)
    while address != Word.inside {
      let link = Link.taken(from: address)
      address = link.next
      // Their sources may be dead now, too. The actor is inside, so these are put on the list.
      let dead = link.dismantle()
      if let first = dead.first { Self.retire(first) }
      if let second = dead.second { Self.retire(second) }
    }
  }

  /// Makes one realm of two.
  static func merge(_ first: Realm, _ second: Realm) {
    let first = first.root
    let second = second.root
    guard first !== second else { return }
    let (root, child) = first.owned.rank < second.owned.rank ? (second, first) : (first, second)
    if root.owned.rank == child.owned.rank { root.owned.rank += 1 }
    if root.owned.depth == 0, child.owned.depth > 0 {
      _ = root.word.exchange(Word.inside, ordering: .acquiringAndReleasing)
    }
    root.owned.depth += child.owned.depth
    root.owned.pulls += child.owned.pulls
    root.owned.isEpochDue = root.owned.isEpochDue || child.owned.isEpochDue
    root.owned.isPullEndDue = true
    root.owned.entriesOfPulls += child.owned.entriesOfPulls
    root.owned.leftSources += child.owned.leftSources
    root.owned.nodesWithReplaced += child.owned.nodesWithReplaced
    // Higher than both: no value may count as computed in the present epoch by chance.
    root.owned.epoch = max(root.owned.epoch, child.owned.epoch) + 1
    root.owned.walk = max(root.owned.walk, child.owned.walk)
    root.owned.postponed.append(child.owned.postponed)
    root.owned.isDeliveringPostponed = root.owned.isDeliveringPostponed || child.owned.isDeliveringPostponed
    root.owned.hasStreams = root.owned.hasStreams || child.owned.hasStreams
    root.owned.newChoices += child.owned.newChoices
    root.owned.hasNewChoices = root.owned.hasNewChoices || child.owned.hasNewChoices
    child.owned.newChoices = []
    child.owned.postponed = WaitingLine()
    child.owned.leftSources = []
    child.owned.nodesWithReplaced = []
    child.owned.entriesOfPulls = 0
    child.parent = root
    var address = child.word.exchange(Word.merged, ordering: .acquiringAndReleasing)
    while address > Word.merged {
      let link = Link.taken(from: address)
      address = link.next
      retire(link)
    }
  }

  // MARK: Any thread

  /// Frees what a dead link holds: at once, or when the owner's actor leaves.
  static func retire(_ link: Link) {
    var next: Link? = link
    var others: [Link] = []
    while let link = next {
      next = nil
      if link.realm?.bury(link) != true {
        let dead = link.dismantle()
        next = dead.first
        if let second = dead.second { others.append(second) }
      }
      if next == nil { next = others.popLast() }
    }
  }

  /// Puts a dead link on the list, if the owner's actor is inside.
  ///
  /// - Returns: False if the actor is outside: the link is the caller's.
  private func bury(_ link: Link) -> Bool {
    var realm = self
    var seen = Word.outside
    // The list's count of the link.
    var isRetained = false
    while true {
      if seen == Word.merged {
        guard let parent = realm.parent else { fatalError("A merged realm has a parent.") }
        realm = parent
        seen = Word.outside
      } else if seen == Word.outside {
        let (done, found) = realm.word.compareExchange(
          expected: seen, desired: seen, ordering: .acquiringAndReleasing)
        if done {
          if isRetained { link.releaseFromList() }
          return false
        }
        seen = found
      } else {
        if !isRetained { link.retainForList() }
        isRetained = true
        link.next = seen
        let (done, found) = realm.word.compareExchange(
          expected: seen, desired: link.address, ordering: .acquiringAndReleasing)
        if done { return true }
        seen = found
      }
    }
  }
}
