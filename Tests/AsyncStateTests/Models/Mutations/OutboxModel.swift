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

  init(width: Int) {
    self.width = width
  }

  func entry(_ number: Int) -> Entry? { entries.first { $0.number == number } }

  mutating func perform(_ performed: Int, lane: Int) {
    var number = performed
    if lane == rewrittenLane {
      // By an observer of the answer: it is rewritten with those before it.
      number += Self.identity
      names[performed] = number
    }
    ends[number] = .open
    guard !appendFails else {
      last = "failed: \(number)"
      return ends[number] = .failure
    }
    displayed.append((number, false))
    entries.append(Entry(number: number, lane: lane))
    held[lane] = nil
  }

  /// Sends what may be sent.
  mutating func pump() {
    defer { rewrittenLane = nil }
    while isOpen, let next = firstFree {
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

  private var firstFree: Entry? {
    let blocked = Set(held.keys).union(sending.compactMap { entry($0)?.lane })
    return entries.first { !$0.isAside && !blocked.contains($0.lane) }
  }

  mutating func answer(_ number: Int, _ answer: OutboxCommand.Answer) {
    guard let entry = entry(number) else { return }
    sending.removeAll { $0 == number }
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
      if updateFails { return held[entry.lane] = number }
      change(number) { $0.isAside = true }
      conceal(number)
      end(number, .failure)
    }
  }

  private mutating func remove(_ number: Int, _ end: End) {
    guard let entry = entry(number) else { return }
    if end == .success { change(number) { $0.isAnswered = true } }
    let rewrites = self.entry(number)?.isAnswered == true && Self.rewrites(number)
    // Behind it, and what is set aside wherever.
    let place = entries.firstIndex { $0.number == number } ?? entries.count
    let others = entries.indices.filter { $0 > place || $0 < place && entries[$0].isAside }.map { entries[$0] }
      .filter { rewrites && $0.lane == entry.lane && $0.number < Self.identity }.map(\.number)
    if rewrites, !updateFails || others.isEmpty { rewrittenLane = entry.lane }
    if !updateFails { for other in others { rewrite(other, as: other + Self.identity) } }
    if removalFails || (updateFails && !others.isEmpty) {
      change(number) { $0.isOver = true }
      held[entry.lane] = number
    } else {
      entries.removeAll { $0.number == number }
      // Its lane waits for it no more.
      if held[entry.lane] == number { held[entry.lane] = nil }
      self.end(number, end)
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
    names[number] = input
  }

  mutating func replace(_ number: Int, by input: Int) {
    guard let entry = entry(number), entry.attempts == 0, !entry.isAside, !entry.isOver, !updateFails else { return }
    rewrite(number, as: input)
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
    for number in sending { if let lane = entry(number)?.lane { held[lane] = number } }
    sending = []
  }

  mutating func wake() { held = [:] }

  mutating func retry(_ number: Int) {
    guard let entry = entry(number) else { return }
    guard !updateFails else { return ends[number] = .failure }
    ends[number] = .open
    displayed.append((number, false))
    change(number) { $0.isAside = false }
    held[entry.lane] = nil
  }

  mutating func discard(_ number: Int) {
    guard let entry = entry(number), !entry.isOver else { return }
    if !entry.isAside { return withdraw(number) }
    if !removalFails { entries.removeAll { $0.number == number } }
  }

  mutating func discardAll() {
    for entry in entries where !entry.isAside && !entry.isOver { withdraw(entry.number) }
    last = "idle"
    guard !removalFails else { return }
    for entry in entries where entry.isOver { end(entry.number, .cancelled) }
    entries = []
    held = [:]
  }

  mutating func restart() {
    for (number, end) in ends where end == .open { ends[number] = entry(number) == nil ? end : .cancelled }
    displayed.removeAll { !$0.isDecided }
    sending = []
    held = [:]
    last = "idle"
    for index in entries.indices { (entries[index].isOver, entries[index].isAnswered) = (false, false) }
    for entry in entries where !entry.isAside { displayed.append((entry.number, false)) }
  }
}
