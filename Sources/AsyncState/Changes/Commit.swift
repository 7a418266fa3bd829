// SPDX-License-Identifier: MIT
/// The commit of one optimistic change: whether it may still begin, and who awaits that.
final class Commit: LaneItem, RoomBorrower {
  /// Its place among the changes of its data.
  let number: Int
  /// How it ended before it was decided; nil while it may still be.
  private(set) var ending: LoadEnd?
  var isOver: Bool { ending != nil }
  /// It has its lane, or needs none.
  private(set) var hasTurn = false
  /// What the value was when the change was sent first; nil: it was not.
  private(set) var sentAt: ValueMark?
  /// Nothing is displayed of it any more.
  private(set) var isDropped = false
  /// Where it waits at its gate, or has room.
  private(set) var place: GatePlace?
  /// Its request, if that is a load of its own.
  private weak var request: LoadRun?
  var rooms: [GateRoom] = []
  /// Its operation runs.
  var isAtWork = false
  private var continuation: SuspendedCall?

  init(number: Int) {
    self.number = number
  }

  /// The call waits until the commit has its turn or is over.
  func wait(_ call: SuspendedCall) {
    if hasTurn || ending != nil { call.resume() } else { continuation = call }
  }

  func takeTurn() {
    hasTurn = true
    resume()
  }

  /// It is about to wait at a gate.
  func wait(at place: GatePlace) {
    self.place = place
  }

  func leaveGate() { place.take()?.leave() }

  /// It is sent by a load of its own.
  func send(by load: LoadRun) {
    request = load
    passOn(to: load)
  }

  var position: (any GatePosition)? { place }

  var obstacles: [any RoomBorrower] { request.map { [$0] } ?? [] }

  /// It is sent, perhaps once more.
  func send(at mark: ValueMark) {
    assert(hasTurn, "A commit is sent in its turn.")
    if sentAt == nil { sentAt = mark }
  }

  /// What is just being written has nothing of it, such as a page of other rows.
  func ignoreOneWrite() {
    sentAt?.writes &+= 1
  }

  /// Nothing is displayed of it any more. It is sent all the same.
  func drop() {
    isDropped = true
  }

  /// Its operation is not called any more, and its caller gets no value.
  func end(_ reason: LoadEnd) {
    isDropped = true
    if ending == nil { ending = reason }
    resume()
    leaveGate()
    // What the operation returns decides. One that waits for room, or for another attempt, is not called any more.
    if !isAtWork { request?.cancel() }
  }

  private func resume() {
    continuation.take()?.resume()
  }
}

/// What a value was when a change was sent, or confirmed.
struct ValueMark: Equatable {
  /// By what may contain the change, or may not.
  var writes: UInt32
  /// By that, and by other changes.
  var confirmations: UInt32

  /// Something was confirmed between the two. The counts are those of the same data, and begin anew.
  func isBefore(_ other: ValueMark) -> Bool { Int32(bitPattern: other.confirmations &- confirmations) > 0 }
}
