// SPDX-License-Identifier: MIT
/// What an outbox must do, written plainly: a list of entries, and what is sent of it.
struct OutboxModel {
  struct Entry: Equatable {
    var number: Int
    let lane: Int
    /// How often it was sent.
    var attempts = 0
    var isAside = false
    /// It is over, and only the store does not know.
    var isOver = false
    var isAnswered = false
    /// What it rewrites could not be rewritten yet.
    var owesRewriting = false
  }

  enum End: Equatable {
    case open, success, failure, cancelled
  }

  /// What has failed so often is set aside.
  static let attemptLimit = 4
  /// What an input is when one was answered that gives its lane another identity.
  static let identity = 1_000_000

  let width: Int
  var entries: [Entry] = []
  var isOpen = true
  /// The lanes that wait for a reason to go on, with the entry for which they do.
  var held: [Int: Int] = [:]
  /// What is sent, in the order in which it began.
  var sending: [Int] = []
  /// Each attempt.
  var sent: [Int] = []
  /// What the resource displays, and whether that is decided.
  var displayed: [(number: Int, isDecided: Bool)] = []
  var ends: [Int: End] = [:]
  /// The inputs that were rewritten, and as what.
  var names: [Int: Int] = [:]
  /// The lane that an answer has just given another identity.
  private var rewrittenLane: Int?
  /// How the last request has ended that succeeded or failed.
  var last = "idle"
  var (appendFails, updateFails, removalFails) = (false, false, false)
  /// All was to be removed, and could not be.
  private(set) var owesRemoval = false
  /// That was tried in vain, and there was no reason since to try again.
  private var isUnreadable = false
  /// What the store was to set aside, or was to let wait again, and could not.
  private var uncertain: Set<Int> = []
  /// Something has been removed, or waits again: the store is searched.
  private var isSearched = false

  init(width: Int) {
    self.width = width
  }

  /// What the resource displays: of what an answer rewrites the result, also while the store has it as it was.
  var shown: [Int] {
    displayed.map { number, isDecided in
      !isDecided && isToBeRewritten(number) ? number + Self.identity : number
    }
  }

  private func isToBeRewritten(_ number: Int) -> Bool {
    guard number < Self.identity, let lane = entry(number)?.lane else { return false }
    return entries.contains { $0.owesRewriting && $0.lane == lane && $0.number != number }
  }

  func entry(_ number: Int) -> Entry? { entries.first { $0.number == number } }

  mutating func perform(_ performed: Int, lane: Int) {
    // An observer of the answer performs it, or the answered one is still there.
    let isLate = lane == rewrittenLane
    guard completesOwed() else { return refuse(isLate ? rename(performed) : performed) }
    let number = isLate || hasRewriting(lane) ? rename(performed) : performed
    if appendFails { refuse(number) } else { accept(Entry(number: number, lane: lane)) }
  }

  private mutating func rename(_ number: Int) -> Int {
    names[number] = number + Self.identity
    return number + Self.identity
  }

  /// An input that was answered, and rewrites others, could not be removed.
  private func hasRewriting(_ lane: Int) -> Bool {
    entries.contains { $0.lane == lane && $0.isOver && $0.isAnswered && Self.rewrites($0.number) }
  }

  private mutating func accept(_ entry: Entry) {
    ends[entry.number] = .open
    displayed.append((entry.number, false))
    entries.append(entry)
    held[entry.lane] = nil
    isUnreadable = false
  }

  private mutating func refuse(_ number: Int) {
    last = "failed: \(number)"
    ends[number] = .failure
  }

  /// What the store owes is done before anything is accepted.
  private mutating func completesOwed() -> Bool {
    guard removesOwed() else { return false }
    for entry in entries where entry.owesRewriting {
      let others = rewritten(by: entry)
      guard !updateFails || others.isEmpty else { return false }
      for other in others { rewrite(other, as: other + Self.identity) }
      change(entry.number) { $0.owesRewriting = false }
      if held[entry.lane] == entry.number { held[entry.lane] = nil }
    }
    return true
  }

