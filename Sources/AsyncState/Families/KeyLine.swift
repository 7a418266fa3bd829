// SPDX-License-Identifier: MIT
/// The keys that wait to be requested together, in the order in which they came. A pure value.
///
/// Keys that the operations of other requests await are first, because these could not end otherwise.
struct KeyLine {
  private var lastTicket = 0
  private var waiting: Set<Int> = []

  var isEmpty: Bool { waiting.isEmpty }

  /// The tickets of those that are awaited by the operations of other requests.
  private(set) var awaited: Set<Int> = []

  mutating func add(isAwaited: Bool) -> Int {
    lastTicket += 1
    waiting.insert(lastTicket)
    if isAwaited { awaited.insert(lastTicket) }
    return lastTicket
  }

  /// Notes that the operation of another request awaits it.
  mutating func setAwaited(_ ticket: Int) {
    if waiting.contains(ticket) { awaited.insert(ticket) }
  }

  mutating func remove(_ ticket: Int) {
    waiting.remove(ticket)
    awaited.remove(ticket)
  }

  /// Takes out the next one; nil: none waits.
  mutating func takeFirst() -> Int? {
    guard let ticket = awaited.min() ?? waiting.min() else { return nil }
    remove(ticket)
    return ticket
  }
}
