// SPDX-License-Identifier: MIT
/// Sends by a board: only while it is open, and only as many requests at a time as the board allows.
protocol BoardSender: AnyObject {
  func boardDidOpen()

  /// There is room for a request of this sender.
  ///
  /// - Returns: Whether the sender takes it: for a request, or to leave it again.
  func hasRoomNow() -> Bool
}

/// The outboxes of a board, and the requests of all of them.
final class BoardSenders {
  private struct WeakSender {
    weak var sender: (any BoardSender)?
  }

  /// The largest number of requests at a time.
  private let width: Int
  private var count = 0
  private var senders: [WeakSender] = []
  /// Those that have found no room, in order.
  private var waiting = WaitingLine<WeakSender>()

  init(width: Int) {
    self.width = width
  }

  func add(_ sender: any BoardSender) {
    senders.append(WeakSender(sender: sender)) { $0.sender == nil }
  }

  func boardDidOpen() {
    for sender in senders.compactMap(\.sender) { sender.boardDidOpen() }
  }

  /// Takes room for a request.
  ///
  /// - Returns: False if there is none. The sender is called when there is.
  func enter(_ sender: any BoardSender) -> Bool {
    if count < width {
      count += 1
      return true
    }
    waiting.append(WeakSender(sender: sender)) { $0.sender == nil || $0.sender === sender }
    return false
  }

  /// A request has ended, or its room is not used.
  func leave() {
    count -= 1
    assert(count >= 0, "Each request ends once.")
    while count < width, let next = waiting.takeFirst() {
      // Taken before the sender is called: it acts later.
      count += 1
      if next.sender?.hasRoomNow() == true { return }
      count -= 1
    }
  }
}