  mutating func removesOwed() -> Bool {
    guard owesRemoval else { return true }
    if !removalFails { clear() }
    return !removalFails
  }

  /// Sends what may be sent.
  mutating func pump() {
    defer { rewrittenLane = nil }
    guard isOpen, !isUnreadable else { return }
    guard removesOwed() else { return isUnreadable = true }
    if isSearched { correctUncertain() }
    isSearched = false
    while firstFree != nil {
      correctUncertain()
      guard let next = firstFree else { return }
      if next.isOver {
        remove(next.number, .cancelled)
      } else if sending.count < width, updateFails {
        // An attempt that cannot be counted is not made.
        last = "failed: \(next.number)"
        held[next.lane] = next.number
      } else if sending.count < width {
        change(next.number) { $0.attempts += 1 }
        sending.append(next.number)
        sent.append(next.number)
      } else {
        return
      }
    }
  }

  private mutating func correctUncertain() {
    guard isOpen, !isUnreadable, sending.count < width || entries.contains(where: \.isOver) else { return }
    for number in uncertain {
      guard updateFails, let entry = entry(number), !entry.isOver else {
        uncertain.remove(number)
        if let entry = entry(number), entry.isAside, held[entry.lane] == number { held[entry.lane] = nil }
        continue
      }
      held[entry.lane] = held[entry.lane] ?? number
    }
  }

  private var firstFree: Entry? {
    let blocked = Set(held.keys).union(sending.compactMap { entry($0)?.lane })
    return entries.first { !$0.isAside && !blocked.contains($0.lane) }
  }

  mutating func answer(_ number: Int, _ answer: OutboxCommand.Answer) {
    guard let entry = entry(number) else { return }
    sending.removeAll { $0 == number }
    isSearched = true
    switch answer {
    case .success:
      last = "succeeded: \(number)"
      ends[number] = ends[number] == .open ? .success : ends[number]
      decide(number)
      remove(number, .success)
    case .failure where entry.attempts < Self.attemptLimit:
      last = "failed: \(number)"
      held[entry.lane] = number
    case .failure, .refusal:
      last = "failed: \(number)"
      if updateFails {
        uncertain.insert(number)
        return held[entry.lane] = number
      }
      change(number) { $0.isAside = true }
      conceal(number)
      end(number, .failure)
    }
  }

  private mutating func remove(_ number: Int, _ end: End) {
    guard let entry = entry(number) else { return }
    if end == .success { change(number) { $0.isAnswered = true } }
    let rewrites = self.entry(number)?.isAnswered == true && Self.rewrites(number)
    let others = rewrites ? rewritten(by: entry) : []
    if rewrites, !updateFails || others.isEmpty { rewrittenLane = entry.lane }
    if !updateFails { for other in others { rewrite(other, as: other + Self.identity) } }
    if removalFails || (updateFails && !others.isEmpty) {
      let owesRewriting = updateFails && !others.isEmpty
      change(number) {
        $0.isOver = true
        $0.owesRewriting = owesRewriting
      }
      held[entry.lane] = held[entry.lane] ?? number
    } else {
      entries.removeAll { $0.number == number }
      isSearched = true
      // Its lane waits for it no more.
      if held[entry.lane] == number { held[entry.lane] = nil }
      self.end(number, end)
    }
  }

  private func rewritten(by entry: Entry) -> [Int] {
    entries.map { $0.number }.filter { number in
      number < Self.identity && number != entry.number && self.entry(number)?.lane == entry.lane
    }
  }

  /// Each fourth input makes something that the server gives an identity.
  static func rewrites(_ number: Int) -> Bool { number < identity && number / 10 % 4 == 0 }

  private mutating func rewrite(_ number: Int, as input: Int) {
    change(number) { $0.number = input }
    for index in displayed.indices where displayed[index].number == number && !displayed[index].isDecided {
      displayed[index].number = input
    }
    if let end = ends.removeValue(forKey: number) { ends[input] = end }
    for (lane, first) in held where first == number { held[lane] = input }
    if uncertain.remove(number) != nil { uncertain.insert(input) }
    names[number] = input
  }

