// SPDX-License-Identifier: MIT
import Synchronization

/// The interests that let a load continue: calls that wait for it, and a caller that lets it run to its end.
///
/// A call gives up its interest on the thread on which its task is cancelled. The last one ends the load even while the actor
/// is busy: the operation's task is cancelled at once, and no later call joins. The rest follows on the actor.
struct Interest: ~Copyable, Sendable {
  // Justified: values that are read together change together, in one word. A call that joins has either counted before the last
  // one left, or finds the load lost; a task is stored before it is announced here. Breaks: an operation that continues
  // although no call wants it, or a call that is cancelled with another. Noticed: `LostInterestTests` (3.4), `interest` of
  // `Tests/Stress`.
  private let state = Atomic(State(rawValue: 0))

  private struct State: RawRepresentable, AtomicRepresentable {
    /// The number of calls that wait, and above it the three conditions.
    var rawValue: UInt32

    static let pinned: UInt32 = 1 << 31
    static let lost: UInt32 = 1 << 30
    static let running: UInt32 = 1 << 29

    var waiting: UInt32 { rawValue & (Self.running - 1) }

    func has(_ condition: UInt32) -> Bool { rawValue & condition != 0 }
  }

  /// The number of calls that wait.
  var waiting: Int { Int(state.load(ordering: .relaxed).waiting) }

  /// True if the last call that wanted the load has left: the load is over, or will be as soon as its actor is free.
  var isLost: Bool { state.load(ordering: .acquiring).has(State.lost) }

  /// True if it runs to its end, even if no call waits.
  var isPinned: Bool { state.load(ordering: .relaxed).has(State.pinned) }

  /// Adds a call that waits.
  func add() { change { $0.rawValue += 1 } }

  /// Lets the load run to its end, even if no call waits.
  func pin() { change { $0.rawValue |= State.pinned } }

  /// Notes that the task of the operation is stored.
  ///
  /// - Returns: True if it must be cancelled, because the last call had left before.
  func taskDidBegin() -> Bool { change { $0.rawValue |= State.running }.has(State.lost) }

  /// Removes a call, on any thread.
  ///
  /// - Returns: True if the task of the operation must be cancelled, because this was the last call.
  func remove() -> Bool {
    let left = change {
      assert($0.waiting > 0, "Each call leaves at most once.")
      $0.rawValue -= 1
      if $0.waiting == 0, !$0.has(State.pinned) { $0.rawValue |= State.lost }
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
