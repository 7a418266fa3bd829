// SPDX-License-Identifier: MIT
/// Tickets that wait: those of the greatest rank are first, and among equals the one that has waited longest. A pure value.
///
/// To add the newest ticket and to take the first take constant time on average. To find any other place takes logarithmic
/// time.
struct NeedLine {
  private var lines: [TicketLine]
  private(set) var count = 0

  /// - Parameter ranks: The number of ranks, from zero.
  init(ranks: Int) {
    lines = Array(repeating: TicketLine(), count: ranks)
  }

  var isEmpty: Bool { count == 0 }

  /// The greatest rank that a ticket has; nil: none waits.
  var highest: Int? { lines.lastIndex { !$0.isEmpty } }

  mutating func insert(_ ticket: Int, _ rank: Int) {
    lines[rank].insert(ticket)
    count += 1
  }

  /// Does nothing if the ticket is not there.
  mutating func remove(_ ticket: Int, _ rank: Int) {
    if lines[rank].remove(ticket) { count -= 1 }
  }

  /// - Returns: The first ticket; nil: none waits.
  mutating func takeFirst() -> Int? {
    guard let highest else { return nil }
    count -= 1
    return lines[highest].takeFirst()
  }
}

/// Tickets in their order.
private struct TicketLine {
  private var tickets: [Int] = []
  /// The number of tickets that were taken.
  private var takenCount = 0

  var isEmpty: Bool { tickets.count == takenCount }

  /// The place of the first ticket that is not less than this one.
  private func place(of ticket: Int) -> Int {
    var (low, high) = (takenCount, tickets.count)
    while low < high {
      let middle = (low + high) / 2
      if tickets[middle] < ticket { low = middle + 1 } else { high = middle }
    }
    return low
  }

  mutating func insert(_ ticket: Int) {
    tickets.insert(ticket, at: place(of: ticket))
  }

  /// - Returns: True if it was there.
  mutating func remove(_ ticket: Int) -> Bool {
    let place = place(of: ticket)
    guard place < tickets.count, tickets[place] == ticket else { return false }
    tickets.remove(at: place)
    return true
  }

  mutating func takeFirst() -> Int? {
    guard !isEmpty else { return nil }
    defer {
      takenCount += 1
      if takenCount >= 32, 2 * takenCount >= tickets.count {
        tickets.removeFirst(takenCount)
        takenCount = 0
      }
    }
    return tickets[takenCount]
  }
}