  mutating func replace(_ number: Int, by input: Int) {
    guard completesOwed(), let entry = entry(number), entry.attempts == 0, !entry.isAside, !entry.isOver, !updateFails
    else { return }
    rewrite(number, as: hasRewriting(entry.lane) ? input + Self.identity : input)
  }

  private mutating func change(_ number: Int, _ body: (inout Entry) -> Void) {
    if let index = entries.firstIndex(where: { $0.number == number }) { body(&entries[index]) }
  }

  private mutating func end(_ number: Int, _ end: End) {
    if ends[number] == .open { ends[number] = end }
  }

  private mutating func decide(_ number: Int) {
    if let index = displayed.firstIndex(where: { $0.number == number && !$0.isDecided }) {
      displayed[index].isDecided = true
    }
  }

  private mutating func conceal(_ number: Int) {
    displayed.removeAll { $0.number == number && !$0.isDecided }
  }

  mutating func cancel(_ number: Int) {
    guard ends[number] == .open, let entry = entry(number), !entry.isAside, !entry.isOver else { return }
    withdraw(number)
  }

  private mutating func withdraw(_ number: Int) {
    sending.removeAll { $0 == number }
    conceal(number)
    remove(number, .cancelled)
  }

  mutating func interrupt() {
    isSearched = !sending.isEmpty
    for number in sending { if let lane = entry(number)?.lane { held[lane] = number } }
    sending = []
  }

  mutating func wake() {
    held = [:]
    isUnreadable = false
    if isOpen, removesOwed() { correctUncertain() }
  }

  mutating func retry(_ number: Int) {
    guard let entry = entry(number) else { return }
    guard completesOwed() else { return ends[number] = .failure }
    guard self.entry(number) != nil else {
      // It was removed with all: it is performed anew.
      if appendFails || updateFails { return refuse(number) }
      return accept(Entry(number: number, lane: entry.lane, attempts: entry.attempts))
    }
    guard !appendFails, !updateFails else {
      if !appendFails { uncertain.insert(number) }
      if held[entry.lane] == number { held[entry.lane] = nil }
      return ends[number] = .failure
    }
    uncertain.remove(number)
    ends[number] = .open
    displayed.append((number, false))
    change(number) { $0.isAside = false }
    held[entry.lane] = nil
  }

  mutating func discard(_ number: Int) {
    guard let entry = entry(number), !entry.isOver else { return }
    if !entry.isAside { return withdraw(number) }
    guard !removalFails else { return }
    entries.removeAll { $0.number == number }
    isSearched = true
    uncertain.remove(number)
    if held[entry.lane] == number { held[entry.lane] = nil }
  }

  mutating func discardAll() {
    for entry in entries where !entry.isAside && !entry.isOver { withdraw(entry.number) }
    last = "idle"
    if removalFails { owesRemoval = true } else { clear() }
  }

  private mutating func clear() {
    for entry in entries where entry.isOver { end(entry.number, .cancelled) }
    entries = []
    held = [:]
    owesRemoval = false
    uncertain = []
  }

  mutating func restart() {
    for (number, end) in ends where end == .open { ends[number] = entry(number) == nil ? end : .cancelled }
    displayed.removeAll { !$0.isDecided }
    sending = []
    held = [:]
    last = "idle"
    (isUnreadable, uncertain) = (false, [])
    // The next outbox of the process does first what this one owes.
    if owesRemoval, !removalFails { clear() }
    isUnreadable = owesRemoval
    for index in entries.indices {
      let entry = entries[index]
      entries[index] = Entry(number: entry.number, lane: entry.lane, attempts: entry.attempts, isAside: entry.isAside)
    }
    for entry in entries where !entry.isAside && !owesRemoval { displayed.append((entry.number, false)) }
  }
}
