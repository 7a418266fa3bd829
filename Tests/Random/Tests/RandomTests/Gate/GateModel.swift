// SPDX-License-Identifier: MIT
/// What a gate, three resources and a list of changes are to do, written from law 3.17: a plain program without tasks.
struct GateModel {
  /// What waits at the gate.
  enum Waiter: Hashable {
    case load(Int)
    case commit(Int)
  }

  enum Load { case waiting, sent }

  struct Resource {
    var load: Load?
    var isPinned = false
    var value: Int?
    var hasFailed = false
    /// The structured calls that wait, by number.
    var calls: Set<Int> = []
  }

  var isOpen = true
  var resources = [Resource](repeating: Resource(), count: 3)
  /// The key that the last resource follows, once it was requested.
  var key: Int? = 1
  var isFollowing = false
  /// In the order in which they began to wait.
  var queue: [Waiter] = []
  /// What was requested, in the order of the gate.
  var sent: [Waiter] = []
  /// How structured calls and changes ended.
  var ends: [String: String] = [:]
  /// The changes that are displayed, and whether their commit was called.
  var changes: [(number: Int, isSent: Bool)] = []
  /// Those of them that are displayed no more, because the list was set.
  private var dropped: [(number: Int, isSent: Bool)] = []
  /// What is displayed below them.
  var confirmed: [Int] = []

  var displayed: [Int] { confirmed + changes.map(\.number) }

  static let followed = 2

  // MARK: The gate

  mutating func open() {
    isOpen = true
    let waiters = queue
    queue = []
    for waiter in waiters { send(waiter) }
  }

  private mutating func send(_ waiter: Waiter) {
    sent.append(waiter)
    switch waiter {
    case .load(let place): resources[place].load = .sent
    case .commit(let number): setSent(number)
    }
  }

  private mutating func setSent(_ number: Int) {
    for index in changes.indices where changes[index].number == number { changes[index].isSent = true }
    for index in dropped.indices where dropped[index].number == number { dropped[index].isSent = true }
  }

  private mutating func pass(_ waiter: Waiter) {
    if isOpen { send(waiter) } else { queue.append(waiter) }
  }

  // MARK: Loads

  /// - Returns: Whether there is something to request.
  private mutating func begin(_ place: Int) -> Bool {
    if place == Self.followed {
      isFollowing = true
      if key == nil { return false }
    }
    guard resources[place].load == nil else { return true }
    resources[place].load = .waiting
    resources[place].isPinned = false
    pass(.load(place))
    return true
  }

  mutating func start(_ place: Int) {
    if begin(place) { resources[place].isPinned = true }
  }

  mutating func reload(_ place: Int) {
    guard place != Self.followed || key != nil else { return isFollowing = true }
    queue.removeAll { $0 == .load(place) }
    resources[place].load = nil
    start(place)
  }

  mutating func call(_ place: Int, as number: Int) {
    if begin(place) { resources[place].calls.insert(number) } else { ends["call \(number)"] = "cancelled" }
  }

  mutating func leave(_ number: Int) {
    for place in resources.indices where resources[place].calls.remove(number) != nil {
      ends["call \(number)"] = "cancelled"
      if !resources[place].isPinned, resources[place].calls.isEmpty { endLoad(place, "cancelled") }
    }
  }

  /// The load is over, and its callers return.
  mutating func endLoad(_ place: Int, _ word: String) {
    queue.removeAll { $0 == .load(place) }
    for call in resources[place].calls { ends["call \(call)"] = word }
    resources[place].calls = []
    resources[place].load = nil
    resources[place].isPinned = false
  }

  mutating func answer(_ place: Int, _ value: Int?) {
    guard resources[place].load == .sent else { return }
    resources[place].hasFailed = value == nil
    if let value { resources[place].value = value }
    endLoad(place, value.map { "value \($0)" } ?? "failure failure")
  }

  mutating func set(_ place: Int, _ value: Int) {
    resources[place].value = value
    resources[place].hasFailed = false
    endLoad(place, "value \(value)")
  }

  mutating func reset(_ place: Int) {
    endLoad(place, "cancelled")
    resources[place] = Resource()
  }

  mutating func setKey(_ next: Int?) {
    guard next != key else { return }
    key = next
    // What was set belongs to its key, too.
    guard isFollowing else { return resources[Self.followed] = Resource() }
    endLoad(Self.followed, "superseded")
    resources[Self.followed] = Resource()
    if next != nil { start(Self.followed) }
  }

  // MARK: Changes

  mutating func change(_ number: Int) {
    changes.append((number, false))
    pass(.commit(number))
  }

  mutating func cancelChange(_ number: Int) {
    guard (changes + dropped).contains(where: { $0.number == number && !$0.isSent }) else { return }
    changes.removeAll { $0.number == number }
    dropped.removeAll { $0.number == number }
    queue.removeAll { $0 == .commit(number) }
    ends["change \(number)"] = "cancelled"
  }

  mutating func confirmChange(_ number: Int) {
    guard isOpenCommit(number) else { return }
    decided.insert(number)
    dropped.removeAll { $0.number == number }
    // It keeps its place until all before it are decided.
    while let first = changes.first, decided.contains(first.number) { confirmed.append(changes.removeFirst().number) }
    ends["change \(number)"] = "confirmed"
  }

  private var decided: Set<Int> = []

  /// What is displayed is taken away, and what was done is sent.
  mutating func setList() {
    dropped += changes.filter { !decided.contains($0.number) }
    (changes, confirmed) = ([], [])
  }

  /// Whether its commit was called, and has not returned.
  func isOpenCommit(_ number: Int) -> Bool {
    (changes + dropped).contains { $0.number == number && $0.isSent } && !decided.contains(number)
  }
}
