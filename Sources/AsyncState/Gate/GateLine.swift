// SPDX-License-Identifier: MIT
/// The requests at a gate: those that wait, in the order in which they came, and those that were let in. A pure value.
///
/// A request gets a ticket, waits, is let in, and begins if the gate is still open. From then on it is inside until it leaves.
struct GateLine {
  private(set) var isOpen: Bool
  /// The number of requests that may be inside at a time; nil: any number.
  let width: Int?
  /// The number of requests inside, without those that have passed the width.
  private(set) var count = 0
  private var phases: [Int: Phase] = [:]
  private var lastTicket = 0
  /// No lower ticket waits.
  private var lowest = 1

  private enum Phase {
    /// - Parameter passes: True if it passes the width, because an operation inside awaits it.
    case waiting(passes: Bool)
    /// - Parameter counts: False if it has passed the width.
    case inside(counts: Bool)
  }

  init(isOpen: Bool, width: Int?) {
    self.isOpen = isOpen
    self.width = width.map { max($0, 1) }
  }

  var hasRoom: Bool { width.map { count < $0 } ?? true }

  var waitingCount: Int { phases.values.count { if case .waiting = $0 { true } else { false } } }

  func isWaiting(_ ticket: Int) -> Bool { if case .waiting = phases[ticket] { true } else { false } }

  func isInside(_ ticket: Int) -> Bool { if case .inside = phases[ticket] { true } else { false } }

  // MARK: Changes

  /// Adds a request, behind those that wait. If it passes the width, it is in if the gate is open.
  mutating func add(passes: Bool) -> Int {
    lastTicket += 1
    phases[lastTicket] = .waiting(passes: false)
    if passes { _ = pass(lastTicket) }
    return lastTicket
  }

  /// Lets a request pass the width, because an operation inside awaits it. One that is inside already goes on counting.
  ///
  /// - Returns: True if it was let in by this.
  mutating func pass(_ ticket: Int) -> Bool {
    guard isWaiting(ticket) else { return false }
    phases[ticket] = isOpen ? .inside(counts: false) : .waiting(passes: true)
    return isOpen
  }

  /// Begins a request that was let in. If the gate has closed since, it waits again, in its place.
  ///
  /// - Returns: True if it has begun.
  mutating func begin(_ ticket: Int) -> Bool {
    guard case .inside(let counts) = phases[ticket] else { return false }
    guard !isOpen else { return true }
    if counts { count -= 1 }
    phases[ticket] = .waiting(passes: !counts)
    lowest = min(lowest, ticket)
    return false
  }

  /// Removes a request that has ended, or does not wait any more. Does nothing the second time.
  mutating func remove(_ ticket: Int) {
    if case .inside(counts: true) = phases.removeValue(forKey: ticket) { count -= 1 }
  }

  /// - Returns: True if this is a change.
  mutating func set(isOpen: Bool) -> Bool {
    guard self.isOpen != isOpen else { return false }
    self.isOpen = isOpen
    if isOpen {
      for (ticket, phase) in phases { if case .waiting(passes: true) = phase { _ = pass(ticket) } }
    }
    return true
  }

  /// Lets in as many of those that wait as there is room for.
  ///
  /// - Returns: Their tickets.
  mutating func letIn() -> [Int] {
    var tickets: [Int] = []
    while isOpen, hasRoom, let ticket = first {
      phases[ticket] = .inside(counts: true)
      count += 1
      tickets.append(ticket)
    }
    return tickets
  }

  /// The one that has waited longest. Each ticket is passed once, unless it waits again.
  private var first: Int? {
    mutating get {
      while lowest <= lastTicket, !isWaiting(lowest) { lowest += 1 }
      return lowest <= lastTicket ? lowest : nil
    }
  }
}
