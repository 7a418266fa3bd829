// SPDX-License-Identifier: MIT
/// A call that wants the value, whichever load brings it: when another load supersedes the one that it waits for, it
/// waits for that one. Calls of a resource are such; a call of data names one request.
///
/// It belongs to the actor of the data.
final class FollowingCall {
  /// The load that is to answer the call by now.
  var load: LoadRun
  /// The ticket with which the call waits for that load, and leaves it.
  var ticket: Int
  /// Its task was cancelled while it waited.
  private(set) var hasLeft = false

  init(_ load: LoadRun, _ ticket: Int) {
    self.load = load
    self.ticket = ticket
    if load.isCurrent { load.state.waiters.follow(self, as: ticket) }
  }

  /// Suspends until there is no load to wait for any more, or until the calling task is cancelled, which ends the load
  /// if no other call wants it.
  func wait(isolation: isolated any Actor) async {
    guard load.isCurrent else { return }
    let call = ActorBound(self, to: isolation)
    await untilResumed(isolation: isolation) {
      load.suspend($0, as: ticket)
    } onCancel: {
      call.send { $0.leave() }
    }
  }

  /// The call gives up its interest.
  func leave() {
    hasLeft = load.isCurrent
    load.leave(ticket)
  }
}
