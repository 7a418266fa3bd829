// SPDX-License-Identifier: MIT
/// Which requests of six resources begin at a gate with a width, written from laws 3.17, 3.24 and 3.25: a plain program
/// without tasks. The last three are only prefetched.
struct RoomModel {
  enum Need: Int { case prefetched, held, awaited, displayed }

  struct Request {
    let ticket: Int
    var need: Need
    var isPinned = false
    var hasRoom = false
  }

  static let count = 6
  static let heldCount = 3

  let width: Int
  var isOpen = true
  private(set) var requests: [Int: Request] = [:]
  private(set) var displayed: Set<Int> = []
  /// The calls that wait, by number, and for which resource.
  private(set) var calls: [Int: Int] = [:]
  private(set) var ends: [Int: String] = [:]
  /// The requests that have begun, by resource.
  private(set) var sent: [Int] = []
  private var ticketCount = 0

  init(width: Int) { self.width = width }

  var roomCount: Int { requests.values.filter(\.hasRoom).count }
  var waitingCount: Int { requests.values.filter { !$0.hasRoom }.count }

  private func need(of place: Int) -> Need {
    if displayed.contains(place) { return .displayed }
    if calls.values.contains(place) { return .awaited }
    return place < Self.heldCount ? .held : .prefetched
  }

  private mutating func note(_ place: Int) {
    let need = need(of: place)
    if requests[place]?.hasRoom == false { requests[place]?.need = need }
    letIn()
  }

  private mutating func letIn() {
    while isOpen, roomCount < width {
      let waiting = requests.filter { !$0.value.hasRoom }
      let first = waiting.min {
        ($0.value.need.rawValue, $1.value.ticket) > ($1.value.need.rawValue, $0.value.ticket)
      }
      guard let place = first?.key else { return }
      requests[place]?.hasRoom = true
      sent.append(place)
    }
  }

  private mutating func begin(_ place: Int, isPinned: Bool) {
    ticketCount += 1
    requests[place] = Request(ticket: ticketCount, need: need(of: place), isPinned: isPinned)
    letIn()
  }

  // MARK: Commands

  mutating func set(isOpen: Bool) {
    self.isOpen = isOpen
    letIn()
  }

  /// A start, or a prefetch.
  mutating func start(_ place: Int) {
    guard requests[place] != nil else { return begin(place, isPinned: true) }
    requests[place]?.isPinned = true
    note(place)
  }

  mutating func reload(_ place: Int) {
    requests[place] = nil
    letIn()
    begin(place, isPinned: true)
  }

  mutating func call(_ place: Int, as number: Int) {
    calls[number] = place
    guard requests[place] != nil else { return begin(place, isPinned: false) }
    note(place)
  }

  mutating func leave(_ number: Int) {
    guard let place = calls.removeValue(forKey: number) else { return }
    ends[number] = "cancelled"
    if requests[place]?.isPinned == false, !calls.values.contains(place) { return end(place, "cancelled") }
    note(place)
  }

  mutating func end(_ place: Int, _ word: String) {
    guard requests.removeValue(forKey: place) != nil else { return }
    for (number, other) in calls where other == place {
      calls[number] = nil
      ends[number] = word
    }
    letIn()
  }

  mutating func display(_ place: Int, _ isDisplayed: Bool) {
    if isDisplayed { displayed.insert(place) } else { displayed.remove(place) }
    note(place)
  }
}
