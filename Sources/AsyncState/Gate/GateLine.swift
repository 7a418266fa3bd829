// SPDX-License-Identifier: MIT
/// The requests at a gate: those that wait, in the order in which they came, and those that were let in. A pure value.
///
/// A request gets a ticket, waits, is let in, begins if the gate is still open, and is inside until it leaves.
struct GateLine {
  private(set) var isOpen: Bool
  /// The number of requests that may be inside at a time; nil: any number.
  let width: Int?
  /// The number of requests that were let in, without those that have passed the width.
  private(set) var count = 0
  private var phases: [Int: Phase] = [:]
  private var lastTicket = 0
  /// No lower ticket waits.
  private var lowest = 1

  private enum Phase {
    /// - Parameter passes: True if it passes the width, because an operation inside awaits it.
    case waiting(passes: Bool)
    /// It was let in, and has not begun.
    ///
    /// - Parameter counts: False if it has passed the width.
    case letIn(counts: Bool)
    /// It has begun.
    case inside(counts: Bool)

    /// True if it takes room.
    var counts: Bool {
      switch self {
      case .letIn(let counts), .inside(let counts): counts
      case .waiting: false
      }
    }
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

  /// Lets a request pass the width, because an operation inside awaits it. One that is inside already still counts.
  ///
  /// - Returns: True if it was let in by this.
  mutating func pass(_ ticket: Int) -> Bool {
    guard isWaiting(ticket) else { return false }
    phases[ticket] = isOpen ? .letIn(counts: false) : .waiting(passes: true)
    return isOpen
  }

  /// - Returns: True if it has begun. False if it waits, perhaps again, because the gate has closed since it was let in.
  mutating func begin(_ ticket: Int) -> Bool {
    switch phases[ticket] {
    case .letIn(let counts):
      phases[ticket] = .inside(counts: counts)
      return true
    case .inside: return true
    case .waiting, nil: return false
    }
  }

  /// Removes a request that has ended, or does not wait any more. Does nothing the second time.
  mutating func remove(_ ticket: Int) {
    if phases.removeValue(forKey: ticket)?.counts == true { count -= 1 }
  }

  /// Requests that were let in and have not begun wait again, in their places, if it closes.
  ///
  /// - Returns: True if this is a change.
  mutating func set(isOpen: Bool) -> Bool {
    guard self.isOpen != isOpen else { return false }
    self.isOpen = isOpen
    for (ticket, phase) in phases {
      switch phase {
      case .waiting(passes: true): _ = pass(ticket)
      case .letIn(let counts):
        if counts { count -= 1 }
        phases[ticket] = .waiting(passes: !counts)
        lowest = min(lowest, ticket)
      case .waiting, .inside: break
      }
    }
    return true
  }

  /// Lets in as many of those that wait as there is room for.
  ///
  /// - Returns: Their tickets.
  mutating func letIn() -> [Int] {
    var tickets: [Int] = []
    while isOpen, hasRoom, let ticket = first {
      phases[ticket] = .letIn(counts: true)
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
