// SPDX-License-Identifier: MIT
/// How much a request is needed: the greater begins first.
@usableFromInline
enum RequestNeed: Int, CaseIterable, Sendable {
  /// Nothing holds what it is for.
  case prefetched
  case held
  /// A call waits for it.
  case awaited
  /// A visible host displays what it is for, or a person has made it: a command.
  case displayed
}

/// The requests at a gate, and which of them may begin. A pure value.
///
/// A request gets a ticket, waits in the line of its need, is let in, and begins, if the gate is open still. It has a room
/// then, until it leaves.
struct GateLine {
  private(set) var isOpen: Bool
  /// How many requests may have a room.
  let width: Int
  /// How many have one.
  private(set) var roomCount = 0
  private var lastTicket = 0
  private var places: [Int: Place] = [:]
  /// The tickets of those that wait, by need.
  private var lines = [TicketLine](repeating: TicketLine(), count: RequestNeed.allCases.count)
  /// Those that were let in and have not begun.
  private var admitted: Set<Int> = []
  /// Those that wait, and are awaited by the operations of others.
  private var nested: Set<Int> = []

  private struct Place {
    var need: RequestNeed
    var phase = Phase.waiting
    /// The requests whose operations await this one.
    var hosts: [Int] = []

    var hasRoom: Bool { phase == .inside(hasRoom: true) }
  }

  private enum Phase: Equatable {
    case waiting
    /// It was let in. Without a room if the request that awaits it has one.
    case inside(hasRoom: Bool)
  }

  init(isOpen: Bool, width: Int) {
    self.isOpen = isOpen
    self.width = max(width, 1)
  }

  /// A request that is awaited by these could begin at once.
  func isFree(for hosts: [Int]) -> Bool { isOpen && (roomCount < width || hosts.contains(where: isInside)) }

  var waitingCount: Int { lines.reduce(0) { $0 + $1.count } }

  func isWaiting(_ ticket: Int) -> Bool { places[ticket]?.phase == .waiting }

  func isInside(_ ticket: Int) -> Bool {
    guard let place = places[ticket] else { return false }
    return place.phase != .waiting
  }

  // MARK: Changes

  /// A request begins to wait.
  mutating func add(_ need: RequestNeed, for hosts: [Int]) -> Int {
    lastTicket += 1
    places[lastTicket] = Place(need: need, hosts: hosts)
    lines[need.rawValue].insert(lastTicket)
    if !hosts.isEmpty { nested.insert(lastTicket) }
    return lastTicket
  }

  /// Whether a request that was let in begins now. It is not let in any more where the gate has closed since.
  mutating func begin(_ ticket: Int) -> Bool {
    guard isInside(ticket) else { return false }
    admitted.remove(ticket)
    return true
  }

  /// A request does not wait any more, or is over. Does nothing the second time.
  mutating func remove(_ ticket: Int) {
    guard let place = places.removeValue(forKey: ticket) else { return }
    if place.phase == .waiting { lines[place.need.rawValue].remove(ticket) }
    if place.hasRoom { roomCount -= 1 }
    admitted.remove(ticket)
    nested.remove(ticket)
  }

  mutating func set(_ need: RequestNeed, of ticket: Int) {
    guard let former = places[ticket]?.need, former != need else { return }
    places[ticket]?.need = need
    guard places[ticket]?.phase == .waiting else { return }
    lines[former.rawValue].remove(ticket)
    lines[need.rawValue].insert(ticket)
  }

  /// The operation of another request awaits this one.
  mutating func add(host: Int, of ticket: Int) {
    guard let place = places[ticket], !place.hosts.contains(host) else { return }
    places[ticket]?.hosts.append(host)
    if place.phase == .waiting { nested.insert(ticket) }
  }

  /// - Returns: Whether this is a change.
  mutating func set(isOpen: Bool) -> Bool {
    guard self.isOpen != isOpen else { return false }
    self.isOpen = isOpen
    guard !isOpen else { return true }
    // What has not begun does not begin.
    for ticket in admitted {
      guard let place = places[ticket] else { continue }
      if place.hasRoom { roomCount -= 1 }
      places[ticket]?.phase = .waiting
      lines[place.need.rawValue].insert(ticket)
      if !place.hosts.isEmpty { nested.insert(ticket) }
    }
    admitted = []
    return true
  }

  /// Lets in what may begin: what is awaited by operations that have begun, because they could not end otherwise, and then
  /// as many as there are rooms, in order of need.
  ///
  /// - Returns: The tickets.
  mutating func letIn() -> [Int] {
    guard isOpen else { return [] }
    var tickets: [Int] = []
    for ticket in nested.sorted() {
      guard let place = places[ticket], place.hosts.contains(where: isInside) else { continue }
      lines[place.need.rawValue].remove(ticket)
      letIn(ticket, hasRoom: false, &tickets)
    }
    while roomCount < width, let need = lines.indices.last(where: { !lines[$0].isEmpty }) {
      guard let ticket = lines[need].takeFirst() else { break }
      roomCount += 1
      letIn(ticket, hasRoom: true, &tickets)
    }
    return tickets
  }

  private mutating func letIn(_ ticket: Int, hasRoom: Bool, _ tickets: inout [Int]) {
    places[ticket]?.phase = .inside(hasRoom: hasRoom)
    admitted.insert(ticket)
    nested.remove(ticket)
    tickets.append(ticket)
  }
}

/// Tickets in their order.
private struct TicketLine {
  private var tickets: [Int] = []
  /// How many of these were taken.
  private var takenCount = 0

  var isEmpty: Bool { count == 0 }
  var count: Int { tickets.count - takenCount }

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

  mutating func remove(_ ticket: Int) {
    let place = place(of: ticket)
    guard place < tickets.count, tickets[place] == ticket else { return }
    tickets.remove(at: place)
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
