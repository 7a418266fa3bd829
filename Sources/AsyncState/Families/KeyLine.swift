// SPDX-License-Identifier: MIT
/// The keys that wait to be requested together, and their order. A pure value.
///
/// Keys that the operations of other requests await are first, because these could not end otherwise; then those with the
/// greatest need, and among equals those that have waited longest.
struct KeyLine {
  private var lastTicket = 0
  private var waiting = NeedLine(ranks: KeyLine.awaitedRank + 1)
  private var ranks: [Int: Int] = [:]

  private static var awaitedRank: Int { RequestNeed.allCases.count }

  var isEmpty: Bool { waiting.isEmpty }

  /// The tickets of those that are awaited by the operations of other requests.
  private(set) var awaited: Set<Int> = []

  /// The need for the first of them.
  var need: RequestNeed { waiting.highest.flatMap { RequestNeed(rawValue: $0) } ?? .displayed }

  mutating func add(_ need: RequestNeed, isAwaited: Bool) -> Int {
    lastTicket += 1
    let rank = isAwaited ? Self.awaitedRank : need.rawValue
    ranks[lastTicket] = rank
    if isAwaited { awaited.insert(lastTicket) }
    waiting.insert(lastTicket, rank)
    return lastTicket
  }

  mutating func set(_ need: RequestNeed, of ticket: Int) {
    if ranks[ticket] != Self.awaitedRank { setRank(need.rawValue, of: ticket) }
  }

  /// Notes that the operation of another request awaits it.
  mutating func setAwaited(_ ticket: Int) {
    guard ranks[ticket] != nil else { return }
    awaited.insert(ticket)
    setRank(Self.awaitedRank, of: ticket)
  }

  private mutating func setRank(_ rank: Int, of ticket: Int) {
    guard let former = ranks[ticket], former != rank else { return }
    waiting.remove(ticket, former)
    waiting.insert(ticket, rank)
    ranks[ticket] = rank
  }

  mutating func remove(_ ticket: Int) {
    if let rank = ranks.removeValue(forKey: ticket) { waiting.remove(ticket, rank) }
    awaited.remove(ticket)
  }

  /// Takes out the next one; nil: none waits.
  mutating func takeFirst() -> Int? {
    guard let ticket = waiting.takeFirst() else { return nil }
    ranks[ticket] = nil
    awaited.remove(ticket)
    return ticket
  }
}
