// SPDX-License-Identifier: MIT
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

  // MARK: At the gate

  private mutating func letIn() {
    guard isOpen else { return }
    while let place = requests.first(where: { $0.value.phase == .waiting && $0.value.passes })?.key {
      begin(place, .passed)
    }
    while roomCount < width {
      let waiting = requests.filter { $0.value.phase == .waiting }
      guard let place = waiting.min(by: { $0.value.ticket < $1.value.ticket })?.key else { return }
      begin(place, .inside)
    }
  }

  /// The operation runs, and first awaits its resource.
  private mutating func begin(_ place: Int, _ phase: Phase) {
    requests[place]?.phase = phase
    sent.append(place)
    guard let awaited = Self.awaited(by: place) else { return }
    join(awaited, as: .operation(place))
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
    leaveAwaited(of: place)
    add(place, isPinned: true)
    requests[place]?.passes = calls.contains { if case .operation = $0.key { $0.value == place } else { false } }
    letIn()
  }

  mutating func call(_ place: Int, as number: Int) { join(place, as: .test(number)) }

  mutating func leave(_ number: Int) {
    guard calls[.test(number)] != nil else { return }
    ends[number] = "cancelled"
    leave(.test(number))
  }

  private mutating func leave(_ caller: Caller) {
    guard let place = calls.removeValue(forKey: caller) else { return }
    if requests[place]?.isPinned == false, !calls.values.contains(place) { end(place, "cancelled") }
  }

  /// The operation of a request that has ended gives up what it awaits.
  private mutating func leaveAwaited(of place: Int) {
    leave(.operation(place))
    letIn()
  }

  /// A request ends, and the operations that await it return.
  mutating func end(_ place: Int, _ word: String) {
    guard requests.removeValue(forKey: place) != nil else { return }
    leaveAwaited(of: place)
    for (caller, other) in calls where other == place {
      calls[caller] = nil
      switch caller {
      case .test(let number): ends[number] = word
      case .operation(let outer): end(outer, word)
      }
    }
    letIn()
  }
}
