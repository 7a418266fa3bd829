// SPDX-License-Identifier: MIT
/// What an operation that has room may await: a request, or what leads to one.
protocol RoomBorrower: AnyObject {
  /// The rooms of the operations that await it.
  var rooms: [GateRoom] { get set }

  /// Where it waits at its gate by now, or has room.
  var position: (any GatePosition)? { get }

  /// The requests that must end before it can end.
  var obstacles: [any RoomBorrower] { get }

  /// It has ended, and awaits nothing any more.
  var isOver: Bool { get }
}

extension RoomBorrower {
  /// The operation that has this room awaits it. Neither would end if this, or what must end before it, waited for room.
  func lend(_ room: GateRoom) {
    guard !isOver else { return }
    rooms.append(room)
    position?.add(room)
    for request in obstacles { request.lend(room) }
  }

  /// It is made by this request from now on.
  func passOn(to request: any RoomBorrower) {
    for room in rooms { request.lend(room) }
  }
}

extension GateRoom {
  /// The operation that runs in this task awaits these, if it has room.
  static func lend(to borrowers: @autoclosure () -> [any RoomBorrower]) {
    guard let current else { return }
    for borrower in borrowers() { borrower.lend(current) }
  }
}
