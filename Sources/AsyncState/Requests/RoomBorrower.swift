// SPDX-License-Identifier: MIT
/// Something that an operation with room may await: a request, or a call that leads to one.
protocol RoomBorrower: AnyObject {
  /// The rooms of the operations that await it.
  var rooms: [GateRoom] { get set }

  /// Its position at its gate, while it waits there or has room.
  var position: (any GatePosition)? { get }

  /// The requests that must end before it can end.
  var obstacles: [any RoomBorrower] { get }

  /// True if it has ended, and awaits nothing any more.
  var isOver: Bool { get }
}

extension RoomBorrower {
  /// Lends a room of an operation that awaits this. Neither would end if this, or a request that must end before it, waited for
  /// room.
  func lend(_ room: GateRoom) {
    guard !isOver else { return }
    rooms.append(room)
    position?.add(room)
    for request in obstacles { request.lend(room) }
  }

  /// Passes on its rooms to the request that does its work.
  func passOn(to request: any RoomBorrower) {
    for room in rooms { request.lend(room) }
  }
}

extension GateRoom {
  /// Lends the room of the operation that runs in this task, if it has one, to the borrowers that it awaits.
  static func lend(to borrowers: @autoclosure () -> [any RoomBorrower]) {
    guard let current else { return }
    for borrower in borrowers() { borrower.lend(current) }
  }
}
