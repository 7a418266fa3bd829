// SPDX-License-Identifier: MIT
/// The commit of one optimistic change: it decides whether it may still begin, and resumes the call that waits for that.
final class Commit: LaneItem {
  /// Its place among the changes of its data.
  let number: Int
  /// The reason for which it ended before it was decided; nil while it may still be decided.
  private(set) var ending: LoadEnd?
  var isOver: Bool { ending != nil }
  /// True if it has its lane, or needs none.
  private(set) var hasTurn = false
  /// The mark of the value when the change was sent first; nil: it was not sent.
  private(set) var sentAt: ValueMark?
  /// True if it is not displayed any more.
  private(set) var isDropped = false
  /// True if it has been decided, or given up: what its operation returns decides nothing any more.
  private(set) var isSettled = false
  /// Its place at its gate, while it waits there or is inside.
  private(set) var place: GatePlace?
  /// Its request, if that is a load of its own.
  private weak var request: LoadRun?
  /// The gates of which it passes the width.
  private(set) var passedGates: [LoadGate] = []
  /// True while its operation runs.
  var isAtWork = false
  private var continuation: SuspendedCall?

  init(number: Int) {
    self.number = number
  }

  /// Keeps a call that waits until the commit has its turn or is over.
  func wait(_ call: SuspendedCall) {
    if hasTurn || ending != nil { call.resume() } else { continuation = call }
  }

  func takeTurn() {
    hasTurn = true
    resume()
  }

  /// Keeps its place at a gate, before it waits there.
  func wait(at place: GatePlace) {
    self.place = place
  }

  func leaveGate() { place.take()?.leave() }

  /// Notes that it is sent by a load of its own.
  func send(by load: LoadRun) {
    request = load
    load.pass(passedGates)
  }

  /// Lets it pass the width of these gates, also if it waits already, because operations inside await it.
  func pass(_ gates: [LoadGate]) {
    guard !isOver, !gates.isEmpty else { return }
    passedGates += gates
    place?.pass(gates)
    request?.pass(gates)
  }

  /// Notes that it is sent, perhaps once more.
  func send(at mark: ValueMark) {
    assert(hasTurn, "A commit is sent in its turn.")
    if sentAt == nil { sentAt = mark }
  }

  /// Removes it from the display. It is sent all the same.
  func drop() {
    isDropped = true
  }

  /// Notes its end, whatever is displayed.
  func settle() {
    isSettled = true
  }

  /// Ends it: its operation is not called any more, and its caller gets no value.
  func end(_ reason: LoadEnd) {
    isDropped = true
    if ending == nil { ending = reason }
    resume()
    leaveGate()
    // Whatever its operation throws from now on is no interruption.
    request?.state.extras?.isCommand = false
    // A running operation decides by its result. One that waits for room, or for another attempt, is not called any more.
    if !isAtWork { request?.cancel() }
  }

  private func resume() {
    continuation.take()?.resume()
  }
}

/// The state of a value at the time when a change was sent or confirmed.
struct ValueMark: Equatable {
  /// The number of writes by values that may or may not contain the change.
  var writes: UInt32
  /// The number of these writes and of other confirmed changes.
  var confirmations: UInt32

  /// True if something was confirmed between the two marks. The counts are those of the same data, and may overflow.
  func isBefore(_ other: ValueMark) -> Bool { Int32(bitPattern: other.confirmations &- confirmations) > 0 }
}
