// SPDX-License-Identifier: MIT
import Synchronization

/// Who wants a load to continue: calls that wait for it, a caller that lets it run to its end, and what holds its data, for
/// what the library requests by itself.
///
/// A call gives up its interest on whichever thread its task is cancelled. The last one is the end of the load even while
/// the actor is busy: the operation's task is cancelled at once, and no later call joins. The rest follows on the actor.
struct Interest: ~Copyable, Sendable {
  // Justified: what is read together changes together, in one word. A call that joins has either counted before the last
  // one left, or finds the load lost; a task is stored before it is announced here. Breaks: an operation that continues for
  // no one, or a call that is cancelled with another. Noticed: `LostInterestTests` (3.4), `interest` of `Tests/Stress`.
  private let state = Atomic(State(rawValue: 0))

  private struct State: RawRepresentable, AtomicRepresentable {
    /// The number of calls that wait, and above it the four conditions.
    var rawValue: UInt32

    static let pinned: UInt32 = 1 << 31
    static let lost: UInt32 = 1 << 30
    static let running: UInt32 = 1 << 29
    static let held: UInt32 = 1 << 28

    var waiting: UInt32 { rawValue & (Self.held - 1) }

    func has(_ condition: UInt32) -> Bool { rawValue & condition != 0 }
  }

  /// The number of calls that wait.
  var waiting: Int { Int(state.load(ordering: .relaxed).waiting) }

  /// The last one that wanted the load has left: it is over, or will be as soon as its actor is free.
  var isLost: Bool { state.load(ordering: .acquiring).has(State.lost) }

  /// It runs to its end, whether or not anyone waits.
  var isPinned: Bool { state.load(ordering: .relaxed).has(State.pinned) }

  /// What holds the data wants it, and no caller that lets it run to its end.
  var isOfHolders: Bool {
    let state = state.load(ordering: .relaxed)
    return state.has(State.held) && !state.has(State.pinned)
  }

  /// A call waits from now on.
  func add() { change { $0.rawValue += 1 } }

  /// The load runs to its end, whether or not anyone waits.
  func pin() { change { $0.rawValue |= State.pinned } }

  /// What holds the data wants it. That is looked up, because a release calls nothing.
  func hold() { change { $0.rawValue |= State.held } }

  /// What holds the data wanted it alone, and does so no more.
  func lose() { change { $0.rawValue |= State.lost } }

  /// The task of the operation is stored.
  ///
  /// - Returns: Whether it is to be cancelled, because the last call had left before.
  func taskDidBegin() -> Bool { change { $0.rawValue |= State.running }.has(State.lost) }

  /// A call leaves, on any thread.
  ///
  /// - Returns: Whether the task of the operation is to be cancelled, because this was the last one.
  func remove() -> Bool {
    let left = change {
      assert($0.waiting > 0, "Each call leaves at most once.")
      $0.rawValue -= 1
      if $0.waiting == 0, !$0.has(State.pinned | State.held) { $0.rawValue |= State.lost }
    }
    return left.has(State.lost) && left.has(State.running)
  }

  @discardableResult
  private func change(_ body: (inout State) -> Void) -> State {
    var former = state.load(ordering: .relaxed)
    while true {
      var next = former
      body(&next)
      let result = state.compareExchange(expected: former, desired: next, ordering: .acquiringAndReleasing)
      if result.exchanged { return next }
      former = result.original
    }
  }
}
