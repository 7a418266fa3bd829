// SPDX-License-Identifier: MIT
/// The requests at a gate, and the order in which they begin. A pure value.
///
/// A request gets a ticket, waits in the line of its need, is let in, and begins if the gate is still open. From then on it has
/// a room until it leaves.
struct GateLine {
  private(set) var isOpen: Bool
  /// The number of requests that may have a room.
  let width: Int
  /// The number of requests that have one.
  private(set) var roomCount = 0
  private var lastTicket = 0
  private var places: [Int: Place] = [:]
  /// The tickets of those that wait.
  private var waiting = NeedLine(ranks: RequestNeed.allCases.count)
  /// The tickets that were let in and have not begun.
  private var admitted: Set<Int> = []
  /// The tickets that wait, and are awaited by the operations of others.
  private var nested: Set<Int> = []
  /// The tickets that were let in without a room, because an operation that has begun awaits them.
  private var guests: Set<Int> = []

  private struct Place {
    var need: RequestNeed
    var phase = Phase.waiting
    /// The requests whose operations await this one.
    var hosts: [Int] = []

    var hasRoom: Bool { phase == .inside(hasRoom: true) }
  }

  private enum Phase: Equatable {
    case waiting
    /// It was let in. It has no room if the request that awaits it has one.
    case inside(hasRoom: Bool)
  }

  init(isOpen: Bool, width: Int) {
    self.isOpen = isOpen
    self.width = max(width, 1)
  }

  /// True if a request that is awaited by these could begin at once.
  func isFree(for hosts: [Int]) -> Bool { isOpen && (roomCount < width || hosts.contains(where: isInside)) }

  var waitingCount: Int { waiting.count }

  func isWaiting(_ ticket: Int) -> Bool { places[ticket]?.phase == .waiting }

  func isInside(_ ticket: Int) -> Bool {
    guard let place = places[ticket] else { return false }
    return place.phase != .waiting
  }

  // MARK: Changes

  /// Adds a request that waits.
  mutating func add(_ need: RequestNeed, for hosts: [Int]) -> Int {
    lastTicket += 1
    places[lastTicket] = Place(need: need, hosts: hosts)
    waiting.insert(lastTicket, need.rawValue)
    if !hosts.isEmpty { nested.insert(lastTicket) }
    return lastTicket
  }

  /// Begins a request if it is still let in. It is not if the gate has closed since it was let in.
  mutating func begin(_ ticket: Int) -> Bool {
    guard isInside(ticket) else { return false }
    admitted.remove(ticket)
    return true
  }

  /// Removes a request that has ended, or does not wait any more. Does nothing the second time.
  mutating func remove(_ ticket: Int) {
    guard let place = places.removeValue(forKey: ticket) else { return }
    if place.phase == .waiting { waiting.remove(ticket, place.need.rawValue) }
    if place.hasRoom { roomCount -= 1 }
    admitted.remove(ticket)
    nested.remove(ticket)
    guests.remove(ticket)
    if place.phase != .waiting { giveRooms() }
  }

  /// A guest whose hosts have all ended gets a room, even where none is free. Then no request is let in until one is.
  private mutating func giveRooms() {
    for ticket in guests where places[ticket]?.hosts.contains(where: isInside) != true {
      places[ticket]?.phase = .inside(hasRoom: true)
      roomCount += 1
      guests.remove(ticket)
    }
  }

  mutating func set(_ need: RequestNeed, of ticket: Int) {
    guard let former = places[ticket]?.need, former != need else { return }
    places[ticket]?.need = need
    guard places[ticket]?.phase == .waiting else { return }
    waiting.remove(ticket, former.rawValue)
    waiting.insert(ticket, need.rawValue)
  }

  /// Notes that the operation of another request awaits this one.
  mutating func add(host: Int, of ticket: Int) {
    guard let place = places[ticket], !place.hosts.contains(host) else { return }
    places[ticket]?.hosts.append(host)
    if place.phase == .waiting { nested.insert(ticket) }
  }

  /// - Returns: True if this is a change.
  mutating func set(isOpen: Bool) -> Bool {
    guard self.isOpen != isOpen else { return false }
    self.isOpen = isOpen
    guard !isOpen else { return true }
    // Requests that were let in and have not begun wait again.
    for ticket in admitted {
      guard let place = places[ticket] else { continue }
      if place.hasRoom { roomCount -= 1 }
      places[ticket]?.phase = .waiting
      guests.remove(ticket)
      waiting.insert(ticket, place.need.rawValue)
      if !place.hosts.isEmpty { nested.insert(ticket) }
    }
    admitted = []
    return true
  }

  /// Lets in the requests that may begin: first those that operations inside await, because these could not end otherwise, and
  /// then as many as there are rooms, in order of need.
  ///
  /// - Returns: The tickets.
  mutating func letIn() -> [Int] {
    guard isOpen else { return [] }
    var tickets: [Int] = []
    for ticket in nested.sorted() {
      guard let place = places[ticket], place.hosts.contains(where: isInside) else { continue }
      waiting.remove(ticket, place.need.rawValue)
      guests.insert(ticket)
      letIn(ticket, hasRoom: false, &tickets)
    }
    while roomCount < width, let ticket = waiting.takeFirst() {
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
