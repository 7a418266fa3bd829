// SPDX-License-Identifier: MIT
import AsyncState

/// Which requests of seven resources, and which changes of a list, begin at a gate with a width or without one, written from laws
/// 3.17 and 3.24: a plain program without tasks. The operations of the last three resources await another one. A request is named
/// by its resource, or by its change: those have higher numbers.
struct GateModel {
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

  enum End {
    case value(Int)
    case failure, interrupted, cancelled, superseded

    var word: String {
      switch self {
      case .value(let value): "value \(value)"
      case .failure: "failure failure"
      case .interrupted: "failure \(RequestInterruptedError())"
      case .cancelled: "cancelled"
      case .superseded: "superseded"
      }
    }
  }

  static let count = 7
  /// The resource that follows a key.
  static let followed = 3

  /// The resource that the operation of another one awaits. They make a chain, and a second way to its end.
  static func awaited(by place: Int) -> Int? { [4: 0, 5: 4, 6: 0][place] }

  let width: Int?
  var isOpen = true
  private(set) var requests: [Int: Request] = [:]
  private(set) var values: [Int: Int] = [:]
  private(set) var failed: Set<Int> = []
  /// The calls that wait, and for which resource.
  private(set) var calls: [Caller: Int] = [:]
  /// How calls and changes have ended.
  private(set) var ends: [Int: String] = [:]
  /// The requests that have begun.
  private(set) var sent: [Int] = []
  private var key: Int? = 1
  private var isFollowing = false
  /// The changes that are displayed, those of them that are decided, and what is displayed below them.
  private var changes: [Int] = []
  private var decided: Set<Int> = []
  private var confirmed: [Int] = []
  private var ticketCount = 0

  init(width: Int?) { self.width = width }

  var roomCount: Int { requests.values.count { $0.phase == .inside } }
  var waitingCount: Int { requests.values.count { $0.phase == .waiting } }
  var displayed: [Int] { confirmed + changes }

  /// True if the operation of a resource awaits another one, or is awaited by one: then several requests end one after another,
  /// and what has room meanwhile may still join one of them.
  func isInChain(_ place: Int) -> Bool {
    calls.contains { caller, awaited in
      if case .operation(let outer) = caller { outer == place || awaited == place } else { false }
    }
  }

  /// The resource of a call that waits.
  func place(of number: Int) -> Int? { calls[.test(number)] }
  func isAwaited(_ place: Int) -> Bool { calls.values.contains(place) }
  /// True if its operation runs.
  func isRunning(_ place: Int) -> Bool { requests[place].map { $0.phase != .waiting } == true }

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
    for place in waiting.map(\.key).prefix(width.map { max($0 - roomCount, 0) } ?? .max) {
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

  mutating func set(isOpen: Bool) {
    self.isOpen = isOpen
    letIn()
  }

  // MARK: Resources

  /// Without a key there is nothing to request.
  private mutating func hasKey(_ place: Int) -> Bool {
    if place == Self.followed { isFollowing = true }
    return place != Self.followed || key != nil
  }

  mutating func start(_ place: Int) {
    guard hasKey(place) else { return }
    if requests[place] == nil { add(place, isPinned: true) }
    requests[place]?.isPinned = true
    letIn()
  }

  /// Another request takes its place; what awaits the one awaits the other.
  mutating func reload(_ place: Int) {
    guard hasKey(place) else { return }
    requests[place] = nil
    leave(.operation(place))
    add(place, isPinned: true)
    requests[place]?.passes = calls.contains { if case .operation = $0.key { $0.value == place } else { false } }
    letIn()
  }

  mutating func call(_ place: Int, as number: Int) {
    if hasKey(place) { join(place, as: .test(number)) } else { ends[number] = End.cancelled.word }
  }

  mutating func leave(_ number: Int) {
    guard calls[.test(number)] != nil else { return }
    ends[number] = End.cancelled.word
    leave(.test(number))
    letIn()
  }

  mutating func end(_ place: Int, _ end: End) {
    remove(place, end)
    letIn()
  }

  mutating func set(_ place: Int, _ value: Int) {
    note(place, .value(value))
    end(place, .value(value))
  }

  mutating func reset(_ place: Int) {
    end(place, .cancelled)
    values[place] = nil
    failed.remove(place)
  }

  /// Another resource takes its place, which has followed no key yet.
  mutating func release(_ place: Int) {
    if place == Self.followed { isFollowing = false }
    reset(place)
  }

  mutating func setKey(_ next: Int?) {
    guard next != key else { return }
    key = next
    if isFollowing { end(Self.followed, .superseded) }
    reset(Self.followed)
    if isFollowing { start(Self.followed) }
  }

  /// A caller gives up what it awaits.
  private mutating func leave(_ caller: Caller) {
    guard let place = calls.removeValue(forKey: caller) else { return }
    if requests[place]?.isPinned == false, !isAwaited(place) { remove(place, .cancelled) }
  }

  /// A request ends: its operation gives up what it awaits, and the operations that await it return.
  private mutating func remove(_ place: Int, _ end: End) {
    guard requests.removeValue(forKey: place) != nil else { return }
    note(place, end)
    leave(.operation(place))
    let callers = calls.filter { $0.value == place }.map(\.key)
    for caller in callers { calls[caller] = nil }
    for caller in callers {
      switch (caller, end) {
      case (.test(let number), _): ends[number] = end.word
      // What awaits a request that was cancelled has failed: it was not cancelled itself.
      case (.operation(let outer), .cancelled): remove(outer, .interrupted)
      case (.operation(let outer), _): remove(outer, end)
      }
    }
  }

  private mutating func note(_ place: Int, _ end: End) {
    switch end {
    case .value(let value):
      values[place] = value
      failed.remove(place)
    case .failure, .interrupted: failed.insert(place)
    case .cancelled, .superseded: break
    }
  }

  // MARK: Changes

  mutating func change(_ number: Int) {
    changes.append(number)
    add(number, isPinned: true)
    letIn()
  }

  /// One that was sent is decided by what that returns.
  mutating func cancelChange(_ number: Int) {
    guard requests[number]?.phase == .waiting else { return }
    changes.removeAll { $0 == number }
    ends[number] = End.cancelled.word
    end(number, .cancelled)
  }

  mutating func confirmChange(_ number: Int) {
    decided.insert(number)
    // It keeps its place until all before it are decided.
    while let first = changes.first, decided.contains(first) { confirmed.append(changes.removeFirst()) }
    ends[number] = "confirmed"
    end(number, .cancelled)
  }

  /// What is displayed is taken away, and what was done is sent.
  mutating func setList() { (changes, confirmed) = ([], []) }
}
