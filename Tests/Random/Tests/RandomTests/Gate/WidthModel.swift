// SPDX-License-Identifier: MIT
import AsyncState

/// Which requests of seven resources begin at a gate with a width, written from laws 3.17 and 3.24: a plain program without
/// tasks. The operations of the last three await another resource.
struct WidthModel {
  enum Phase { case waiting, inside, passed }

  struct Request {
    let ticket: Int
    var phase = Phase.waiting
    var isPinned = false
    /// An operation that was let in has made it, or awaits it.
    var passes = false
  }

  enum Caller: Hashable {
    case test(Int)
    /// The operation of another resource.
    case operation(Int)
  }

  static let count = 7

  /// The resource that the operation of another one awaits. They make a chain, and a second way to its end.
  static func awaited(by place: Int) -> Int? { [4: 0, 5: 4, 6: 0][place] }

  let width: Int
  var isOpen = true
  private(set) var requests: [Int: Request] = [:]
  /// The calls that wait, and for which resource.
  private(set) var calls: [Caller: Int] = [:]
  private(set) var ends: [Int: String] = [:]
  /// The requests that have begun, by resource.
  private(set) var sent: [Int] = []
  private var ticketCount = 0

  init(width: Int) { self.width = width }

  var roomCount: Int { requests.values.count { $0.phase == .inside } }
  var waitingCount: Int { requests.values.count { $0.phase == .waiting } }

  /// True if the operation of a resource awaits another one, or is awaited by one: then several requests end one after another,
  /// and what has room meanwhile may still join one of them.
  func isInChain(_ place: Int) -> Bool {
    calls.contains { caller, awaited in
      if case .operation(let outer) = caller { outer == place || awaited == place } else { false }
    }
  }

  /// The resource of a call that waits.
  func place(of number: Int) -> Int? { calls[.test(number)] }

  // MARK: At the gate

  /// All that may begin are let in, and then their operations run.
  private mutating func letIn() {
    guard isOpen else { return }
    var begun: [Int] = []
    for place in requests.keys where requests[place]?.phase == .waiting && requests[place]?.passes == true {
      requests[place]?.phase = .passed
      begun.append(place)
    }
    let waiting = requests.filter { $0.value.phase == .waiting }.sorted { $0.value.ticket < $1.value.ticket }
    for place in waiting.map(\.key).prefix(max(width - roomCount, 0)) {
      requests[place]?.phase = .inside
      begun.append(place)
    }
    for place in begun { begin(place) }
  }

  /// The operation runs, and first awaits its resource.
  private mutating func begin(_ place: Int) {
    sent.append(place)
    if let awaited = Self.awaited(by: place) { join(awaited, as: .operation(place)) }
  }

  private mutating func join(_ place: Int, as caller: Caller) {
    calls[caller] = place
    if requests[place] == nil { add(place, isPinned: false) }
    if case .operation = caller { requests[place]?.passes = true }
    letIn()
  }

  private mutating func add(_ place: Int, isPinned: Bool) {
    ticketCount += 1
    requests[place] = Request(ticket: ticketCount, isPinned: isPinned)
  }

  // MARK: Commands

  mutating func set(isOpen: Bool) {
    self.isOpen = isOpen
    letIn()
  }

  mutating func start(_ place: Int) {
    if requests[place] == nil { add(place, isPinned: true) }
    requests[place]?.isPinned = true
    letIn()
  }

  /// Another request takes its place; what awaits the one awaits the other.
  mutating func reload(_ place: Int) {
    requests[place] = nil
    leave(.operation(place))
    add(place, isPinned: true)
    requests[place]?.passes = calls.contains { if case .operation = $0.key { $0.value == place } else { false } }
    letIn()
  }

  mutating func call(_ place: Int, as number: Int) { join(place, as: .test(number)) }

  mutating func leave(_ number: Int) {
    guard calls[.test(number)] != nil else { return }
    ends[number] = "cancelled"
    leave(.test(number))
    letIn()
  }

  mutating func end(_ place: Int, _ word: String) {
    remove(place, word)
    letIn()
  }

  /// A caller gives up what it awaits.
  private mutating func leave(_ caller: Caller) {
    guard let place = calls.removeValue(forKey: caller) else { return }
    if requests[place]?.isPinned == false, !calls.values.contains(place) { remove(place, "cancelled") }
  }

  private static let interrupted = "failure \(RequestInterruptedError())"

  /// A request ends: its operation gives up what it awaits, and the operations that await it return.
  private mutating func remove(_ place: Int, _ word: String) {
    guard requests.removeValue(forKey: place) != nil else { return }
    leave(.operation(place))
    let callers = calls.filter { $0.value == place }.map(\.key)
    for caller in callers { calls[caller] = nil }
    for caller in callers {
      switch caller {
      case .test(let number): ends[number] = word
      // What awaits a request that was cancelled has failed: it was not cancelled itself.
      case .operation(let outer): remove(outer, word == "cancelled" ? Self.interrupted : word)
      }
    }
  }
}
