// SPDX-License-Identifier: MIT
/// What an outbox must do while its store works, written plainly: a list of entries, and what is sent of it.
struct OutboxModel {
  struct Entry: Equatable {
    var number: Int
    let lane: Int
    /// How often it was sent.
    var attempts = 0
    var isAside = false
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
  /// The lanes that pause, with the entry for which they do.
  private var held: [Int: Int] = [:]
  /// What is sent, in the order in which it began.
  var sending: [Int] = []
  /// Each attempt.
  var sent: [Int] = []
  /// What the resource displays, and whether that is decided.
  private var displayed: [(number: Int, isDecided: Bool)] = []
  var ends: [Int: End] = [:]
  /// The inputs that were rewritten, and as what.
  var names: [Int: Int] = [:]
  /// The lane that an answer has just given another identity.
  private var rewrittenLane: Int?

  init(width: Int) {
    self.width = width
  }

  /// What the resource displays.
  var shown: [Int] { displayed.map(\.number) }

  func isHeld(_ number: Int) -> Bool { held.values.contains(number) }
  func entry(_ number: Int) -> Entry? { entries.first { $0.number == number } }

  mutating func perform(_ performed: Int, lane: Int) {
    // An observer of the answer performs it: the answered one is still in the store.
    let number = lane == rewrittenLane ? performed + Self.identity : performed
    if number != performed { names[performed] = number }
    ends[number] = .open
    displayed.append((number, false))
    entries.append(Entry(number: number, lane: lane))
    held[lane] = nil
  }

  /// Sends what may be sent.
  mutating func pump() {
    rewrittenLane = nil
    while isOpen, sending.count < width, let next = firstFree {
      change(next.number) { $0.attempts += 1 }
      sending.append(next.number)
      sent.append(next.number)
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
      if let index = displayed.firstIndex(where: { $0.number == number && !$0.isDecided }) {
        displayed[index].isDecided = true
      }
      remove(number, .success)
      if Self.rewrites(number) { rewrite(entry.lane) }
    case .failure where entry.attempts < Self.attemptLimit: held[entry.lane] = number
    case .failure, .refusal:
      change(number) { $0.isAside = true }
      conceal(number)
      end(number, .failure)
    }
  }

  /// Each fourth input makes something that the server gives an identity.
  static func rewrites(_ number: Int) -> Bool { number < identity && number / 10 % 4 == 0 }

  private mutating func rewrite(_ lane: Int) {
    rewrittenLane = lane
    for entry in entries where entry.lane == lane && entry.number < Self.identity {
      rewrite(entry.number, as: entry.number + Self.identity)
    }
    held[lane] = nil
  }

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
    guard let entry = entry(number), entry.attempts == 0, !entry.isAside else { return }
    rewrite(number, as: input)
  }

  mutating func cancel(_ number: Int) {
    guard ends[number] == .open, let entry = entry(number), !entry.isAside else { return }
    remove(number, .cancelled)
  }

  mutating func discard(_ number: Int) { remove(number, .cancelled) }

  mutating func discardAll() {
    for entry in entries { remove(entry.number, .cancelled) }
    held = [:]
  }

  private mutating func remove(_ number: Int, _ end: End) {
    sending.removeAll { $0 == number }
    conceal(number)
    for (lane, first) in held where first == number { held[lane] = nil }
    entries.removeAll { $0.number == number }
    self.end(number, end)
  }

  mutating func wake() { held = [:] }

  mutating func retry(_ number: Int) {
    guard let entry = entry(number), entry.isAside else { return }
    ends[number] = .open
    displayed.append((number, false))
    change(number) { $0.isAside = false }
    held[entry.lane] = nil
  }

  mutating func restart() {
    for (number, end) in ends where end == .open { ends[number] = entry(number) == nil ? end : .cancelled }
    displayed.removeAll { !$0.isDecided }
    sending = []
    held = [:]
    for entry in entries where !entry.isAside { displayed.append((entry.number, false)) }
  }

  private mutating func change(_ number: Int, _ body: (inout Entry) -> Void) {
    if let index = entries.firstIndex(where: { $0.number == number }) { body(&entries[index]) }
  }

  private mutating func end(_ number: Int, _ end: End) {
    if ends[number] == .open { ends[number] = end }
  }

  private mutating func conceal(_ number: Int) {
    displayed.removeAll { $0.number == number && !$0.isDecided }
  }
}
