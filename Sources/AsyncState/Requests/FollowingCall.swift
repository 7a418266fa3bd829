// SPDX-License-Identifier: MIT
import Synchronization

/// A call that wants the value from any load: when another load supersedes the one that it waits for, it waits for that one.
/// Calls of a resource are such calls; a call of data names one request.
///
/// It belongs to the actor of the data.
final class FollowingCall {
  /// The load that will answer the call.
  private(set) var load: LoadRun
  /// The ticket with which the call waits for that load, and leaves it.
  private(set) var ticket: Int

  // Justified: the actor changes `load` only after it has made this `moving`, and a thread that cancels the call reads it
  // only if it has found `waiting`. Noticed: `LostInterestTests` (3.4), `interest` of `Tests/Stress`.
  private let phase = Atomic(Phase.waiting)

  private enum Phase: UInt8, AtomicRepresentable {
    case waiting
    /// Another load is just taking the place of the one that it waits for.
    case moving
    /// The call has given up its interest.
    case left
  }

  /// The gates where an operation that makes the call was let in.
  private let gates = LetIn.gates

  /// True if its task was cancelled while it waited.
  private(set) var hasLeft = false

  init(_ load: LoadRun, _ ticket: Int) {
    self.load = load
    self.ticket = ticket
    if load.isCurrent { load.state.waiters.follow(self, as: ticket) }
    load.noteAwaited()
  }

  /// Suspends until no load is left to wait for, or until the calling task is cancelled, which ends the load if no other call
  /// wants it.
  func wait(isolation: isolated (any Actor)?) async {
    guard load.isCurrent, let home = isolation else { return }
    let call = ActorBound(self, to: home)
    await untilResumed(isolation: isolation) {
      load.suspend($0, as: ticket)
    } onCancel: {
      // Justified: see `phase`. Noticed: `interest` of `Tests/Stress` under the thread sanitizer.
      unsafe call.withObject { $0.loseInterest() }
      call.send { $0.stopWaiting() }
    }
  }

  /// The call gives up its interest.
  func leave() {
    loseInterest()
    stopWaiting()
  }

  /// Gives up the interest on any thread; `stopWaiting()` follows on the actor.
  private func loseInterest() {
    // While it moves, the actor does it.
    if phase.exchange(.left, ordering: .acquiringAndReleasing) == .waiting { load.loseInterest() }
  }

  private func stopWaiting() {
    hasLeft = hasLeft || load.isCurrent
    load.leave(ticket)
  }

  /// Makes the call wait for another load, which takes the place of the one that it waits for.
  ///
  /// - Returns: False if the call has left before.
  func move(to next: LoadRun) -> Bool {
    guard change(.waiting, to: .moving) else {
      hasLeft = true
      return false
    }
    load = next
    ticket = next.join()
    next.pass(gates)
    if !change(.moving, to: .waiting) { next.loseInterest() }
    return true
  }

  private func change(_ former: Phase, to next: Phase) -> Bool {
    phase.compareExchange(expected: former, desired: next, ordering: .acquiringAndReleasing).exchanged
  }
}
